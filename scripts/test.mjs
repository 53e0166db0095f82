/**
 * Runs the tests of one speed or of all, and says what they took.
 *
 *     node scripts/test.mjs fast|slow|all [what vitest takes]
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [speed = 'fast', ...given] = process.argv.slice(2);
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const speeds = { fast: ['fast', 'mocks'], slow: ['slow', 'whole'] };
const names = { ...speeds, all: [...speeds.fast, ...speeds.slow] }[speed];
if (names === undefined) throw new Error(`expected fast, slow or all, found ${speed}`);
const projects = names.flatMap((name) => ['--project', name]);
const began = performance.now();

const child = spawn(process.execPath, [vitest, 'run', ...projects, ...given], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${speed} tests: ${seconds} s${cpuWords(cpuSecondsOfChildren())}`);
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});

function cpuWords(seconds) {
  return seconds === undefined ? '' : `, ${seconds.toFixed(1)} CPU-seconds`;
}

/** CPU time of all ended child processes, as counted by Linux. */
function cpuSecondsOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ');
    const ticksPerSecond = 100;
    // cutime and cstime are fields 16 and 17 of proc(5); the state is field 3.
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}
