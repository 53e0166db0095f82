import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

const STEP_MS = 100;

/**
 * The result of `work`, whose timers fire without waiting: while a timer is pending, time advances
 * in steps of a tenth of a second, reported to `pass`. Work started meanwhile must end with it.
 */
export async function inNoTime<T>(
  work: () => Promise<T>,
  pass: (ms: number) => void = () => undefined,
): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let isOver = false;
    const result = work().finally(() => {
      isOver = true;
    });
    result.catch(() => undefined);
    while (!isOver) {
      // Node's module is not replaced: I/O started meanwhile gets its time.
      await sleep(1);
      if (vi.getTimerCount() === 0) continue;
      pass(STEP_MS);
      await vi.advanceTimersByTimeAsync(STEP_MS);
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
