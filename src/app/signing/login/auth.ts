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
import { askForChallenge } from './ask-provider.ts';
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
 * @throws authentication.error.signee.unprovable when no such login can be the signee's
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

/** State of a login. */
export type AuthAnswer =
  /** `hint`: word of the scheme for the step. */
  | { readonly state: 'waiting'; readonly hint?: string }
  | { readonly state: 'done'; readonly process: SigningProcess; readonly identity: Identity }
  /** `hint`: `userCancel`, `expiredTransaction` or another word of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

/**
 * Asks how a login stands, and records it when the person is the signee. Asked again, it answers
 * the same and records nothing. Asked for the first time long after the end of the session, it has
 * failed whatever the person answered.
 *
 * @throws authentication.token.invalid, process.not_found, error.signee.not_found
 * @throws authentication.error.signee.logon.mismatch when another person has answered
 * @throws signing.forbidden.* when the process is over
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
  // The result of a login that is done stands in its reference: nobody is asked for it again.
  const answer =
    state === 'done'
      ? await ports.identity.poll(session.providerRef)
      : (await askForChallenge(ports, session)).answer;
  if (answer.state === 'done') await admit?.(answer.identity);
  const lateMs = ports.now() - expiresAtMs;
  if (answer.state === 'waiting' && lateMs < 0) return answer;
  // Nobody knows when the person answered: a login is as new as the first poll that hears of it.
  const isTooLate = state === 'waiting' && lateMs >= graceMs;
  if (answer.state !== 'done' || isTooLate) {
    const hint = answer.state === 'failed' ? answer.hint : expiredHint;
    return endFailed(ports, session, hint);
  }
  const { identity } = answer;
  if (state === 'done') {
    const { process, signee } = await readSignee(ports, poll);
    // The place may have been taken over by somebody who fits as well.
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
    // Polls at the same time wait for each other here, and only the first one records.
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
