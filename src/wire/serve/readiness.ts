import type { Readiness } from '../../api/index.ts';
import { codeOf } from '../../base/errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import { apartText } from '../service/clock-watch.ts';
import type { Service } from '../service/service.types.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';

type Checks = Readiness['checks'];

/** Name of the check that the database accepts writes. */
const writes = 'database writes';

/** Cache time for the check of keys and authorities, which signs and may send requests. */
const KEYS_MS = 30_000;
/** An authority that is slow once does not make the service unready. */
const KEYS_GRACE_MS = 15_000;
const KEYS_FAILED_MS = 3000;
/** Cache time for the checks of the database and the disk, which write. */
const STORE_MS = 3000;
/** Cache time for a failed check of the store, in milliseconds: short, so recovery shows soon. */
const STORE_FAILED_MS = 500;
/** If jobs are overdue for longer, no worker is running. */
const LATE_MS = 10 * 60_000;
/** Every response is sent within two seconds. Checks that take longer are named in it. */
const ANSWER_MS = 1500;
/** Space for one document of the maximum size, with its seal. */
const FREE_BYTES_MIN = 64 * 2 ** 20;

/**
 * Reports the state of each component of the service within two seconds, even if one hangs: names
 * and states, no paths or addresses. Results are cached for some seconds, so that frequent requests
 * cost nothing more. The existence of the database is checked each time: other checks of a missing
 * one would create it, and are not started.
 */
export function readinessOf(
  toolkit: Pick<Toolkit, 'diagnose'>,
  service: Pick<Service, 'health' | 'storage' | 'requireInPlace'>,
  { now, clock }: Pick<ToolkitIo, 'now' | 'clock'>,
): () => Promise<Readiness> {
  let at = 'keys and authorities';
  const diagnosed = async () => {
    const found = await toolkit.diagnose({
      triesMail: false,
      begun: (name) => {
        at = name;
      },
    });
    const done = found.filter(({ status }) => status !== 'skipped');
    return done.map(({ name, status, until, reason }) => {
      const about = until === undefined ? reason : `until ${until}`;
      const message = about === undefined ? status : `${status}: ${about}`;
      return { name, ok: status !== 'failed', message };
    });
  };
  const ofKeys = { ageMs: KEYS_MS, failedMs: KEYS_FAILED_MS, graceMs: KEYS_GRACE_MS };
  const keys = { ...ofKeys, now, doing: () => at };
  const kept = { ageMs: STORE_MS, failedMs: STORE_FAILED_MS, graceMs: 0, now };
  const looks = [
    cachedCheck(diagnosed, keys),
    cachedCheck(() => storeChecks(service, now), { ...kept, doing: () => writes }),
    cachedCheck(() => storageChecks(service), { ...kept, doing: () => 'document storage' }),
  ];
  const check = (checks: Checks): Readiness => ({ ready: checks.every(({ ok }) => ok), checks });
  const findAway = () => {
    const away = awayChecks(service);
    // Results from around that moment are unreliable.
    if (away !== undefined) for (const { forget } of looks) forget();
    return away;
  };
  return async () => {
    const away = findAway();
    if (away !== undefined) return check(away);
    const looked = await Promise.all(looks.map(({ look }) => look()));
    const checks = [...looked.flat(), ...(clock === undefined ? [] : [clockCheck(clock)])];
    return check(findAway() ?? checks);
  };
}

function awayChecks(service: Pick<Service, 'requireInPlace'>): Checks | undefined {
  try {
    service.requireInPlace();
    return undefined;
  } catch (error) {
    return [{ name: writes, ok: false, message: codeOf(error) }];
  }
}

/** A check that is run repeatedly, with its result cached. */
interface CachedCheck {
  look(): Promise<Checks>;
  forget(): void;
}

/** A clock that jumped does not prevent signing: time continues from before the jump. */
function clockCheck(clock: WatchedClock): Checks[number] {
  const seconds = Math.round(clock.jumpMs() / 1000);
  const message = seconds === 0 ? 'sound' : `set by ${seconds} s: days are not closed`;
  return { name: 'clock', ok: true, message };
}

interface CacheTimes {
  /** Cache time of a result in milliseconds. */
  readonly ageMs: number;
  /** Cache time of a result with a failed check. */
  readonly failedMs: number;
  /** Additional time for which the last result is valid while the next one is late. */
  readonly graceMs: number;
  now(): number;
  /** Name of the check in progress. */
  doing(): string;
}

/** Runs the check if the cached result is too old, one run at a time, and waits a limited time. */
function cachedCheck(
  look: () => Promise<Checks>,
  { ageMs, failedMs, graceMs, now, doing }: CacheTimes,
): CachedCheck {
  let kept: { readonly atMs: number; readonly checks: Checks } | undefined;
  let running: Promise<Checks> | undefined;
  const begin = async () => {
    const checks = await look().catch((error: unknown) => [failed(doing(), error)]);
    kept = { atMs: now(), checks };
    running = undefined;
    return checks;
  };
  const keptFor = (ms: number): Checks | undefined => {
    if (kept === undefined) return undefined;
    const { atMs, checks } = kept;
    const holdsMs = checks.every(({ ok }) => ok) ? ms : Math.min(ms, failedMs);
    return Math.abs(now() - atMs) <= holdsMs ? checks : undefined;
  };
  return {
    async look() {
      const known = keptFor(ageMs);
      if (known !== undefined) return known;
      running ??= begin();
      const late = [{ name: doing(), ok: false, message: `no response within ${ANSWER_MS} ms` }];
      return (await withinTime(running, ANSWER_MS)) ?? keptFor(ageMs + graceMs) ?? late;
    },
    forget() {
      kept = undefined;
    },
  };
}

/** Result of `running`. Undefined if it takes longer. */
export async function withinTime<Result>(
  running: Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function storeChecks(service: Pick<Service, 'health'>, now: () => number): Promise<Checks> {
  try {
    const { store, due } = await service.health();
    const lagMs = now() - Math.min(now(), ...due.map(({ sinceMs }) => sinceMs));
    const count = due.reduce((sum, each) => sum + each.count, 0);
    const late = `${count} jobs are due, the oldest for ${Math.round(lagMs / 1000)} s`;
    const apart = apartText(now(), store.nowMs);
    return [
      { name: writes, ok: true, message: store.engine },
      // It is unknown which of the two is correct, so no host is taken out of service.
      ...(apart === undefined ? [] : [{ name: 'clock of the database', ok: true, message: apart }]),
      { name: 'jobs', ok: lagMs <= LATE_MS, message: count === 0 ? 'none is due' : late },
    ];
  } catch (error) {
    return [failed(writes, error)];
  }
}

async function storageChecks({ storage }: Pick<Service, 'storage'>): Promise<Checks> {
  const name = 'document storage';
  try {
    const isFull = (await storage()).freeBytes < FREE_BYTES_MIN;
    return [{ name, ok: !isFull, message: isFull ? 'store.full' : 'it is writable' }];
  } catch (error) {
    return [failed(name, error)];
  }
}

function failed(name: string, error: unknown): Checks[number] {
  return { name, ok: false, message: codeOf(error) };
}
