import {
  type LoginPlace,
  type LoginScheme,
  type LoginSession,
  loginDeadlineMs,
  loginKeptMs,
} from '../../domain/auth/index.ts';
import type { IdentityProvider, IdentitySession } from '../ports/index.ts';
import { type HeldPrompt, type LoginPrompt, withPrompt } from '../signing/index.ts';
import type { AuthPorts } from './ports.ts';
import { newToken, tokenDigest } from './secret-token.ts';

/** A login that was started. */
export interface StartedLogin extends Omit<IdentitySession, 'ref'> {
  /** Unpredictable; to be polled with. */
  readonly token: string;
}

/** How a login is to be started. */
export interface LoginOrder {
  readonly scheme: LoginScheme;
  readonly place: LoginPlace;
  readonly start: Omit<Parameters<IdentityProvider['start']>[0], 'purpose'>;
  /** What counts the start, beside the number. */
  readonly counted: Pick<LoginPrompt, 'flowKey' | 'starter' | 'circumstances'>;
}

/** The provider of a scheme. */
export function providerOf(ports: AuthPorts, scheme: LoginScheme): IdentityProvider {
  return scheme === 'sim-app' ? ports.identity : ports.foreign[scheme];
}

/**
 * Starts a login at its provider and keeps it.
 *
 * @throws authentication.error.idp.start, eid.provider.error, authentication.start.too_frequent
 */
export async function beginLogin(ports: AuthPorts, order: LoginOrder): Promise<StartedLogin> {
  const provider = providerOf(ports, order.scheme);
  const prompt = { provider, loginHint: order.start.loginHint, ...order.counted };
  return withPrompt(ports, prompt, (held) => startHeld(ports, order, provider, held));
}

async function startHeld(
  ports: AuthPorts,
  { scheme, place, start }: LoginOrder,
  provider: IdentityProvider,
  held: HeldPrompt,
): Promise<StartedLogin> {
  const { ref, ...shown } = await provider.start({ ...start, purpose: 'auth' });
  const token = newToken(ports.random);
  const createdAtMs = ports.now();
  const session: LoginSession = {
    key: tokenDigest(token),
    scheme,
    place,
    providerRef: ref,
    pollingMs: shown.pollingIntervalSeconds * 1000,
    createdAtMs,
    state: 'waiting',
    customers: {},
  };
  await ports.store.write(async (unit) => {
    await unit.logins.removeOld(createdAtMs - loginKeptMs);
    await unit.polls.removeOld(createdAtMs - 2 * loginDeadlineMs);
    await unit.accessTokens.removeExpired(createdAtMs);
    await unit.logins.add(session);
    const { key, providerRef, pollingMs } = session;
    const open = { kind: 'login', key, providerRef, pollingMs, pace: key } as const;
    await held.note(unit, { ...open, provider: provider.name });
  });
  return { token, ...shown };
}
