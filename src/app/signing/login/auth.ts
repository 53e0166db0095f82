import { isInnsigliError } from '../../../base/errors.ts';
import { expiredHint, loginDeadlineMs } from '../../../domain/auth/index.ts';
import { type Identity, isSameNumber } from '../../../domain/person/index.ts';
import { closedRule, type SigningProcess } from '../../../domain/process/index.ts';
import {
  decideIn,
  outcomeOf,
  refusalError,
  requireAccepted,
  requireGroup,
  settleGroup,
} from '../../service/index.ts';
import { readSignee, type SigneeRequest, type SigningPorts } from '../find-signee.ts';
import { pollChallenge } from './ask-provider.ts';
import {
  endFailed,
  failSession,
  findSession,
  graceMs,
  type LoginChoice,
  languageOf,
  loginOf,
  mismatchCode,
  mismatchError,
  requirePlaces,
  type SessionPoll,
  type StartedSession,
  startRequest,
} from './eid-session.ts';
import { promptOf, startSession, withPrompt } from './login-prompt.ts';
import { withProviderFor, withProviderOfToken } from './own-provider.ts';

/**
 * Starts a login of a signee with an electronic identity.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*
 * @throws validation.error without a number, authentication.error.idp.start
 * @throws authentication.error.signee.unprovable if no such login could prove to be the signee's
 */
export async function startAuth(
  given: SigningPorts,
  request: SigneeRequest & LoginChoice,
): Promise<StartedSession> {
  const { processKey, signeeKey } = request;
  const { process, signee } = await readSignee(given, request);
  const { method } = request;
  const usual = method && given.foreign?.[method];
  const own = usual === undefined ? given : { ...given, identity: usual };
  const ports = withProviderFor(own, method ?? request.channel, process);
  const nowMs = ports.now();
  const closed = signee.state === 'Signed' ? undefined : closedRule(process, { nowMs });
  if (closed !== undefined) throw refusalError(closed, nowMs);
  const places = await requirePlaces(ports, { process, signee }, request.channel);
  const shown = { text: process.fileName, language: languageOf({ process, signee }) };
  const { start, standing } = startRequest(request, places, 'auth', shown);
  const prompt = promptOf(ports, request, process, start.loginHint, standing);
  const times = { createdAtMs: nowMs, expiresAtMs: nowMs + loginDeadlineMs };
  return withPrompt(ports, prompt, (held) =>
    startSession(ports, start, held, { kind: 'eid-auth', processKey, signeeKey, ...times }),
  );
}

/** Status of a login. */
export type AuthAnswer =
  /** `hint`: the scheme's code for the step. */
  | { readonly state: 'waiting'; readonly hint?: string }
  | { readonly state: 'done'; readonly process: SigningProcess; readonly identity: Identity }
  /** `hint`: `userCancel`, `expiredTransaction` or a different code of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

/**
 * Polls a login, and records it if the person is the signee. A repeated poll returns the same and
 * records nothing. A login first polled long after the end of the session has failed, whatever the
 * person's response.
 *
 * @throws authentication.token.invalid, process.not_found, error.signee.not_found
 * @throws authentication.error.signee.logon.mismatch if a different person has responded
 * @throws signing.forbidden.* if the process has ended
 * @param admit throws for a person who may not log in here
 */
export async function pollAuth(
  given: SigningPorts,
  poll: SessionPoll,
  admit?: (identity: Identity) => Promise<void>,
): Promise<AuthAnswer> {
  const ports = await withProviderOfToken(given, poll.token);
  const session = await findSession(ports, poll, 'eid-auth');
  const { state, failureCode = expiredHint, expiresAtMs } = session;
  if (state === 'failed' || state === 'expired') {
    if (failureCode === mismatchCode) throw mismatchError();
    return { state: 'failed', hint: failureCode };
  }
  // The reference of a completed login contains the result, so the provider is not polled again.
  const answer =
    state === 'done'
      ? await ports.identity.poll(session.providerRef)
      : (await pollChallenge(ports, session)).answer;
  if (answer.state === 'done') await admit?.(answer.identity);
  const lateMs = ports.now() - expiresAtMs;
  if (answer.state === 'waiting' && lateMs < 0) return answer;
  // The time of the response is unknown: a login is dated by the first poll that learns of it.
  const isTooLate = state === 'waiting' && lateMs >= graceMs;
  if (answer.state !== 'done' || isTooLate) {
    const hint = answer.state === 'failed' ? answer.hint : expiredHint;
    return endFailed(ports, session, hint);
  }
  const { identity } = answer;
  if (state === 'done') {
    const { process, signee } = await readSignee(ports, poll);
    // A different person who also qualifies as the signee may have logged in since.
    const isOver = signee.login !== undefined && !isSameNumber(signee.login.ssn, identity.ssn);
    if (isOver) throw mismatchError();
    return { state, process, identity };
  }
  try {
    return { state: 'done', process: await record(ports, poll, identity), identity };
  } catch (error) {
    const isOther = isInnsigliError(error) && error.code === mismatchCode;
    if (isOther) await failSession(ports, session, mismatchCode);
    throw error;
  }
}

async function record(
  ports: SigningPorts,
  { processKey, signeeKey, token, circumstances }: SessionPoll,
  identity: Identity,
): Promise<SigningProcess> {
  const login = loginOf(ports, ports.identity, identity);
  const command = { type: 'authenticate', signeeKey, login, circumstances } as const;
  const outcome = await ports.store.write(async (unit) => {
    // Concurrent polls wait for this lock; only the first one records the login.
    const group = await requireGroup(unit, ports, processKey);
    const challenge = await unit.challenges.find(token);
    if (challenge?.state === 'done') return outcomeOf(group, processKey, undefined);
    const refusal = await decideIn(unit, ports, group, processKey, command);
    await settleGroup(unit, ports, group);
    if (refusal === undefined && challenge !== undefined) {
      await unit.challenges.save({ ...challenge, state: 'done' });
    }
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}
