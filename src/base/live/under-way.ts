import { LiveSet, type Placed } from './live-set.ts';

/** Asynchronous work in progress. */
export interface UnderWay {
  /** Returns the same promise, tracked until it is settled. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when no work is in progress. */
  ended(): Promise<void>;
}

interface Work extends Placed {
  readonly promise: Promise<unknown>;
}

/** A tracker without any work yet. */
export function openUnderWay(): UnderWay {
  const all = new LiveSet<Work>();
  return {
    add(promise) {
      const work: Work = { place: 0, promise };
      all.add(work);
      const done = () => all.delete(work);
      promise.then(done, done);
      return promise;
    },
    async ended() {
      while (all.size > 0) await Promise.allSettled(Array.from(all, ({ promise }) => promise));
    },
  };
}
