/**
 * Demonstrates the requirements on logins and signatures by e-ID: runs the parts below one after
 * another, prints the command, the outcome and the last lines of each, and exits with 1 if one has
 * failed.
 *
 * Usage: node scripts/run-ts.mjs scripts/eid-shows.ts [PART…]
 *
 * Without names all parts run, which takes about half an hour. `recording` needs dist/, tmux and
 * zbarimg; `judges` needs the foreign judges; `bench` needs build/ and an idle machine.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'innsigli-eid-shows-'));
const counts = join(folder, 'contract.json');
const vitest = (project: string, ...files: readonly string[]) =>
  `npx vitest run --project ${project} ${files.join(' ')}`;
const script = (name: string) => `node scripts/run-ts.mjs scripts/${name}.ts`;
const onePerDriver = 'test/unit/eid --reporter=default --reporter=json';

interface Part {
  readonly shows: string;
  readonly command: string;
  /** Output lines with the result. Default: the last six. */
  readonly lines?: RegExp;
}

const parts: Readonly<Record<string, Part>> = {
  contract: {
    shows:
      'one contract suite over the simulator and every driver: each failure, hostile responses',
    command: `${vitest('fast', onePerDriver)} --outputFile.json=${counts}`,
  },
  mutations: {
    shows: 'every changed byte of signed responses is rejected; an independent OpenID provider',
    command: vitest('slow', 'test/unit/eid'),
  },
  attacks: {
    shows:
      'brute force, replay, poll flooding, fixation, login CSRF, cross-flow; no secret in a log',
    command: vitest('fast', 'test/attacks/http-eid.test.ts', 'test/api/eid-return.test.ts'),
  },
  browser: {
    shows: 'return from the page of an independent provider in Chromium',
    command: vitest('slow', 'test/api/eid-return-browser.slow.test.ts'),
  },
  kills: {
    shows: 'kill -9 while a provider responds: BankID, Auðkenni, OpenID Connect',
    command: vitest('slow', 'test/service/kill-eid'),
  },
  recording: {
    shows: 'auth login in a terminal: device link and app, success, refusal, Ctrl-C; QR by zbar',
    command: `${script('login-recording')} ${join(folder, 'recording')}`,
    lines: /^(ok|FAIL|skip)/,
  },
  judges: {
    shows:
      'documents signed through every provider, verified by pdfsig, pyHanko, DSS; 401 for others',
    command: `${script('interop')} --eid`,
    lines: /^FAIL|refuses another person|\d+ passed, \d+ failed/,
  },
  bench: {
    shows: 'start and poll against /healthz, 10,000 sessions, QR codes, 1,000 polls in flight',
    command: 'node bench/run.mjs --quick --only eid',
    lines: /./,
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(`expected ${Object.keys(parts).join(', ')}, found ${unknown.join(', ')}`);
  process.exit(2);
}
const failed: string[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!(await run(name, part))) failed.push(name);
  if (name === 'contract') printCounts();
}
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? 'every part passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function run(name: string, { shows, command, lines }: Part): Promise<boolean> {
  console.log(`\n== ${name}: ${shows}\n$ ${command}`);
  const [program = '', ...words] = command.split(' ');
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (status) => resolve(status ?? 1));
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are left out.
  const plain = output.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  const told = plain.filter((line) => line.trim() !== '');
  const shown =
    code === 0
      ? lines
        ? told.filter((line) => lines.test(line))
        : told.slice(-6)
      : told.slice(-40);
  for (const line of shown) console.log(`   ${line}`);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  return code === 0;
}

/** Prints the number of contract tests per driver, as named by the suite. */
function printCounts(): void {
  const { testResults = [] } = JSON.parse(readFileSync(counts, 'utf8')) as {
    readonly testResults?: readonly {
      readonly assertionResults: readonly {
        readonly ancestorTitles: readonly string[];
        readonly status: string;
      }[];
    }[];
  };
  const found = new Map<string, number>();
  for (const { ancestorTitles, status } of testResults.flatMap((each) => each.assertionResults)) {
    const title = ancestorTitles.find((each) => each.startsWith('the e-ID driver '));
    if (title !== undefined && status === 'passed') found.set(title, (found.get(title) ?? 0) + 1);
  }
  for (const [title, count] of found) console.log(`   ${count} ${title}`);
}
