/** Time sources of a clock. */
export interface TimeSources {
  /** System time in epoch milliseconds. It can be set, forward and back. */
  wallMs(): number;
  /** Milliseconds since the system was booted, including sleep. They cannot be set. */
  upMs(): number;
  /** Counter in milliseconds that is cheap to read, and may stop while the system sleeps. */
  ticksMs(): number;
}

/** A moment in both time scales, from which a clock continues while the wall clock is in doubt. */
export interface ClockLine {
  readonly wallMs: number;
  readonly upMs: number;
}

/** A moment recorded by an earlier program on this machine. */
export interface EarlierMoment extends ClockLine {
  /** False if the system was rebooted since, so that its uptime cannot be compared. */
  readonly isSameRun: boolean;
}

/** The clock that agrees with a trusted time; `neither` if both differ too much. */
export type ClockAgreement = 'wall' | 'line' | 'neither';

/**
 * A clock that detects when the wall clock is set by more than {@link clockJumpMs}. It then
 * continues as if nothing had happened, until the wall clock is back or a trusted time agrees with
 * it.
 */
export interface WatchedClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Offset of the wall clock since it jumped, in milliseconds, positive if ahead; 0 if sound. */
  jumpMs(): number;
  /** The current moment, for clocks of other threads, processes and programs on this machine. */
  line(): ClockLine;
  /**
   * Continues from an earlier moment: if a program is started with a wrong wall clock, the clock is
   * in doubt as if it had been set while the program ran. A moment before a reboot only proves that
   * it has passed: the doubt ends when the wall clock is past it.
   */
  resume(earlier: EarlierMoment): void;
  /** Compares a trusted time with the clock. After `wall`, the wall clock is used again. */
  check(trustedMs: number): ClockAgreement;
}

/** Maximum deviation of a sound wall clock, and maximum adjustment within an hour. */
export const clockJumpMs = 2 * 60_000;
/** Maximum deviation of a clock that agrees with a trusted time. */
const AGREE_MS = 5 * 60_000;
/** Interval of comparisons with the uptime, while the cheap counter and the wall clock agree. */
const LOOK_MS = 1000;
/** Largest difference of the two that counts as agreement, in milliseconds. */
const QUIET_MS = 1000;
/**
 * Interval at which gradual adjustments are adopted, in milliseconds. It is longer than that of
 * comparisons, since a clock that runs too fast also counts as a jump.
 */
const FOLLOW_MS = 3_600_000;

/**
 * Creates a clock over `sources`.
 *
 * @param begin the line of another clock on this machine; default: the current wall clock
 */
export function watchClock(sources: TimeSources, begin?: ClockLine): WatchedClock {
  const read = (): ClockLine => ({ wallMs: sources.wallMs(), upMs: sources.upMs() });
  let line = begin ?? read();
  let seen = { wallMs: line.wallMs, ticksMs: Number.NEGATIVE_INFINITY };
  let jump = 0;
  // True if the line is only a lower bound of the current time.
  let isLowest = false;
  const look = (): ClockLine => {
    const at = read();
    seen = { wallMs: at.wallMs, ticksMs: sources.ticksMs() };
    const elapsed = at.upMs - line.upMs;
    const drift = at.wallMs - (line.wallMs + elapsed);
    jump = Math.abs(drift) > clockJumpMs && !(isLowest && drift > 0) ? drift : 0;
    if (jump === 0 && (isLowest || elapsed >= FOLLOW_MS)) follow(at);
    return at;
  };
  const follow = (at: ClockLine) => {
    line = at;
    jump = 0;
    isLowest = false;
  };
  const onLine = ({ upMs }: ClockLine) => Math.round(line.wallMs + (upMs - line.upMs));
  return {
    now() {
      const wallMs = sources.wallMs();
      const ticks = sources.ticksMs() - seen.ticksMs;
      const isQuiet =
        Math.abs(ticks) < LOOK_MS && Math.abs(wallMs - seen.wallMs - ticks) < QUIET_MS;
      if (jump === 0 && isQuiet) return wallMs;
      const at = look();
      return jump === 0 ? at.wallMs : onLine(at);
    },
    jumpMs() {
      look();
      return Math.round(jump);
    },
    line() {
      const at = look();
      return { wallMs: jump === 0 ? at.wallMs : onLine(at), upMs: at.upMs };
    },
    resume({ wallMs, upMs, isSameRun }) {
      const at = read();
      // If the uptime has decreased, the system was rebooted.
      if (isSameRun && upMs <= at.upMs) {
        line = { wallMs, upMs };
        isLowest = false;
      } else if (at.wallMs < wallMs - clockJumpMs) {
        line = { wallMs, upMs: at.upMs };
        isLowest = true;
      }
      look();
    },
    check(trustedMs) {
      const at = look();
      if (Math.abs(trustedMs - at.wallMs) <= AGREE_MS) {
        follow(at);
        return 'wall';
      }
      return Math.abs(trustedMs - onLine(at)) <= AGREE_MS ? 'line' : 'neither';
    },
  };
}
