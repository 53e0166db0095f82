import type { Readiness } from '../../api/index.ts';
import { codeOf } from '../../base/errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import { apartText } from '../service/clock-watch.ts';
import type { Service } from '../service/service.types.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';

type Checks = Readiness['checks'];

/** Name of the check that a database takes changes. */
const writes = 'database writes';

/** Time that a look at keys and authorities holds: it signs, and may ask others. */
const KEYS_MS = 30_000;
/** An authority that is slow for once does not make the service not ready. */
const KEYS_GRACE_MS = 15_000;
const KEYS_FAILED_MS = 3000;
/** The same for the database and the disk, which are written to. */
const STORE_MS = 3000;
/**
 * Time for which a failed check of the store is kept, in milliseconds: it is short, so that
 * recovery shows soon.
 */
const STORE_FAILED_MS = 500;
/** Jobs that are due for longer have nobody who does them. */
const LATE_MS = 10 * 60_000;
/** Every response comes within two seconds: slower parts are named. */
const ANSWER_MS = 1500;
/** Room for one document of the largest size, with its seal. */
const FREE_BYTES_MIN = 64 * 2 ** 20;

/**
 * The state of each part of the service, within two seconds even if one hangs: names and states, no
 * paths and no addresses. A result holds for some seconds, so that frequent requests cost nothing
 * more. The presence of the database is checked each time: a check of a missing one would create
 * it, and is not begun.
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
    boundedLook(diagnosed, keys),
    boundedLook(() => storeChecks(service, now), { ...kept, doing: () => writes }),
    boundedLook(() => storageChecks(service), { ...kept, doing: () => 'document storage' }),
  ];
  const check = (checks: Checks): Readiness => ({ ready: checks.every(({ ok }) => ok), checks });
  const findAway = () => {
    const away = awayChecks(service);
    // Results from around that moment are worthless.
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

/** A look that is asked again and again. */
interface BoundedLook {
  look(): Promise<Checks>;
  /** Drops what was found. */
  forget(): void;
}

/** A clock that jumped keeps nobody from signing: the time from before goes on. */
function clockCheck(clock: WatchedClock): Checks[number] {
  const seconds = Math.round(clock.jumpMs() / 1000);
  const message = seconds === 0 ? 'sound' : `set by ${seconds} s: days are not closed`;
  return { name: 'clock', ok: true, message };
}

interface LookTerms {
  /** Milliseconds for which an answer holds. */
  readonly ageMs: number;
  /** As long holds one with a failed check. */
  readonly failedMs: number;
  /** For so much longer the last answer holds while the next one is late. */
  readonly graceMs: number;
  now(): number;
  /** The check that is under way. */
  doing(): string;
}

/** Looks when the last answer is too old, once at a time, and waits for it but not for long. */
function boundedLook(
  look: () => Promise<Checks>,
  { ageMs, failedMs, graceMs, now, doing }: LookTerms,
): BoundedLook {
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

/** What `running` gives; undefined where it takes longer. */
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
      // Which of the two is right is not known: no host is taken out of service for it.
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
