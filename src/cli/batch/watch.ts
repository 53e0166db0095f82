import type { BatchTask } from './batch.types.ts';

/** Options for watching a folder. */
export interface WatchOptions {
  /** Lists the documents now in the folder. */
  scan(): Promise<readonly BatchTask[]>;
  now(): number;
  /** Resolves after this number of milliseconds, or earlier if the watch should stop. */
  wait(timeMs: number): Promise<void>;
  mayStop(): boolean;
  /** Moves away a file that has failed too often. */
  quarantine(task: BatchTask, failures: number): void;
  readonly quarantineAfter: number;
}

/** A watched folder: yields the files that are ready, and is notified of their results. */
export interface Watch {
  tasks(): AsyncGenerator<BatchTask, undefined>;
  /** @param isGood the document was done or skipped */
  settled(task: BatchTask, isGood: boolean): void;
}

/** Interval between scans of the folder, in milliseconds. */
const pollMs = 1000;
/** Time in milliseconds for which a file must be unchanged before it is processed. */
export const stableMs = 2000;
/** Delay before the first retry of a file, doubled with each failure. */
export const retryMs = 5000;

interface Seen {
  sizeBytes: number;
  mtimeMs: number;
  /** Time when this state was first seen, epoch milliseconds. */
  sinceMs: number;
  state: 'waiting' | 'working' | 'settled';
  failures: number;
  notBeforeMs: number;
}

/**
 * Watches a folder by polling, which works on every file system. A changed file counts as new; a
 * failed one is retried later, and moved away after too many failures.
 */
export function openWatch(options: WatchOptions): Watch {
  const { scan, now, wait, mayStop, quarantine, quarantineAfter } = options;
  const seen = new Map<string, Seen>();

  const look = (task: BatchTask, nowMs: number): Seen => {
    const { sizeBytes, mtimeMs } = task;
    const known = seen.get(task.path);
    const isSame = known?.sizeBytes === sizeBytes && known.mtimeMs === mtimeMs;
    if (known !== undefined && (isSame || known.state === 'working')) return known;
    const fresh: Seen = {
      sizeBytes,
      mtimeMs,
      sinceMs: nowMs,
      state: 'waiting',
      failures: 0,
      notBeforeMs: 0,
    };
    seen.set(task.path, fresh);
    return fresh;
  };
  const forgetGone = (there: ReadonlySet<string>) => {
    for (const [path, { state }] of seen) {
      if (!there.has(path) && state !== 'working') seen.delete(path);
    }
  };
  return {
    async *tasks() {
      while (!mayStop()) {
        const found = await scan();
        forgetGone(new Set(found.map(({ path }) => path)));
        for (const task of found) {
          const file = look(task, now());
          const isStable = now() - file.sinceMs >= stableMs && now() >= file.notBeforeMs;
          if (file.state !== 'waiting' || !isStable) continue;
          file.state = 'working';
          yield task;
          if (mayStop()) return undefined;
        }
        await wait(pollMs);
      }
      return undefined;
    },
    settled(task, isGood) {
      const file = seen.get(task.path);
      if (file === undefined) return;
      file.state = 'settled';
      if (isGood) return;
      file.failures += 1;
      if (file.failures >= quarantineAfter) quarantine(task, file.failures);
      else {
        file.state = 'waiting';
        file.notBeforeMs = now() + retryMs * 2 ** (file.failures - 1);
      }
    },
  };
}
