/** Runs the due jobs of one kind and returns their number. */
export type JobLane = (signal: AbortSignal) => Promise<number>;

/** Interval at which an idle lane polls while others are busy. */
const idlePollMs = 500;
/** Maximum number of rounds per lane and call, in case jobs keep creating new jobs. */
const turnsMax = 100_000;

/**
 * Runs all lanes concurrently until none of them finds more work. Returns the number of finished
 * jobs. A flood of jobs or a slow receiver in one lane does not delay the others. If one lane
 * throws, all lanes end.
 *
 * @param stop ends the run after the current jobs
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
      const timer = setTimeout(wake, idlePollMs);
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
      // Other lanes may have created jobs for it meanwhile.
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
