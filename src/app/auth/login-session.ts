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
import { waitError } from '../counted-times.ts';
import type {
  IdentityAnswer,
  IdentityProvider,
  IdentitySession,
  Store,
  StoreUnit,
} from '../ports/index.ts';
import {
  askProvider,
  canceledHint,
  challengePace,
  type HeldPrompt,
  type KeptSession,
  type LoginPrompt,
  providerNamed,
  returnAddress,
  withPrompt,
} from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerFor, usualProvider } from './eid-methods.ts';
import type { AuthPorts } from './ports.ts';

/** A login as it stands: with who has answered when it is done. */
export type SettledLogin =
  | (LoginSession & {
      readonly state: 'waiting';
      /** Word of the scheme for the step: `userSign`. */
      readonly step?: string;
    })
  | (LoginSession & { readonly state: 'failed'; readonly hint: string })
  | (LoginSession & {
      readonly state: 'done';
      readonly identity: NonNullable<LoginSession['identity']>;
    });

/** Codes with which a provider refuses to start a login: SIM and app with the first. */
export const providerCodes = ['authentication.error.idp.start', 'eid.provider.error'] as const;

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
    await ports.store.writeLightly((unit) => pacePoll(unit, key, session.pollingMs));
  }
  if (session.state !== 'waiting') return session as SettledLogin;
  const answer = await askProvider(ports, providerOf(ports, session), keptLogin(session));
  const isOver = ports.now() >= session.createdAtMs + loginDeadlineMs;
  if (answer.state === 'waiting' && !isOver) return waitOn(ports, session, answer);
  // Nobody answers into a time that is over.
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
    // The person has come back meanwhile: their session is further.
    const isSame = now.providerRef === session.providerRef || now.providerRef === ref;
    if (!isSame) return { ...now, state: 'waiting', ...step };
    const next = { ...now, providerRef: ref, ...defined({ verificationCode }) };
    await unit.logins.save(next);
    return { ...next, state: 'waiting', ...step };
  });
}

/**
 * Refuses a poll that comes before its interval has passed.
 *
 * @throws authentication.poll.too_frequent
 */
async function pacePoll(unit: StoreUnit, key: string, pollingMs: number): Promise<void> {
  const waitMs = await unit.polls.take(key, leastPollGapMs(pollingMs));
  if (waitMs === 0) return;
  const message = `expected ${pollingMs / 1000} s between polls`;
  const hint = 'wait for pollingInterval seconds';
  throw waitError('authentication.poll.too_frequent', message, waitMs, hint);
}

/** As {@link pacePoll}, for a session of a signee that waits. */
export async function paceChallenge(
  { store }: AuthPorts,
  { token, state, pollingMs = 0 }: Challenge,
): Promise<void> {
  if (state !== 'waiting') return;
  await store.writeLightly((unit) => pacePoll(unit, challengePace(token), pollingMs));
}

/**
 * Ends a waiting login: no answer to it counts any more, and the provider is told as far as its
 * protocol can. One that has ended stays as it is.
 *
 * @throws authentication.token.invalid for an unknown or forgotten token
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

/** The error for a token that names no login. */
export function unknownLogin(): InnsigliError {
  return new InnsigliError('authentication.token.invalid', 'the login does not exist or has ended');
}

/** The error for a login that was refused, cancelled or came too late. */
export function failedLogin({ hint, providerCode }: LoginFailure): InnsigliError {
  return new InnsigliError('authentication.error.forbidden', `the login failed: ${hint}`, {
    details: { reason: hint, ...defined({ providerCode }) },
  });
}

/** Why a login did not come about. */
export interface LoginFailure {
  /** `userCancel`, `expiredTransaction`, `startFailed` or another word. */
  readonly hint: string;
  /** Code of the provider as it was given. */
  readonly providerCode?: string;
}

/** Why the login has ended; nobody has answered in time where the provider says no word. */
function failureOf(
  answer: Exclude<IdentityAnswer, { readonly state: 'done' }>,
): Pick<LoginSession, 'providerCode'> & { readonly hint: string } {
  if (answer.state === 'waiting') return { hint: expiredHint };
  return { hint: answer.hint, ...defined({ providerCode: answer.providerCode }) };
}

// The first of several answers counts.
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
  /** Company and flow that the provider is chosen by. */
  readonly at: { readonly companyKey?: string | undefined; readonly flowKey?: string | undefined };
  /** Rate limits that count the start besides that of the number. */
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
 * Starts a login at its provider and keeps it.
 *
 * @throws authentication.error.idp.start, eid.provider.error, authentication.start.too_frequent
 */
export async function beginLogin(ports: AuthPorts, order: LoginOrder): Promise<StartedLogin> {
  const provider = providerFor(ports, order.scheme, order.start.channel, order.at);
  const prompt = { provider, loginHint: order.start.loginHint, ...order.counted };
  return withPrompt(ports, prompt, (held) => startHeld(ports, order, provider, held));
}

const removedAtMs = new WeakMap<Store, number>();

/** True once a second in this process: starts are many, and what they would remove is old. */
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
  { scheme, place, start, counted }: LoginOrder,
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
  // Who has answered waits for the disk. A start that a loss of power undoes is begun anew.
  await ports.store.writeLightly(async (unit) => {
    if (isDue) await removeForgotten(unit, createdAtMs);
    await unit.logins.add(session);
    const { key, providerRef, pollingMs } = session;
    const open = { kind: 'login', key, providerRef, pollingMs, pace: key } as const;
    await held.note(unit, { ...open, provider: provider.name });
  });
  return { token, ...shown };
}
