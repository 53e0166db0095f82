import type { SigningPorts } from '../find-signee.ts';
import { failSession, findSession, type SessionPoll } from './eid-session.ts';
import { canceledHint } from './open-logins.ts';
import { withProviderOfToken } from './own-provider.ts';

/**
 * Cancels a waiting login or signature: later responses are ignored, the document is released for
 * others, and the provider is notified as far as its protocol allows. A session that has ended is
 * unchanged.
 *
 * @throws authentication.token.invalid, process.not_found
 */
export async function cancelSession(
  given: SigningPorts,
  poll: SessionPoll,
  kind: 'eid-sign' | 'eid-auth',
): Promise<void> {
  const ports = await withProviderOfToken(given, poll.token);
  const session = await findSession(ports, poll, kind);
  if (session.state !== 'waiting') return;
  await failSession(ports, session, canceledHint);
  await ports.identity.cancel(session.providerRef);
}

/**
 * Returns the latest text for the QR code or link of a waiting session. Undefined if its provider
 * does not change it. No request is sent to the provider.
 *
 * @throws authentication.token.invalid, process.not_found
 */
export async function refreshSession(
  given: SigningPorts,
  poll: SessionPoll,
  kind: 'eid-sign' | 'eid-auth',
): Promise<string | undefined> {
  const ports = await withProviderOfToken(given, poll.token);
  const { providerRef } = await findSession(ports, poll, kind);
  return (await ports.identity.refresh?.(providerRef)) || undefined;
}
