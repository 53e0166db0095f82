import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../context.ts';
import type { StopSignal } from '../io.ts';

/** The end that a signal asks for. */
export interface Stop {
  /** The signal that came. */
  signal(): StopSignal | undefined;
  /** Resolves after the time, or earlier when the batch shall end. */
  wait(timeMs: number): Promise<void>;
}

/**
 * Listens for signals: the first one lets begun documents be finished; a second one ends all.
 *
 * @param onSignal called before the first one is reported
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
