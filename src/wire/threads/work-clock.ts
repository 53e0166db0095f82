import { readFileSync, readlinkSync } from 'node:fs';

/** Shortest time between two looks. */
const LOOK_MS = 10;

/** Path of the scheduler statistics of this thread; undefined where the system has none. */
export function threadPlace(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`;
  } catch {
    return undefined;
  }
}

/**
 * Calls `over` when the thread at `place` has worked for `ms` from now on. Time in which it waited
 * for a core does not count: a busy machine refuses no quick work. If the system has no statistics,
 * all time counts.
 *
 * @param read tells milliseconds of work at a place; undefined: it cannot
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

/** The first number is nanoseconds on a core. */
function workedMs(place: string): number | undefined {
  try {
    return Number(readFileSync(place, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
