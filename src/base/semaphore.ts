/** A weighted semaphore: limits the total weight of concurrent work. */
export interface Semaphore {
  /** Runs `work` as soon as its weight is available, in the order of the calls. */
  run<T>(weight: number, work: () => Promise<T>): Promise<T>;
  /** Resolves when the weight has been acquired. {@link Semaphore.give} releases it. */
  take(weight: number): Promise<void>;
  give(weight: number): void;
}

/** Creates a semaphore over `total`. A request for more than the total runs alone. */
export function openSemaphore(total: number): Semaphore {
  const line: { readonly weight: number; readonly enter: () => void }[] = [];
  let used = 0;
  let inside = 0;
  const admit = () => {
    for (let next = line[0]; next !== undefined; next = line[0]) {
      if (inside > 0 && used + next.weight > total) return;
      line.shift();
      inside += 1;
      used += next.weight;
      next.enter();
    }
  };
  const semaphore: Semaphore = {
    take: (weight) =>
      new Promise((enter) => {
        line.push({ weight, enter });
        admit();
      }),
    give(weight) {
      inside -= 1;
      used -= weight;
      admit();
    },
    async run(weight, work) {
      await semaphore.take(weight);
      try {
        return await work();
      } finally {
        semaphore.give(weight);
      }
    },
  };
  return semaphore;
}
