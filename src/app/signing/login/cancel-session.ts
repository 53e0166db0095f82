import type { SigningPorts } from '../find-signee.ts';
import { failSession, findSession, type SessionPoll } from './eid-session.ts';
import { canceledHint } from './open-logins.ts';
import { withProviderOfToken } from './own-provider.ts';

/**
 * Ends a login or signature that waits: nobody answers into it any more, the document is free for
 * others, and the provider is told as far as its protocol can. One that has ended stays as it is.
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
 * The newest text for the QR code or link of a session that waits; undefined where its provider
 * does not change it. The provider is not asked.
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
