import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { median, runFor } from './measure.mjs';

/**
 * Like `measure`, but each contender is a separate process, so that none warms up or fills the heap
 * of another. They take turns within each round. A contender is a program that answers each line
 * `{"roundMs":N}` with one sample as JSON; contenders with `isPeer` may be missing, which is
 * reported. V8 optimises for many seconds, which must not affect a rate: `warmUpMs` is the time for
 * it.
 *
 * @param {readonly { name: string, command: readonly string[], isPeer?: boolean }[]} contenders
 * @param {{ rounds: number, roundMs: number, warmUpMs: number }} options
 */
export async function measureApart(contenders, { rounds, roundMs, warmUpMs }) {
  const runners = [];
  try {
    for (const contender of contenders) {
      const runner = (contender.open ?? start)(contender);
      try {
        await runner.ask(warmUpMs);
        runners.push(runner);
      } catch (error) {
        runner.end();
        if (!contender.isPeer) throw error;
        console.error(`SKIPPED ${error.message}`);
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const { samples, ask } of runners) samples.push(await ask(roundMs));
    }
  } finally {
    for (const { end } of runners) end();
  }
  const [first] = runners;
  return runners.map(({ name, samples }) => {
    const cpuMs = median(samples.map((sample) => sample.cpuMs));
    const wallMs = median(samples.map((sample) => sample.wallMs));
    return {
      name,
      rounds,
      operations: samples.reduce((sum, { count }) => sum + count, 0),
      cpuMs,
      wallMs,
      cpuPerSecond: 1000 / cpuMs,
      wallPerSecond: 1000 / wallMs,
      ratio: median(samples.map((sample, round) => first.samples[round].cpuMs / sample.cpuMs)),
      peakMiB: Math.max(...samples.map(({ peakMiB }) => peakMiB)),
    };
  });
}

function start({ name, command: [program, ...options] }) {
  const child = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = new Promise((_, reject) => {
    child.on('error', (error) => reject(new Error(`${name}: ${error.message}`)));
    child.on('exit', (code) => reject(new Error(`${name}: ended with ${code}`)));
  });
  failed.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (roundMs) => {
    child.stdin.write(`${JSON.stringify({ roundMs })}\n`);
    const { value } = await Promise.race([lines.next(), failed]);
    if (value === undefined) return failed;
    return JSON.parse(value);
  };
  return { name, samples: [], ask, end: () => child.stdin.end() };
}

/** The contender's side: answers with samples of `work` until the input ends. */
export async function serveRounds(work) {
  for await (const line of createInterface({ input: process.stdin })) {
    const sample = await runFor({ work }, JSON.parse(line).roundMs);
    process.stdout.write(`${JSON.stringify({ ...sample, peakMiB: peakMiB() })}\n`);
  }
}

// Not maxRSS of getrusage(): Linux initialises it in a child with the parent's peak before exec.
function peakMiB() {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
