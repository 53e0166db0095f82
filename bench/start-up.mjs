import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';
import { pyhankoCommand } from './peers.mjs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const program = fileURLToPath(new URL(`../${manifest.bin.innsigli}`, import.meta.url));
const input = fileURLToPath(new URL('../fixtures/pdf/agreement.pdf', import.meta.url));

/** Whole processes, started in turn: wall and CPU time, and ratios to `node -e 0`. */
export function startUp(material, rounds) {
  const { directory } = material;
  const output = join(directory, 'bench-out.pdf');
  const node = process.execPath;
  const seal = (kind) => [
    ...[program, 'seal', input, '-o', output, '--force', '--level', 'B-B'],
    ...['--development-key', kind, '--quiet'],
  ];
  const contenders = [
    { name: 'node -e 0', program: node, options: ['-e', '0'] },
    { name: 'innsigli --help', program: node, options: [program, '--help'] },
    { name: 'innsigli seal, B-B, RSA-2048', program: node, options: seal('rsa') },
    { name: 'innsigli seal, B-B, P-256', program: node, options: seal('ec') },
    {
      name: 'innsigli verify',
      program: node,
      options: [program, 'verify', output, '--quiet'],
    },
  ];
  const pyhanko = pyhankoCommand(material);
  if (pyhanko === undefined) console.error('skip pyHanko: not installed (set PYHANKO)');
  else {
    const options = [
      ...pyhanko.options,
      input,
      `${output}.py.pdf`,
      join(directory, 'bench-ec.p12'),
    ];
    contenders.push({ name: 'pyhanko sign addsig, B-B, P-256', program: pyhanko.program, options });
  }
  const samples = contenders.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const sample = runOnce(contender, directory);
      if (round >= 0) samples[index].push(sample);
    }
  }
  if (existsSync(output)) rmSync(output);
  const rows = contenders.map(({ name }, index) => ({
    name,
    rounds,
    cpuMs: median(samples[index].map(({ cpuMs }) => cpuMs)),
    wallMs: median(samples[index].map(({ wallMs }) => wallMs)),
    ratio: median(samples[index].map(({ cpuMs }, round) => cpuMs / samples[0][round].cpuMs)),
    wallRatio: median(samples[index].map(({ wallMs }, round) => wallMs / samples[0][round].wallMs)),
  }));
  return [{ title: 'whole processes', processes: true, rows }];
}

// Node does not tell the CPU time of children; the `time` of bash does, in milliseconds.
const timed = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>"$0"';

function runOnce({ name, program: file, options }, home) {
  const errors = join(home, 'bench-stderr');
  const { status, stderr } = spawnSync('bash', ['-c', timed, errors, file, ...options], {
    env: { ...process.env, INNSIGLI_HOME: home, XDG_CONFIG_HOME: home, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name}: rc ${status}: ${readFileSync(errors, 'utf8')}`);
  const [real, user, system] = stderr.trim().split(' ').map(Number);
  return { wallMs: real * 1000, cpuMs: (user + system) * 1000 };
}
