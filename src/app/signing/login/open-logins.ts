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

/** An open login that has ended, or that may be replaced. */
export interface EndedLogin {
  readonly login: OpenLogin;
  /** Whether the person could still respond. */
  readonly isStillOpen: boolean;
}

/** Failure code of a login that was cancelled or replaced. */
export const canceledHint = 'cancelled';

/**
 * Returns the open logins of a number that have ended or give way to `next`. The providers are
 * polled, because a person may have responded although no client has polled since.
 */
export async function findEnded(
  ports: SigningPorts,
  subject: string,
  provider: IdentityProvider,
  next: Opener,
): Promise<readonly EndedLogin[]> {
  const { open } = await ports.store.read((unit) => unit.tallies.find(subject));
  const verdicts: EndedLogin[] = [];
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

// Stored even if the start is rejected: the next check may not poll the providers again.
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

/** Ends a session that a new prompt replaces, so that later responses to it are ignored. */
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
  // Limits the rate, so that repeated starts do not each cause a request to the provider.
  const pace = `open login ${id}`;
  const askedMs = await ports.store.writeRelaxed((unit) =>
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
  // A result that is returned only once is reserved for the person's own poll.
  if (own === undefined || own.pollMs > 0) return false;
  const answer = await own.poll(providerRef).catch(() => undefined);
  return answer !== undefined && answer.state !== 'waiting';
}

async function waits(unit: StoreUnit, { kind, key }: OpenSession): Promise<boolean> {
  const found = kind === 'login' ? await unit.logins.find(key) : await unit.challenges.find(key);
  return found?.state === 'waiting';
}
