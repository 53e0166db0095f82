// Runs a TypeScript script on Node 20: bundles it with esbuild into a temporary module of this
// package, imports that and removes it. Usage: node scripts/run-ts.mjs SCRIPT [ARGUMENT]…
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [script = '', ...rest] = process.argv.slice(2);
// Two folders below the root, as the sources are, so that relative paths resolve.
mkdirSync(join(root, '.run-ts'), { recursive: true });
const folder = mkdtempSync(join(root, '.run-ts', 'script-'));
const outfile = join(folder, 'script.mjs');
try {
  await build({
    entryPoints: [resolve(script)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  process.argv.splice(1, process.argv.length, resolve(script), ...rest);
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
