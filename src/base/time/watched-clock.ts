/** Time sources of a clock. */
export interface TimeSources {
  /** Epoch milliseconds, as the system has them: they can be set, ahead and back. */
  wallMs(): number;
  /** Milliseconds since the system began, asleep or not: nobody can set them. */
  upMs(): number;
  /** Milliseconds of a counter that costs little to read, and may stand while the system sleeps. */
  ticksMs(): number;
}

/** A moment in both times: the line on which a clock goes on while the wall clock is in doubt. */
export interface ClockLine {
  readonly wallMs: number;
  readonly upMs: number;
}

/** A moment that an earlier program of this machine has noted. */
export interface EarlierMoment extends ClockLine {
  /** False: the system was started again since, so that its uptime says nothing. */
  readonly isSameRun: boolean;
}

/** The clock that a trusted time agrees with; `neither`: it differs too much from both. */
export type ClockAgreement = 'wall' | 'line' | 'neither';

/**
 * A clock that notices when the wall clock is set by more than {@link clockJumpMs}. From then on
 * it goes on as if nothing had happened, until the wall clock is back or a trusted time agrees
 * with it.
 */
export interface WatchedClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds by which the wall clock is ahead (below 0: behind) since it jumped; 0: sound. */
  jumpMs(): number;
  /** This moment, for clocks of other threads, processes and programs of this machine. */
  line(): ClockLine;
  /**
   * Goes on from an earlier moment: a program that is started under a wrong wall clock is in doubt
   * as one that ran when it was set. A moment of an earlier boot of the system proves only that it
   * has passed: the doubt ends when the wall clock is beyond it.
   */
  resume(earlier: EarlierMoment): void;
  /** Holds a trusted time against the clock; with `wall` the wall clock counts again. */
  check(trustedMs: number): ClockAgreement;
}

/** A wall clock that differs by more is in doubt; so much may it be adjusted in an hour. */
export const clockJumpMs = 2 * 60_000;
/** A trusted time agrees with one that differs by no more. */
const AGREE_MS = 5 * 60_000;
/** Time between two looks at what nobody can set, while the cheap counter and the wall agree. */
const LOOK_MS = 1000;
/** Largest difference of the two that counts as agreement, in milliseconds. */
const QUIET_MS = 1000;
/**
 * Interval at which slow adjustments are followed, in milliseconds: longer than that of checks,
 * since a fast clock is a jump, too.
 */
const FOLLOW_MS = 3_600_000;

/**
 * A clock over `sources`.
 *
 * @param begin the line of another clock of this machine; the wall clock of now when left out
 */
export function watchClock(sources: TimeSources, begin?: ClockLine): WatchedClock {
  const read = (): ClockLine => ({ wallMs: sources.wallMs(), upMs: sources.upMs() });
  let line = begin ?? read();
  let seen = { wallMs: line.wallMs, ticksMs: Number.NEGATIVE_INFINITY };
  let jump = 0;
  // The line is no more than the earliest time that it can be.
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
      // An uptime that went back is that of another run.
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
