import { defined } from '../../base/defined.ts';
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
import { newToken } from '../../domain/keys.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import { rateLimitError } from '../counted-times.ts';
import type {
  IdentityAnswer,
  IdentityProvider,
  IdentitySession,
  Store,
  StoreUnit,
} from '../ports/index.ts';
import {
  canceledHint,
  challengePace,
  type HeldPrompt,
  type KeptSession,
  type LoginPrompt,
  pollProvider,
  providerNamed,
  returnAddress,
  withPrompt,
} from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerFor, usualProvider } from './eid-methods.ts';
import type { AuthPorts } from './ports.ts';

/** The state of a login; `done` includes the identity of the person. */
export type SettledLogin =
  | (LoginSession & {
      readonly state: 'waiting';
      /** Keyword of the scheme for the step: `userSign`. */
      readonly step?: string;
    })
  | (LoginSession & { readonly state: 'failed'; readonly hint: string })
  | (LoginSession & {
      readonly state: 'done';
      readonly identity: NonNullable<LoginSession['identity']>;
    });

/** Error codes with which a provider rejects the start of a login: the first for SIM and app. */
export const startErrorCodes = ['authentication.error.idp.start', 'eid.provider.error'] as const;

/**
 * Asks the provider for the state of a pending login and stores it. A finished login returns the
 * same state until it is deleted.
 *
 * @throws authentication.token.invalid for an unknown or deleted token
 * @throws authentication.poll.too_frequent, and any error that `permit` throws
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
  // Of concurrent polls only one is answered, even if another worker has ended the login meanwhile.
  const isAtOnce = session.state === 'waiting' || nowMs < (session.endedAtMs ?? 0);
  if (isAtOnce) {
    await ports.store.writeRelaxed((unit) => pacePoll(unit, key, session.pollingMs));
  }
  if (session.state !== 'waiting') return session as SettledLogin;
  const answer = await pollProvider(ports, providerOf(ports, session), keptLogin(session));
  const isOver = ports.now() >= session.createdAtMs + loginDeadlineMs;
  if (answer.state === 'waiting' && !isOver) return waitOn(ports, session, answer);
  // The login has expired: the person must not respond any more.
  if (answer.state === 'waiting') await providerOf(ports, session).cancel(session.providerRef);
  const ended =
    answer.state === 'done'
      ? {
          state: 'done' as const,
          identity: answer.identity,
          ...defined({ providerRef: answer.ref }),
        }
      : { state: 'failed' as const, ...failureOf(answer) };
  return endLogin(ports, key, { ...ended, endedAtMs: ports.now() });
}

function keptLogin({ key, providerRef: ref }: LoginSession): KeptSession {
  return {
    ...{ key, ref },
    read: async (unit) => {
      const now = await unit.logins.find(key);
      return now?.state === 'waiting' ? now.providerRef : undefined;
    },
    keep: async (unit, providerRef, mayFollow) => {
      const now = await unit.logins.lock(key);
      if (now?.state === 'waiting' && mayFollow(now.providerRef))
        await unit.logins.save({ ...now, providerRef });
    },
  };
}

async function waitOn(
  { store }: AuthPorts,
  session: LoginSession,
  { ref, verificationCode, hint }: IdentityAnswer & { readonly state: 'waiting' },
): Promise<SettledLogin> {
  const step = defined({ step: hint });
  if (ref === undefined) return { ...session, state: 'waiting', ...step };
  return store.write(async (unit) => {
    const now = (await unit.logins.lock(session.key)) ?? session;
    if (now.state !== 'waiting') return now as SettledLogin;
    // The person has returned meanwhile: their session has progressed.
    const isSame = now.providerRef === session.providerRef || now.providerRef === ref;
    if (!isSame) return { ...now, state: 'waiting', ...step };
    const next = { ...now, providerRef: ref, ...defined({ verificationCode }) };
    await unit.logins.save(next);
    return { ...next, state: 'waiting', ...step };
  });
}

/**
 * Rejects a poll before its interval has passed.
 *
 * @throws authentication.poll.too_frequent
 */
async function pacePoll(unit: StoreUnit, key: string, pollingMs: number): Promise<void> {
  const waitMs = await unit.polls.take(key, leastPollGapMs(pollingMs));
  if (waitMs === 0) return;
  const message = `expected ${pollingMs / 1000} s between polls`;
  const hint = 'wait for pollingInterval seconds';
  throw rateLimitError('authentication.poll.too_frequent', message, waitMs, hint);
}

/** Like {@link pacePoll}, for a pending session of a signee. */
export async function paceChallenge(
  { store }: AuthPorts,
  { token, state, pollingMs = 0 }: Challenge,
): Promise<void> {
  if (state !== 'waiting') return;
  await store.writeRelaxed((unit) => pacePoll(unit, challengePace(token), pollingMs));
}

/**
 * Cancels a pending login: later responses are ignored, and the provider is notified as far as its
 * protocol permits. A finished login is left unchanged.
 *
 * @throws authentication.token.invalid for an unknown or deleted token
 */
export async function cancelLogin(ports: AuthPorts, token: string): Promise<void> {
  const key = tokenDigest(token);
  const endedAtMs = ports.now();
  const found = await ports.store.write(async (unit) => {
    const now = await unit.logins.lock(key);
    if (now === undefined || endedAtMs >= now.createdAtMs + loginKeptMs) throw unknownLogin();
    if (now.state !== 'waiting') return undefined;
    await unit.logins.save({ ...now, state: 'failed', hint: canceledHint, endedAtMs });
    return now;
  });
  if (found !== undefined) await providerOf(ports, found).cancel(found.providerRef);
}

/** The error for a token that identifies no login. */
export function unknownLogin(): InnsigliError {
  return new InnsigliError('authentication.token.invalid', 'the login does not exist or has ended');
}

/** The error for a login that was refused, cancelled or expired. */
export function failedLogin({ hint, providerCode }: LoginFailure): InnsigliError {
  return new InnsigliError('authentication.error.forbidden', `the login failed: ${hint}`, {
    details: { reason: hint, ...defined({ providerCode }) },
  });
}

/** The reason that a login failed. */
export interface LoginFailure {
  /** `userCancel`, `expiredTransaction`, `startFailed` or another keyword. */
  readonly hint: string;
  /** Code of the provider, unchanged. */
  readonly providerCode?: string;
}

/** The reason that the login ended; expiry if the provider gives none. */
function failureOf(
  answer: Exclude<IdentityAnswer, { readonly state: 'done' }>,
): Pick<LoginSession, 'providerCode'> & { readonly hint: string } {
  if (answer.state === 'waiting') return { hint: expiredHint };
  return { hint: answer.hint, ...defined({ providerCode: answer.providerCode }) };
}

// The first of several responses counts.
async function endLogin(
  ports: AuthPorts,
  key: string,
  ended: Pick<LoginSession, 'state' | 'identity' | 'hint' | 'providerCode' | 'endedAtMs'> & {
    readonly providerRef?: string;
  },
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

/** A started login. */
export interface StartedLogin extends Omit<IdentitySession, 'ref'> {
  /** Unpredictable token with which the login is polled. */
  readonly token: string;
}

/** Request to start a login. */
export interface LoginStart {
  readonly scheme: LoginScheme;
  readonly place: LoginPlace;
  readonly start: Omit<Parameters<IdentityProvider['start']>[0], 'purpose'>;
  /** Company and flow that determine the provider. */
  readonly at: { readonly companyKey?: string | undefined; readonly flowKey?: string | undefined };
  /** Rate limits that count the start, in addition to that of the number. */
  readonly counted: Pick<LoginPrompt, 'flowKey' | 'starter' | 'circumstances'>;
}

/** The provider of a login. */
export function providerOf(
  ports: AuthPorts,
  { scheme, provider }: Pick<LoginSession, 'scheme' | 'provider'>,
): IdentityProvider {
  return providerNamed(ports, provider) ?? usualProvider(ports, scheme);
}

/**
 * Starts a login at its provider and stores it.
 *
 * @throws authentication.error.idp.start, eid.provider.error, authentication.start.too_frequent
 */
export async function beginLogin(ports: AuthPorts, order: LoginStart): Promise<StartedLogin> {
  const provider = providerFor(ports, order.scheme, order.start.channel, order.at);
  const prompt = { provider, loginHint: order.start.loginHint, ...order.counted };
  return withPrompt(ports, prompt, (held) => startHeld(ports, order, provider, held));
}

const removedAtMs = new WeakMap<Store, number>();

/** True at most once a second in this process: starts are frequent, old rows can wait. */
function isRemovalDue(store: Store, nowMs: number): boolean {
  const lastMs = removedAtMs.get(store) ?? Number.NEGATIVE_INFINITY;
  if (Math.abs(nowMs - lastMs) < 1000) return false;
  removedAtMs.set(store, nowMs);
  return true;
}

async function removeForgotten(unit: StoreUnit, nowMs: number): Promise<void> {
  await unit.logins.removeOld(nowMs - loginKeptMs);
  await unit.polls.removeOld(2 * loginDeadlineMs);
  await unit.accessTokens.removeExpired(nowMs);
}

async function startHeld(
  ports: AuthPorts,
  { scheme, place, start, counted }: LoginStart,
  provider: IdentityProvider,
  held: HeldPrompt,
): Promise<StartedLogin> {
  const { ip } = counted.circumstances ?? {};
  const where = defined({ endUserIp: start.endUserIp ?? ip });
  const token = newToken(ports.random);
  const back = returnAddress(ports, provider, { kind: 'login', token });
  const { ref, ...shown } = await provider.start({ ...start, ...where, ...back, purpose: 'auth' });
  const createdAtMs = ports.now();
  const session: LoginSession = {
    key: tokenDigest(token),
    scheme,
    place,
    providerRef: ref,
    provider: provider.name,
    pollingMs: shown.pollingIntervalSeconds * 1000,
    showsLink: shown.qrData !== undefined,
    createdAtMs,
    state: 'waiting',
    customers: {},
  };
  const isDue = isRemovalDue(ports.store, createdAtMs);
  // Only responses need a durable write: a start lost in a power failure is simply repeated.
  await ports.store.writeRelaxed(async (unit) => {
    if (isDue) await removeForgotten(unit, createdAtMs);
    await unit.logins.add(session);
    const { key, providerRef, pollingMs } = session;
    const open = { kind: 'login', key, providerRef, pollingMs, pace: key } as const;
    await held.note(unit, { ...open, provider: provider.name });
  });
  return { token, ...shown };
}
