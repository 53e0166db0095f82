import { performance } from 'node:perf_hooks';

/**
 * One contender: does the work once.
 *
 * @typedef {{ name: string, work: () => unknown | Promise<unknown> }} Contender
 *
 * Result of one contender: medians over the rounds.
 *
 * @typedef {{ name: string, rounds: number, operations: number, cpuMs: number, wallMs: number,
 *   cpuPerSecond: number, wallPerSecond: number, ratio: number }} Row
 */

/**
 * Runs the contenders one after another, round after round, so that a slow moment of the machine
 * affects all of them. `ratio` is the CPU time of the first contender divided by that of this one,
 * as the median of the ratios within each round: 1 is as fast as the first.
 *
 * CPU time is user and system time of all threads of this process.
 *
 * @param {readonly Contender[]} contenders
 * @param {{ rounds: number, roundMs: number }} options
 * @returns {Promise<Row[]>}
 */
export async function measure(contenders, { rounds, roundMs }) {
  const samples = contenders.map(() => []);
  for (const contender of contenders) await runFor(contender, roundMs);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      samples[index].push(await runFor(contender, roundMs));
    }
  }
  return contenders.map(({ name }, index) => {
    const own = samples[index];
    const cpuMs = median(own.map((sample) => sample.cpuMs));
    const wallMs = median(own.map((sample) => sample.wallMs));
    return {
      name,
      rounds,
      operations: own.reduce((sum, sample) => sum + sample.count, 0),
      cpuMs,
      wallMs,
      cpuPerSecond: 1000 / cpuMs,
      wallPerSecond: 1000 / wallMs,
      ratio: median(own.map((sample, round) => samples[0][round].cpuMs / sample.cpuMs)),
    };
  });
}

/** One sample: repeats the work for this time, at least once. */
export async function runFor({ work }, roundMs) {
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  let count = 0;
  do {
    const pending = work();
    // Awaiting a value that is not a promise would cost the raw limit a turn of the microtask
    // queue.
    if (pending instanceof Promise) await pending;
    count++;
  } while (performance.now() - wallBefore < roundMs);
  const wallMs = (performance.now() - wallBefore) / count;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { count, wallMs, cpuMs: (user + system) / 1000 / count };
}

/** The middle value; the mean of the two middle ones if their number is even. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
