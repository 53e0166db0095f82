import { createHash } from 'node:crypto';
import type { Signee, SigningProcess } from '../../domain/process/index.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import type { OpenSession } from '../../domain/tally/index.ts';
import type { startRequest } from './eid-session.ts';
import type { SigneeRequest } from './find-signee.ts';
import type { LoginPrompt } from './login-counts.ts';
import type { SigningPorts } from './ports.ts';

/**
 * The prompt that a signee gets. A link may name any number where that of its signee is not known,
 * one who was added by link has a number that a link has named, and who names no signee has the
 * key of the process alone: they are strangers to it.
 */
export function promptOf(
  { identity: provider }: SigningPorts,
  request: SigneeRequest,
  { flowKey }: SigningProcess,
  { channel, loginHint }: Pick<ReturnType<typeof startRequest>, 'channel' | 'loginHint'>,
  { ssn, phoneNumber, byLink }: Signee,
): LoginPrompt {
  const { processKey, signeeKey, companyKey, circumstances, isByNumber = false } = request;
  const own = channel === 'Sim' ? phoneNumber : ssn;
  const isOwn = byLink?.isAdded !== true && !isByNumber;
  const number = own === undefined ? 'any' : isOwn ? 'own' : 'known';
  const link = { by: 'link', link: `${processKey} ${signeeKey}`, number } as const;
  const starter = companyKey === undefined ? link : ({ by: 'company', companyKey } as const);
  return { provider, loginHint, flowKey, starter, circumstances };
}

/** What a session of a challenge is found by. */
export function openChallenge({
  token,
  providerRef = '',
  provider = '',
  pollingMs = 0,
}: Challenge): OpenSession {
  const pace = challengePace(token);
  return { kind: 'challenge', key: token, provider, providerRef, pollingMs, pace };
}

/** Under what polls of a challenge are noted: not its token, which nobody else is to know. */
export function challengePace(token: string): string {
  return `challenge ${createHash('sha256').update(token, 'utf8').digest('hex')}`;
}
