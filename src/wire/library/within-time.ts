import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** Response time limit, and its timer. */
export interface TimeLimit {
  readonly timeMs: number;
  /** Calls `end` after the time, unless the returned function is called first. */
  startTimer(end: () => void, timeMs: number): () => void;
}

/** The time limit for objects that the caller implements, with system timers. */
export const systemTimeLimit: TimeLimit = {
  timeMs: limits.answerMs,
  startTimer(end, timeMs) {
    const timer = setTimeout(end, timeMs);
    return () => clearTimeout(timer);
  },
};

/** Returns the result of `ask`, or throws the error with this code after the time limit. */
export async function withinTime<T>(
  who: string,
  code: ErrorCode,
  ask: () => T | Promise<T>,
  { timeMs, startTimer }: TimeLimit,
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
