import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** Time limit of a response, and its clock. */
export interface Patience {
  readonly timeMs: number;
  /** Calls `end` after the time, unless the function that it gives is called before. */
  startTimer(end: () => void, timeMs: number): () => void;
}

/** The limit of parties of the caller, by the timers of the system. */
export const systemPatience: Patience = {
  timeMs: limits.answerMs,
  startTimer(end, timeMs) {
    const timer = setTimeout(end, timeMs);
    return () => clearTimeout(timer);
  },
};

/** The result of `ask`, or the error with this code when the time is over. */
export async function withinTime<T>(
  who: string,
  code: ErrorCode,
  ask: () => T | Promise<T>,
  { timeMs, startTimer }: Patience,
): Promise<T> {
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = () => {
      const hint = 'check that it still works, and try again';
      const message = `${who} did not respond within ${timeMs / 1000} s`;
      reject(new InnsigliError(code, message, { hint }));
    };
    stop = startTimer(end, timeMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    stop?.();
  }
}
