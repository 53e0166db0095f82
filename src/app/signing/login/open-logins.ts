import { defined } from '../../../base/defined.ts';
import { loginDeadlineMs } from '../../../domain/auth/index.ts';
import {
  abandonedAfterMs,
  forgottenAtMs,
  givesWay,
  isWithin,
  numberSpans,
  type Opener,
  type OpenLogin,
  type OpenSession,
  startedWithinMs,
  usualLoginBounds,
} from '../../../domain/login-bounds.ts';
import type { IdentityProvider, StoreUnit } from '../../ports/index.ts';
import type { SigningPorts } from '../find-signee.ts';
import { failSessionIn } from './eid-session.ts';
import { providerNamed } from './own-provider.ts';

/** An open login that is over, or whose place another one may take. */
export interface Verdict {
  readonly login: OpenLogin;
  /** Its person could still answer. */
  readonly isStillOpen: boolean;
}

/** Why a login has failed that was cancelled, or replaced by another one. */
export const canceledHint = 'cancelled';

/**
 * The open logins of a number that no longer wait for their person, or give way to `next`. Their
 * providers are asked, because a person who has answered need not wait for a poll.
 */
export async function findEnded(
  ports: SigningPorts,
  subject: string,
  provider: IdentityProvider,
  next: Opener,
): Promise<readonly Verdict[]> {
  const { open } = await ports.store.read((unit) => unit.tallies.find(subject));
  const verdicts: Verdict[] = [];
  const over = new Set<string>();
  for (const login of open) {
    const state = await check(ports, login, provider);
    const isOver = state === 'over';
    if (isOver) over.add(login.id);
    if (isOver || givesWay(login, next, state === 'abandoned', ports.now())) {
      verdicts.push({ login, isStillOpen: !isOver });
    }
  }
  if (over.size > 0) await forget(ports, subject, over);
  return verdicts;
}

// After any result of the start: a refused client has asked the provider, and the next one may not.
async function forget(
  ports: SigningPorts,
  subject: string,
  over: ReadonlySet<string>,
): Promise<void> {
  await ports.store.write(async (unit) => {
    const tally = await unit.tallies.lock(subject);
    const open = tally.open.filter(({ id }) => !over.has(id));
    const spans = numberSpans(ports.loginBounds ?? usualLoginBounds);
    await unit.tallies.save(subject, { ...tally, open }, forgottenAtMs(spans, ports.now()));
  });
}

/** Ends a session so that no answer to it counts any more: another prompt takes its place. */
export async function cancelSession(
  unit: StoreUnit,
  ports: SigningPorts,
  { session }: OpenLogin,
  nowMs: number,
): Promise<void> {
  if (session?.kind === 'challenge') {
    const challenge = await unit.challenges.find(session.key);
    if (challenge?.state === 'waiting') await failSessionIn(unit, ports, challenge, canceledHint);
    return;
  }
  const login = session === undefined ? undefined : await unit.logins.lock(session.key);
  if (login?.state !== 'waiting') return;
  await unit.logins.save({ ...login, state: 'failed', hint: canceledHint, endedAtMs: nowMs });
}

async function check(
  ports: SigningPorts,
  { id, startedAtMs, session }: OpenLogin,
  provider: IdentityProvider,
): Promise<'over' | 'abandoned' | 'waiting'> {
  const nowMs = ports.now();
  if (!isWithin(startedAtMs, loginDeadlineMs, nowMs)) return 'over';
  if (session === undefined) {
    return isWithin(startedAtMs, startedWithinMs, nowMs) ? 'waiting' : 'over';
  }
  const { isWaiting, quietMs = Number.POSITIVE_INFINITY } = await ports.store.read(
    async (unit) => ({
      isWaiting: await waits(unit, session),
      ...defined({ quietMs: await unit.polls.ageMs(session.pace) }),
    }),
  );
  if (!isWaiting) return 'over';
  // Repeated starts do not cause a request to the provider each time.
  const pace = `open login ${id}`;
  const askedMs = await ports.store.writeLightly((unit) =>
    unit.polls.take(pace, session.pollingMs),
  );
  const isAnswered = askedMs === 0 && (await hasAnswer(ports, session, provider));
  if (isAnswered) return 'over';
  const isQuiet = Math.min(nowMs - startedAtMs, quietMs) >= abandonedAfterMs;
  return isQuiet ? 'abandoned' : 'waiting';
}

async function hasAnswer(
  ports: SigningPorts,
  { provider: name, providerRef }: OpenSession,
  provider: IdentityProvider,
): Promise<boolean> {
  const own = provider.name === name ? provider : providerNamed(ports, name);
  // An answer that is handed out once belongs to the poll of the person.
  if (own === undefined || own.pollMs > 0) return false;
  const answer = await own.poll(providerRef).catch(() => undefined);
  return answer !== undefined && answer.state !== 'waiting';
}

async function waits(unit: StoreUnit, { kind, key }: OpenSession): Promise<boolean> {
  const found = kind === 'login' ? await unit.logins.find(key) : await unit.challenges.find(key);
  return found?.state === 'waiting';
}
