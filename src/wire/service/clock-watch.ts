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

/** The clock of this system for a program that works for long. @param line of another program */
export function systemClock(line?: ClockLine): WatchedClock {
  const sources = {
    wallMs: () => Date.now(),
    upMs: () => systemMoment().upMs,
    ticksMs: () => performance.now(),
  };
  return watchClock(sources, line);
}

/** Text of a line, for programs that this one starts. */
export function formatLine({ wallMs, upMs }: ClockLine): string {
  return `${Math.round(wallMs)},${Math.round(upMs)}`;
}

/** The line of a text of {@link formatLine}; undefined for any other text. */
export function parseLine(text: string | undefined): ClockLine | undefined {
  const [, wallMs, upMs] = /^(\d{1,15}),(\d{1,15})$/.exec(text ?? '') ?? [];
  return wallMs === undefined ? undefined : { wallMs: Number(wallMs), upMs: Number(upMs) };
}

/** A guard against work that depends on the date under a wrong clock. */
export interface ClockWatch {
  /** True while the wall clock is sound, or a trusted time agrees with the one that goes on. */
  mayWork(): Promise<boolean>;
  /**
   * Before a day is closed: a trusted time, requested once, shall agree with the clock that the
   * program began with. Without a trusted time the clock is accepted.
   *
   * @throws clock.untrusted
   */
  requireTrusted(): Promise<void>;
  /** Goes on from what an earlier program of this machine has noted. */
  resume(): Promise<void>;
  /** Ends the doubt when another program has noted since that the wall clock is right. */
  follow(): Promise<void>;
}

interface ClockWatchPorts {
  readonly clock: WatchedClock;
  /** The time of an authority of others, epoch milliseconds; undefined: it gave none. */
  readonly trustedTime?: () => Promise<number | undefined>;
  /** Time of the database in epoch milliseconds; undefined when no other host shares it. */
  readonly sharedTime?: () => Promise<number | undefined>;
  readonly moments: ClockMoments;
  readonly warn: ToolkitIo['warn'];
  /** Milliseconds of a counter that only goes on. */
  ticksMs(): number;
}

/** Interval of requests for a trusted time while the wall clock is in doubt, in milliseconds. */
const ASK_EVERY_MS = 60_000;
/**
 * Time for which the continued clock is trusted after a trusted time has agreed with it, in
 * milliseconds.
 */
const BELIEVED_MS = 3_600_000;
/** Interval at which a sound clock is recorded, in milliseconds. */
const NOTE_EVERY_MS = 600_000;
/** Interval at which the clock is compared with that of the database, in milliseconds. */
const COMPARE_EVERY_MS = 60_000;
/** Half of the shortest time that one host gives, and another takes: results of logins. */
const APART_MAX_MS = 30_000;

/** Text about a clock that differs too much from that of the database; undefined: it does not. */
export function apartText(nowMs: number, sharedMs = nowMs): string | undefined {
  const apartMs = nowMs - sharedMs;
  if (Math.abs(apartMs) <= APART_MAX_MS) return undefined;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  const where = apartMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this host is ${seconds} s ${where} that of the database`;
}

/** Watches `clock`, tells of jumps, and asks the trusted time when there was one. */
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
    // The time that a database takes to answer, such as one that starts again, is no difference.
    const sharedMs = await ports.sharedTime?.();
    const text = apartText(clock.now(), sharedMs);
    if (text !== undefined && !isApart) {
      warn(
        `${text}: times set by one host expire too early or too late on others`,
        'clock.differs',
      );
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
      // The other threads and processes hear of it by what is noted.
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

/** Moments that programs of this host have noted in the store, for those that come after them. */
interface ClockMoments {
  /** The last one. */
  find(): Promise<EarlierMoment | undefined>;
  note(moment: ClockLine): Promise<void>;
}

/** Moments of `host`. */
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

/** This moment by the clock of the system, right or wrong. */
export function systemMoment(): ClockLine {
  return { wallMs: Date.now(), upMs: uptime() * 1000 };
}

/** A name that the kernel makes anew whenever it starts; empty where it has none. */
function systemRun(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
