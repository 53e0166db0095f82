import { InnsigliError } from '../../base/errors.ts';
import {
  expiredHint,
  type LoginPlace,
  type LoginScheme,
  type LoginSession,
  leastPollGapMs,
  loginDeadlineMs,
  loginKeptMs,
} from '../../domain/auth/index.ts';
import type { IdentityProvider, IdentitySession, StoreUnit } from '../ports/index.ts';
import { type HeldPrompt, type LoginPrompt, withPrompt } from '../signing/index.ts';
import { newToken, tokenDigest } from './access-tokens.ts';
import type { AuthPorts } from './ports.ts';

/** A login as it stands: with who has answered when it is done. */
export type SettledLogin =
  | (LoginSession & { readonly state: 'waiting' })
  | (LoginSession & { readonly state: 'failed'; readonly hint: string })
  | (LoginSession & {
      readonly state: 'done';
      readonly identity: NonNullable<LoginSession['identity']>;
    });

/**
 * Asks the provider for the state of a waiting login and stores it. A finished login returns the
 * same state until it is forgotten.
 *
 * @throws authentication.token.invalid for an unknown or forgotten token
 * @throws authentication.poll.too_frequent, what `permit` throws
 */
export async function settleLogin(
  ports: AuthPorts,
  token: string,
  scheme: LoginScheme,
  permit: (session: LoginSession, unit: StoreUnit) => Promise<void> | void,
): Promise<SettledLogin> {
  const nowMs = ports.now();
  const key = tokenDigest(token);
  const session = await ports.store.read(async (unit) => {
    const found = await unit.logins.find(key);
    if (found?.scheme !== scheme || nowMs >= found.createdAtMs + loginKeptMs) throw unknownLogin();
    await permit(found, unit);
    return found;
  });
  // One of several simultaneous polls is answered, even if another worker has ended the login
  // meanwhile.
  const isAtOnce = session.state === 'waiting' || nowMs < (session.endedAtMs ?? 0);
  if (isAtOnce) {
    await ports.store.write((unit) => pacePoll(unit, key, nowMs, session.pollingMs));
  }
  if (session.state !== 'waiting') return session as SettledLogin;
  const answer = await providerOf(ports, scheme).poll(session.providerRef);
  const isOver = ports.now() >= session.createdAtMs + loginDeadlineMs;
  if (answer.state === 'waiting' && !isOver) return { ...session, state: 'waiting' };
  const ended =
    answer.state === 'done'
      ? { state: 'done' as const, identity: answer.identity }
      : { state: 'failed' as const, hint: answer.state === 'failed' ? answer.hint : expiredHint };
  return endLogin(ports, key, { ...ended, endedAtMs: ports.now() });
}

/**
 * Refuses a poll that comes before its interval has passed.
 *
 * @throws authentication.poll.too_frequent
 */
export async function pacePoll(
  unit: StoreUnit,
  key: string,
  nowMs: number,
  pollingMs: number,
): Promise<void> {
  const waitMs = await unit.polls.take(key, nowMs, leastPollGapMs(pollingMs));
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new InnsigliError(
    'authentication.poll.too_frequent',
    `expected ${pollingMs / 1000} s between polls`,
    { details: { retryAfterSeconds }, hint: 'wait for pollingInterval seconds' },
  );
}

/** The error for a token that names no login. */
export function unknownLogin(): InnsigliError {
  return new InnsigliError(
    'authentication.token.invalid',
    'there is no such login, or it has ended',
  );
}

/** The error for a login that was refused, cancelled or came too late. */
export function failedLogin(hint: string): InnsigliError {
  return new InnsigliError('authentication.error.forbidden', `the login failed: ${hint}`);
}

// The first of several answers counts.
async function endLogin(
  ports: AuthPorts,
  key: string,
  ended: Pick<LoginSession, 'state' | 'identity' | 'hint' | 'endedAtMs'>,
): Promise<SettledLogin> {
  return ports.store.write(async (unit) => {
    const now = await unit.logins.lock(key);
    if (now === undefined) throw unknownLogin();
    if (now.state !== 'waiting') return now as SettledLogin;
    const next = { ...now, ...ended };
    await unit.logins.save(next);
    return next as SettledLogin;
  });
}

/** A login that was started. */
export interface StartedLogin extends Omit<IdentitySession, 'ref'> {
  /** Unpredictable; to be polled with. */
  readonly token: string;
}

/** Request to start a login. */
export interface LoginOrder {
  readonly scheme: LoginScheme;
  readonly place: LoginPlace;
  readonly start: Omit<Parameters<IdentityProvider['start']>[0], 'purpose'>;
  /** Rate limits that count the start besides that of the number. */
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
