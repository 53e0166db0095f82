import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import {
  findMoment,
  type HostName,
  noteMoment,
  type StoragePorts,
} from '../../app/storage/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  type ClockLine,
  type EarlierMoment,
  type WatchedClock,
  watchClock,
} from '../../base/time/watched-clock.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

/** The system clock for a long-running program. @param line clock line of another program */
export function systemClock(line?: ClockLine): WatchedClock {
  const sources = {
    wallMs: () => Date.now(),
    upMs: () => systemMoment().upMs,
    ticksMs: () => performance.now(),
  };
  return watchClock(sources, line);
}

/** Text form of a clock line, for child processes. */
export function formatLine({ wallMs, upMs }: ClockLine): string {
  return `${Math.round(wallMs)},${Math.round(upMs)}`;
}

/** Parses the output of {@link formatLine}. Undefined for any other text. */
export function parseLine(text: string | undefined): ClockLine | undefined {
  const [, wallMs, upMs] = /^(\d{1,15}),(\d{1,15})$/.exec(text ?? '') ?? [];
  return wallMs === undefined ? undefined : { wallMs: Number(wallMs), upMs: Number(upMs) };
}

/** Prevents date-dependent work while the clock is wrong. */
export interface ClockWatch {
  /** True if the wall clock is sound, or a trusted time agrees with the continued clock. */
  mayWork(): Promise<boolean>;
  /**
   * Called before a day is closed. Requests a trusted time once, which must agree with the clock
   * that the program started with. If no trusted time is available, the clock is accepted.
   *
   * @throws clock.untrusted
   */
  requireTrusted(): Promise<void>;
  /** Continues from the time that an earlier program on this machine has recorded. */
  resume(): Promise<void>;
  /** Trusts the wall clock again if another program has since recorded that it is correct. */
  follow(): Promise<void>;
}

interface ClockWatchPorts {
  readonly clock: WatchedClock;
  /** The time of an external authority in epoch milliseconds. Undefined if it returned none. */
  readonly trustedTime?: () => Promise<number | undefined>;
  /** Time of the database in epoch milliseconds. Undefined if no other host shares it. */
  readonly sharedTime?: () => Promise<number | undefined>;
  readonly moments: ClockMoments;
  readonly warn: ToolkitIo['warn'];
  /** Monotonic time in milliseconds. */
  ticksMs(): number;
}

/** Interval of requests for a trusted time while the wall clock is in doubt, in milliseconds. */
const ASK_EVERY_MS = 60_000;
/** How long the continued clock is trusted after agreeing with a trusted time, in milliseconds. */
const BELIEVED_MS = 3_600_000;
/** Interval at which a sound clock is recorded, in milliseconds. */
const NOTE_EVERY_MS = 600_000;
/** Interval at which the clock is compared with that of the database, in milliseconds. */
const COMPARE_EVERY_MS = 60_000;
/** Half of the shortest lifetime that one host sets and another checks: that of login results. */
const APART_MAX_MS = 30_000;

/** Text about a clock that differs too much from that of the database. Undefined if it does not. */
export function apartText(nowMs: number, sharedMs = nowMs): string | undefined {
  const apartMs = nowMs - sharedMs;
  if (Math.abs(apartMs) <= APART_MAX_MS) return undefined;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  const where = apartMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this host is ${seconds} s ${where} that of the database`;
}

/** Watches `clock`, reports jumps, and requests a trusted time after a jump. */
export function watchDays(ports: ClockWatchPorts): ClockWatch {
  const { clock, trustedTime, moments, warn, ticksMs } = ports;
  let toldMs = 0;
  let notedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let isApart = false;
  let believedUntil = Number.NEGATIVE_INFINITY;
  let isConfirmed = trustedTime === undefined;
  const ask = async () => {
    const trustedMs = await trustedTime?.();
    return trustedMs === undefined ? undefined : { trustedMs, verdict: clock.check(trustedMs) };
  };
  const tell = (jumpMs: number) => {
    if ((jumpMs === 0) === (toldMs === 0)) return;
    if (jumpMs === 0) warn('the clock of this machine is trusted again', 'clock.jumped');
    else warn(jumpText(jumpMs, trustedTime !== undefined), 'clock.jumped');
    toldMs = jumpMs;
  };
  const note = async () => {
    await moments.note(clock.line());
    notedAt = ticksMs();
  };
  const compare = async () => {
    comparedAt = ticksMs();
    // The clock is read after the response, so that a slow database, such as one that is
    // restarting, does not appear as a difference.
    const sharedMs = await ports.sharedTime?.();
    const text = apartText(clock.now(), sharedMs);
    if (text !== undefined && !isApart) {
      warn(`${text}: times set by one host expire too early or late on others`, 'clock.differs');
    }
    isApart = text !== undefined;
  };
  return {
    async mayWork() {
      const jumpMs = clock.jumpMs();
      tell(jumpMs);
      if (ticksMs() - comparedAt >= COMPARE_EVERY_MS) await compare();
      if (jumpMs === 0 && ticksMs() - notedAt >= NOTE_EVERY_MS) await note();
      if (jumpMs === 0 || ticksMs() < believedUntil) return true;
      if (ticksMs() - askedAt < ASK_EVERY_MS) return false;
      askedAt = ticksMs();
      const answer = await ask();
      tell(clock.jumpMs());
      if (answer?.verdict === 'line') believedUntil = ticksMs() + BELIEVED_MS;
      // Other threads and processes read the recorded time.
      if (answer?.verdict === 'wall') await note();
      return answer?.verdict === 'wall' || answer?.verdict === 'line';
    },
    async requireTrusted() {
      if (isConfirmed) return;
      const answer = await ask();
      if (answer?.verdict === 'neither') throw untrusted(answer.trustedMs, clock.now());
      isConfirmed = answer !== undefined;
    },
    async resume() {
      const earlier = await moments.find();
      if (earlier !== undefined) clock.resume(earlier);
    },
    async follow() {
      if (clock.jumpMs() === 0) return;
      const earlier = await moments.find();
      if (earlier?.isSameRun === true) clock.resume(earlier);
      if (toldMs !== 0) tell(clock.jumpMs());
    },
  };
}

function jumpText(jumpMs: number, hasAuthority: boolean): string {
  const where = jumpMs > 0 ? 'ahead' : 'back';
  const end = hasAuthority
    ? 'until the time-stamp authority confirms it'
    : 'until it is corrected or accepted with innsigli store clock --accept';
  return (
    `the clock of this machine was set ${where} by ${inWords(Math.abs(jumpMs))}: the previous ` +
    `time continues, and no day is closed, nothing expires and nothing is purged ${end}`
  );
}

function inWords(spanMs: number): string {
  const hours = spanMs / 3_600_000;
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours >= 2 ? `${Math.round(hours)} hours` : `${Math.round(hours * 60)} minutes`;
}

function untrusted(trustedMs: number, nowMs: number): InnsigliError {
  const [expected, found] = [trustedMs, nowMs].map((at) => new Date(at).toISOString());
  const message = `expected the time of the time-stamp authority, ${expected}, found ${found}`;
  return new InnsigliError('clock.untrusted', message, {
    hint: 'correct the clock of this machine; until then no day of the log is closed',
  });
}

/** Times that programs on this host have recorded in the store for later programs. */
interface ClockMoments {
  /** The most recent record. */
  find(): Promise<EarlierMoment | undefined>;
  note(moment: ClockLine): Promise<void>;
}

/** Recorded times of `host`. */
export function clockMoments(ports: Pick<StoragePorts, 'store'>, host: HostName): ClockMoments {
  const run = systemRun();
  return {
    async find() {
      const noted = await findMoment(ports, host);
      return noted && { ...noted, isSameRun: run !== '' && noted.run === run };
    },
    note: (moment) => noteMoment(ports, host, { ...moment, run }),
  };
}

/** The current time of the system clock, correct or not. */
export function systemMoment(): ClockLine {
  return { wallMs: Date.now(), upMs: uptime() * 1000 };
}

/** The kernel's boot ID, regenerated at every boot. Empty if the system has none. */
function systemRun(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
