import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const peakHook = fileURLToPath(new URL('peak.cjs', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Path of the built program. */
export const program = fileURLToPath(new URL(`../${manifest.bin.innsigli}`, import.meta.url));

/** Returns the command that runs this Node with `options` and reports its peak memory. */
export const node = (...options) => [process.execPath, '-r', peakHook, ...options];

/** Returns the command that seals one or more files at B-B with a key of the development trust. */
export const sealCommand = (kind, ...options) =>
  node(program, 'seal', ...options, '--level', 'B-B', '--development-key', kind, '--quiet');

/**
 * Measures whole processes, started one after another, round after round; the first round is not
 * counted. Figures are medians; ratios to the first contender are computed within each round.
 * `output` is removed before each run. A contender with `isPeer` may fail, which is reported and
 * excludes it; one with fewer `rounds` of its own takes part in the first ones.
 *
 * @param {readonly { name: string, command: readonly string[], output?: string,
 *   isPeer?: boolean, rounds?: number }[]} contenders
 * @param {{ rounds: number, home: string, timeoutMs?: number }} options
 */
export function measureProcesses(contenders, { rounds, home, timeoutMs = 600_000 }) {
  const runners = contenders.map((contender) => ({ ...contender, samples: [] }));
  for (let round = -1; round < rounds; round++) {
    for (const runner of runners) {
      const isOut = runner.rounds !== undefined && (round < 0 || round >= runner.rounds);
      if (runner.samples === undefined || isOut) continue;
      try {
        const sample = runOnce(runner, home, timeoutMs);
        if (round >= 0) runner.samples.push(sample);
      } catch (error) {
        if (!runner.isPeer) throw error;
        console.error(`SKIPPED ${error.message}`);
        runner.samples = undefined;
      }
    }
  }
  const finished = runners.filter(({ samples }) => samples !== undefined);
  const [first] = finished;
  return finished.map(({ name, samples }) => {
    const middle = (pick) => median(samples.map(pick));
    return {
      name,
      rounds: samples.length,
      cpuMs: middle(({ cpuMs }) => cpuMs),
      wallMs: middle(({ wallMs }) => wallMs),
      ratio: middle(({ cpuMs }, round) => cpuMs / first.samples[round].cpuMs),
      wallRatio: middle(({ wallMs }, round) => wallMs / first.samples[round].wallMs),
      peakMiB: middle(({ peakMiB }) => peakMiB),
    };
  });
}

// Node does not report the CPU time of children; `time` of bash does, in milliseconds.
const timed = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>"$0"';

function runOnce({ name, command, output }, home, timeoutMs) {
  if (output !== undefined) rmSync(output, { recursive: true, force: true });
  const errors = join(home, 'bench-stderr');
  const peak = join(home, 'bench-peak');
  const { status, signal, stderr } = spawnSync('bash', ['-c', timed, errors, ...command], {
    env: {
      ...process.env,
      ...{ INNSIGLI_HOME: home, XDG_CONFIG_HOME: home, BENCH_PEAK: peak, LC_ALL: 'C' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (output !== undefined) rmSync(output, { recursive: true, force: true });
  if (status !== 0) {
    const last = readFileSync(errors, 'utf8').trim().split('\n').at(-1);
    throw new Error(`${name}: ${signal ?? `rc ${status}`}: ${last}`);
  }
  const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const peakMiB = Number(readFileSync(peak, 'utf8'));
  return { wallMs: real * 1000, cpuMs: (user + system) * 1000, peakMiB };
}
