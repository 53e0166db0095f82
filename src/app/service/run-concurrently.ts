/** Does what is due of one kind, and gives how much that was. */
export type JobLane = (signal: AbortSignal) => Promise<number>;

/** A lane without work looks again after this time while others are busy. */
const lookAgainMs = 500;
/** Turns of a lane in one call: work that makes work comes to an end. */
const turnsMax = 100_000;

/**
 * Works in all lanes at the same time until none of them finds anything more, and returns the
 * number of finished jobs. A flood or a slow receiver in one lane does not delay the others. When
 * one throws the others end too.
 *
 * @param stop ends the work after what is under way
 */
export async function runConcurrently(
  lanes: readonly JobLane[],
  stop?: AbortSignal,
): Promise<number> {
  const over = new AbortController();
  const resting = new Map<JobLane, () => void>();
  const wakeAll = () => {
    for (const wake of [...resting.values()]) wake();
  };
  const end = () => {
    over.abort();
    wakeAll();
  };
  const rest = (lane: JobLane) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resting.delete(lane);
        resolve();
      };
      const timer = setTimeout(wake, lookAgainMs);
      resting.set(lane, wake);
      if (resting.size === lanes.length) end();
    });
  let done = 0;
  const follow = async (lane: JobLane) => {
    for (let turn = 0; turn < turnsMax && !over.signal.aborted; turn++) {
      const before = done;
      const count = await lane(over.signal);
      done += count;
      if (count > 0) wakeAll();
      // Others may have made work for it while it looked.
      else if (done === before) await rest(lane);
    }
    end();
  };
  if (stop?.aborted === true) return 0;
  stop?.addEventListener('abort', end);
  try {
    const ends = lanes.map((lane) =>
      follow(lane).catch((error: unknown) => {
        end();
        throw error;
      }),
    );
    const broken = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
    if (broken?.status === 'rejected') throw broken.reason;
    return done;
  } finally {
    stop?.removeEventListener('abort', end);
  }
}
