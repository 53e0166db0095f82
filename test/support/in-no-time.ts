import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

const STEP_MS = 100;

/**
 * What `work` gives, whose timers run without waiting: while it has one, time goes on in steps of a
 * tenth of a second, which `pass` is told. Work that begins meanwhile must end with it.
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
      // The module of Node is not replaced: what is read and asked meanwhile gets its time.
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
