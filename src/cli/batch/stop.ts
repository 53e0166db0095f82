import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../context.ts';
import type { StopSignal } from '../io.ts';

/** Stopping of a batch by signals. */
export interface Stop {
  /** The signal received, if any. */
  signal(): StopSignal | undefined;
  /** Resolves after the time, or earlier if the batch should stop. */
  wait(timeMs: number): Promise<void>;
}

/**
 * Listens for signals: after the first one, documents in progress are finished; a second one ends
 * the program.
 *
 * @param onSignal called before the first signal is reported
 */
export function openStop({ io, console }: CommandContext, onSignal: () => void): Stop {
  let signal: StopSignal | undefined;
  const abort = new AbortController();
  io.onStop(() => undefined);
  void io.waitForStop().then((stopSignal) => {
    signal = stopSignal;
    abort.abort();
    onSignal();
    console.note('finishing the work in progress; press Ctrl-C again to stop now');
  });
  return {
    signal: () => signal,
    wait: (timeMs) => sleep(timeMs, undefined, { signal: abort.signal }).catch(() => undefined),
  };
}
