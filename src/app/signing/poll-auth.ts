import { isCoreError } from '../../base/errors.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { Identity } from '../ports/index.ts';
import { applyCommand, lockGroup, refusalError } from '../service/index.ts';
import {
  expiredHint,
  failSession,
  findSession,
  mismatchCode,
  mismatchError,
  type SessionPoll,
} from './eid-session.ts';
import { readSignee } from './find-signee.ts';
import type { SigningPorts } from './ports.ts';

/** How a login stands. */
export type AuthAnswer =
  | { readonly state: 'waiting' }
  | { readonly state: 'done'; readonly process: SigningProcess; readonly identity: Identity }
  /** `hint`: `userCancel`, `expiredTransaction` or another word of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

/**
 * Asks how a login stands, and records it when the person is the signee. Asked again, it answers
 * the same and records nothing.
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
  if (answer.state === 'waiting' && ports.now() < expiresAtMs) return answer;
  if (answer.state !== 'done') {
    const hint = answer.state === 'failed' ? answer.hint : expiredHint;
    await failSession(ports, session, hint);
    return { state: 'failed', hint };
  }
  const { identity } = answer;
  if (state === 'done') {
    const { process } = await readSignee(ports, poll);
    return { state, process, identity };
  }
  try {
    return { state: 'done', process: await record(ports, poll, identity), identity };
  } catch (error) {
    const isOther = isCoreError(error) && error.code === mismatchCode;
    if (isOther) await failSession(ports, session, mismatchCode);
    throw error;
  }
}

async function record(
  ports: SigningPorts,
  { processKey, signeeKey, token, circumstances }: SessionPoll,
  identity: Identity,
): Promise<SigningProcess> {
  const nowMs = ports.now();
  const { ssn, phoneNumber } = identity;
  const command = {
    type: 'authenticate',
    signeeKey,
    identity: { ssn, ...(phoneNumber === undefined ? {} : { phoneNumber }) },
    method: ports.identity.name,
    circumstances,
  } as const;
  const outcome = await ports.store.write(async (unit) => {
    // Polls at the same time wait for each other here, and only the first one records.
    const group = await lockGroup(unit, processKey);
    const challenge = await unit.challenges.find(token);
    if (group !== undefined && challenge?.state === 'done') {
      return { process: group.get(processKey), refusal: undefined };
    }
    const applied = await applyCommand(unit, ports, processKey, command, nowMs);
    if (applied.refusal === undefined && challenge !== undefined) {
      await unit.challenges.save({ ...challenge, state: 'done' });
    }
    return applied;
  });
  if (outcome.refusal !== undefined) throw refusalError(outcome.refusal, nowMs);
  return outcome.process;
}
