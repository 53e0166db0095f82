import { readFileSync, readlinkSync } from 'node:fs';

/** Minimum interval between two checks. */
const LOOK_MS = 10;

/** Path of the scheduler statistics of this thread. Undefined if the system has none. */
export function threadPlace(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`;
  } catch {
    return undefined;
  }
}

/**
 * Calls `over` when the thread at `place` has used `ms` of CPU time from now on. Time spent waiting
 * for a core does not count, so that a busy machine does not abort short work. If the system has no
 * statistics, elapsed time counts.
 *
 * @param read returns the CPU time of a thread in milliseconds, or undefined if it is not available
 * @returns a function that stops the clock
 */
export function startWorkClock(
  place: string | undefined,
  ms: number,
  over: () => void,
  read: (place: string) => number | undefined = workedMs,
): () => void {
  const workedAt = () => (place === undefined ? undefined : read(place)) ?? performance.now();
  const begunMs = workedAt();
  const look = () => {
    const leftMs = begunMs + ms - workedAt();
    if (leftMs <= 0) over();
    else timer = setTimeout(look, Math.max(LOOK_MS, leftMs));
  };
  let timer = setTimeout(look, ms);
  return () => clearTimeout(timer);
}

/** The first number is the CPU time in nanoseconds. */
function workedMs(place: string): number | undefined {
  try {
    return Number(readFileSync(place, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
