// Builds dist/: the library with its types by tsc, and the command line as bundles that start
// fast by esbuild. `--cli` builds the command line only; `--if-needed` builds nothing when dist/
// is of these sources: npm runs `prepare` before each npx in a clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, removeStamp, writeStamp } from './build-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv.includes('--if-needed') && isBuilt(root)) process.exit();
// A package that is installed without what builds it gets so far.
const { build } = await import('esbuild');
const { version, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

// Needed in every run, or of many small files. All others are loaded when they are used.
const bundled = ['commander', 'chalk', 'kysely', 'ipaddr.js'];

const cliOnly = process.argv.includes('--cli');
removeStamp(root);
rmSync(join(root, cliOnly ? 'dist/cli' : 'dist'), { recursive: true, force: true });
if (!cliOnly) {
  buildLibrary();
  copyPage();
}
await buildBundle('src/cli/main.ts', 'main.cjs');
await buildBundle('src/wire/toolkit.ts', 'toolkit.cjs');
await buildBundle('src/wire/service/service.ts', 'service.cjs');
await buildBundle('src/wire/serve/serve.ts', 'serve.cjs');
await buildBundle('src/wire/diagnose/diagnose.ts', 'diagnose.cjs');
await buildBundle('src/cli/batch/index.ts', 'batch.cjs');
run([join(root, 'scripts/compile-bundles.mjs')]);
if (!cliOnly) writeStamp(root);

function buildLibrary() {
  const require = createRequire(import.meta.url);
  const { bin } = require('typescript/package.json');
  const folder = dirname(require.resolve('typescript/package.json'));
  run([join(folder, bin.tsc), '-p', join(root, 'tsconfig.build.json')]);
}

// Script and style of the interactive page. The package of their makers reports each installation;
// this one carries the same files and does not.
function copyPage() {
  const require = createRequire(import.meta.url);
  const from = dirname(require.resolve('@fastify/swagger-ui/package.json'));
  mkdirSync(join(root, 'dist/swagger-ui'));
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    copyFileSync(join(from, 'static', file), join(root, 'dist/swagger-ui', file));
  }
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// Six bundles: --help and mistakes read only the first, a single document only the first two,
// the signing service, its HTTP interface, doctor and batches one more. CommonJS, because only a
// script can be given compiled code; ES modules cannot.
async function buildBundle(entryPoint, name) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    define: { INNSIGLI_VERSION: JSON.stringify(version), 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !bundled.includes(name),
    ),
    plugins: [bundlesApart(), withoutChildProcess()],
    logLevel: 'warning',
  });
  // A script that runs from compiled code may not import(): the loader does it instead.
  const text = outputFiles[0].text.replace(/\bimport\((?=")/g, 'importModule(');
  // The first line names the compiled code that belongs to exactly this text.
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  writeFileSync(join(root, 'dist/cli', name), `//${digest}\n${text}`);
}

function bundlesApart() {
  const apart = (path) => (args) =>
    args.kind === 'entry-point' ? undefined : { path, external: true };
  return {
    name: 'bundles-apart',
    setup({ onResolve }) {
      onResolve({ filter: /\/wire\/toolkit\.ts$/ }, apart('./toolkit.cjs'));
      onResolve({ filter: /\/service\/service\.ts$/ }, apart('./service.cjs'));
      onResolve({ filter: /\/diagnose\/diagnose\.ts$/ }, apart('./diagnose.cjs'));
      onResolve({ filter: /\/wire\/serve\/serve\.ts$/ }, apart('./serve.cjs'));
      onResolve({ filter: /\/batch\/index\.ts$/ }, apart('./batch.cjs'));
    },
  };
}

// commander asks for child_process at once, which costs a tenth of the start; it would use it
// only for subcommands that are programs of their own.
function withoutChildProcess() {
  return {
    name: 'without-child-process',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: 'empty' }));
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {}' }));
    },
  };
}
