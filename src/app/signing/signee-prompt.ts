import { createHash } from 'node:crypto';
import type { FlowKey } from '../../domain/keys.ts';
import type { Signee } from '../../domain/process/index.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import type { OpenSession } from '../../domain/tally/index.ts';
import type { startRequest } from './eid-session.ts';
import type { SigneeRequest } from './find-signee.ts';
import type { LoginPrompt } from './login-prompt.ts';
import type { SigningPorts } from './ports.ts';

/**
 * The prompt that a signee gets. A link may name any number where that of its signee is not known:
 * then it counts against the link too.
 */
export function promptOf(
  { identity: provider }: SigningPorts,
  { processKey, signeeKey, companyKey, circumstances }: SigneeRequest,
  flowKey: FlowKey,
  { channel, loginHint }: Pick<ReturnType<typeof startRequest>, 'channel' | 'loginHint'>,
  { ssn, phoneNumber }: Signee,
): LoginPrompt {
  const own = channel === 'Sim' ? phoneNumber : ssn;
  const by = companyKey === undefined ? 'link' : 'company';
  const link = own === undefined ? { link: `${processKey} ${signeeKey}` } : {};
  return { provider, loginHint, flowKey, by, circumstances, ...link };
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
