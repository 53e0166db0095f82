import { LiveSet, type Placed } from './live-set.ts';

/** Work that is under way. */
export interface UnderWay {
  /** The same promise, which is known until it is settled. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way. */
  ended(): Promise<void>;
}

interface Work extends Placed {
  readonly promise: Promise<unknown>;
}

/** Nothing is under way yet. */
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
