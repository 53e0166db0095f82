import { loginDeadlineMs } from '../../domain/auth/index.ts';
import {
  abandonedAfterMs,
  isWithin,
  type OpenLogin,
  type OpenSession,
  startedWithinMs,
} from '../../domain/tally/index.ts';
import type { IdentityProvider, StoreUnit } from '../ports/index.ts';
import { failSessionIn } from './eid-session.ts';
import type { SigningPorts } from './ports.ts';

/** An open login that is over, or whose place another one may take. */
export interface Verdict {
  readonly login: OpenLogin;
  /** Nobody asks about it any more, but its person could still answer. */
  readonly isAbandoned: boolean;
}

/** What is said of a login that has given way to another one. */
const canceledHint = 'cancelled';

/**
 * The open logins of a number that no longer wait for their person. Their providers are asked,
 * because a person who has answered need not wait until somebody has polled.
 */
export async function findEnded(
  ports: SigningPorts,
  subject: string,
  provider: IdentityProvider,
): Promise<readonly Verdict[]> {
  const { open } = await ports.store.read((unit) => unit.tallies.find(subject));
  const verdicts: Verdict[] = [];
  for (const login of open) {
    const isOver = await judge(ports, login, provider);
    if (isOver !== undefined) verdicts.push({ login, isAbandoned: isOver === 'abandoned' });
  }
  return verdicts;
}

/** Milliseconds until one of `open` is over at the latest; 0 when there is room for another. */
export function waitOfOpenMs(open: readonly OpenLogin[], most: number, nowMs: number): number {
  if (open.length < most) return 0;
  const waits = open.map(({ startedAtMs }) => startedAtMs + loginDeadlineMs - nowMs);
  return Math.max(1, Math.min(...waits));
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

async function judge(
  ports: SigningPorts,
  { id, startedAtMs, session }: OpenLogin,
  provider: IdentityProvider,
): Promise<'over' | 'abandoned' | undefined> {
  const nowMs = ports.now();
  if (!isWithin(startedAtMs, loginDeadlineMs, nowMs)) return 'over';
  if (session === undefined) {
    return isWithin(startedAtMs, startedWithinMs, nowMs) ? undefined : 'over';
  }
  const { isWaiting, polledAtMs } = await ports.store.read(async (unit) => ({
    isWaiting: await waits(unit, session),
    polledAtMs: await unit.polls.find(session.pace),
  }));
  if (!isWaiting) return 'over';
  // Whoever starts again and again does not make us ask the provider each time.
  const pace = `open login ${id}`;
  const askedMs = await ports.store.write((unit) =>
    unit.polls.take(pace, nowMs, session.pollingMs),
  );
  const isAnswered = askedMs === 0 && (await hasAnswer(ports, session, provider));
  if (isAnswered) return 'over';
  const lastMs = Math.max(startedAtMs, polledAtMs ?? 0);
  return nowMs - lastMs >= abandonedAfterMs ? 'abandoned' : undefined;
}

async function hasAnswer(
  ports: SigningPorts,
  { provider: name, providerRef }: OpenSession,
  provider: IdentityProvider,
): Promise<boolean> {
  const all = [provider, ports.identity, ...Object.values(ports.foreign ?? {})];
  const own = all.find((each) => each.name === name);
  const answer = await own?.poll(providerRef).catch(() => undefined);
  return answer !== undefined && answer.state !== 'waiting';
}

async function waits(unit: StoreUnit, { kind, key }: OpenSession): Promise<boolean> {
  const found = kind === 'login' ? await unit.logins.find(key) : await unit.challenges.find(key);
  return found?.state === 'waiting';
}
