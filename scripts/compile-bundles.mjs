// Runs the bundles of dist/cli once, with fakes and in a temporary folder, and stores the code
// cache of V8 next to them. The program works without it, but starts more slowly.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { loadBundle } = createRequire(import.meta.url)('../bin/innsigli.cjs');
const main = loadBundle('main.cjs');
const documents = loadBundle('documents.cjs');
const commands = loadBundle('commands.cjs');
const batch = loadBundle('batch.cjs');
const toolkit = loadBundle('toolkit.cjs');
const service = loadBundle('service.cjs');
const store = loadBundle('store.cjs');
const drawing = loadBundle('pdf-lib.cjs');
const bundles = [main, documents, commands, batch, toolkit, store, service, drawing];

const folder = mkdtempSync(join(tmpdir(), 'innsigli-build-'));
const messages = [];
const stream = { isTerminal: false, write: () => undefined };
const io = {
  stdin: { isTerminal: false, chunks: () => [] },
  stdout: stream,
  stderr: { isTerminal: false, write: (text) => messages.push(text) },
  env: { HOME: folder, INNSIGLI_HOME: join(folder, 'data') },
  cwd: folder,
  now: () => Date.now(),
  random: (count) => randomBytes(count),
  onStop: () => () => undefined,
  waitForStop: () => new Promise(() => undefined),
  optimiseLater: () => undefined,
  askPassword: () => Promise.reject(new Error('no password prompt')),
  startSpinner: () => Promise.resolve({ stop: () => undefined }),
};
const input = join(root, 'fixtures/pdf/agreement.pdf');
mkdirSync(join(folder, 'in'));
copyFileSync(input, join(folder, 'in/a.pdf'));
// Without the optional driver there is no store, and its code is compiled on use.
const storeLines = [
  ['init'],
  ['process', 'create', input, '--signee', 'A,email=a@example.test,type=ClickToSign'],
  ['worker', '--once'],
  ['process', 'list'],
];
const hasStore = await store.exports.requireSqlite().then(
  () => true,
  () => false,
);

try {
  for (const line of [
    ['--help'],
    ['help', 'seal'],
    ['seal', input, '-o', 'b.pdf', '--level', 'B-B'],
    ['seal', input, '-o', 'lta.pdf'],
    ['verify', 'lta.pdf'],
    ['seal', 'in', '--level', 'B-B', '--jobs', '1', '--out-dir', 'out'],
    ...(hasStore ? storeLines : []),
  ]) {
    const exitCode = await main.exports.runCli(line, io);
    if (exitCode !== 0) {
      process.stderr.write(`warning: innsigli ${line.join(' ')} ended with ${exitCode}\n`);
      process.stderr.write(messages.join(''));
    }
  }
  for (const { script, codeFile } of bundles) {
    writeFileSync(codeFile, script.createCachedData());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
