import { createHash } from 'node:crypto';
import type { NumberStanding } from '../../domain/person/index.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import type { OpenSession } from '../../domain/tally/index.ts';
import type { SigneeRequest } from './find-signee.ts';
import { type LoginPrompt, strangersStanding } from './login/login-counts.ts';
import type { SigningPorts } from './ports.ts';

/**
 * The prompt that a signee gets. Who names no signee has the key of the process alone, and is a
 * stranger to all of them.
 */
export function promptOf(
  { identity: provider }: SigningPorts,
  request: SigneeRequest,
  { flowKey }: SigningProcess,
  loginHint: string,
  standing: NumberStanding,
): LoginPrompt {
  const { processKey, signeeKey, companyKey, circumstances, isByNumber = false } = request;
  const number = isByNumber ? strangersStanding(standing) : standing;
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
