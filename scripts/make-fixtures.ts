/**
 * Writes fixtures/pdf. `--check` compares instead and fails on a difference; files created by qpdf
 * are not compared, because their bytes depend on its version.
 *
 *     node scripts/run-ts.mjs scripts/make-fixtures.ts [--check]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAgreement } from './fixtures/agreement.ts';
import { makeVariants } from './fixtures/variants.ts';

const folder = 'fixtures/pdf';

/** Files that qpdf creates from the agreement, with its arguments. */
const byQpdf: Readonly<Record<string, readonly string[]>> = {
  'linearized.pdf': ['--linearize', '--deterministic-id'],
  'agreement-object-streams.pdf': ['--object-streams=generate', '--deterministic-id'],
  'encrypted.pdf': [
    ...['--static-id', '--static-aes-iv', '--encrypt', 'fixture', 'owner', '128', '--use-aes=y'],
    '--',
  ],
};

async function makeFiles(): Promise<Map<string, Uint8Array>> {
  const agreement = await makeAgreement();
  const files = new Map<string, Uint8Array>([
    ['agreement.pdf', agreement],
    ['truncated.pdf', agreement.subarray(0, Math.floor(agreement.length * 0.6))],
  ]);
  for (const [name, text] of makeVariants()) files.set(name, Buffer.from(text, 'latin1'));
  return files;
}

function check(files: ReadonlyMap<string, Uint8Array>): number {
  const stale = [...files].filter(([name, bytes]) => {
    const path = join(folder, name);
    return !existsSync(path) || !readFileSync(path).equals(bytes);
  });
  const missing = Object.keys(byQpdf).filter((name) => !existsSync(join(folder, name)));
  for (const name of [...stale.map(([name]) => name), ...missing]) console.log(`differs: ${name}`);
  console.log(`${files.size} fixtures compared, ${stale.length + missing.length} differ`);
  return stale.length + missing.length === 0 ? 0 : 1;
}

function write(files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  for (const [name, options] of Object.entries(byQpdf)) {
    execFileSync('qpdf', [...options, join(folder, 'agreement.pdf'), join(folder, name)]);
  }
  console.log(`${files.size + Object.keys(byQpdf).length} fixtures written`);
}

const files = await makeFiles();
if (process.argv.includes('--check')) process.exitCode = check(files);
else write(files);
