import { isInnsigliError } from '../../../base/errors.ts';
import { expiredHint } from '../../../domain/auth/index.ts';
import { type Identity, isSameNumber } from '../../../domain/person/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import {
  decideIn,
  outcomeOf,
  requireAccepted,
  requireGroup,
  settleGroup,
} from '../../service/index.ts';
import { readSignee } from '../find-signee.ts';
import type { SigningPorts } from '../ports.ts';
import {
  failSession,
  findSession,
  graceMs,
  loginOf,
  mismatchCode,
  mismatchError,
  type SessionPoll,
} from './eid-session.ts';

/** How a login stands. */
export type AuthAnswer =
  | { readonly state: 'waiting' }
  | { readonly state: 'done'; readonly process: SigningProcess; readonly identity: Identity }
  /** `hint`: `userCancel`, `expiredTransaction` or another word of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

/**
 * Asks how a login stands, and records it when the person is the signee. Asked again, it answers
 * the same and records nothing. Asked for the first time long after the end of the session, it has
 * failed whatever the person answered.
 *
 * @throws authentication.token.invalid, process.not_found, error.signee.not_found
 * @throws authentication.error.signee.logon.mismatch when somebody else has answered
 * @throws signing.forbidden.* when the process is over
 */
export async function pollAuth(ports: SigningPorts, poll: SessionPoll): Promise<AuthAnswer> {
  const session = await findSession(ports, poll, 'eid-auth');
  const { state, failureCode = expiredHint, providerRef, expiresAtMs } = session;
  if (state === 'failed' || state === 'expired') {
    if (failureCode === mismatchCode) throw mismatchError();
    return { state: 'failed', hint: failureCode };
  }
  const answer = await ports.identity.poll(providerRef);
  const lateMs = ports.now() - expiresAtMs;
  if (answer.state === 'waiting' && lateMs < 0) return answer;
  // Nobody knows when the person answered: a login is as new as the first poll that hears of it.
  const isTooLate = state === 'waiting' && lateMs >= graceMs;
  if (answer.state !== 'done' || isTooLate) {
    const hint = answer.state === 'failed' ? answer.hint : expiredHint;
    await failSession(ports, session, hint);
    return { state: 'failed', hint };
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
