// Builds dist/: the library by esbuild, with the types reachable from its entries, and the command
// line as bundles that start fast. The output of tsc for each source stays in build/. `--cli`
// builds the command line only; `--if-needed` skips the build if dist/ matches these sources: npm
// runs `prepare` before each npx in a clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, removeStamp, writeStamp } from './build-stamp.mjs';
import { bundledByProgram, bundledPackages } from './bundled-packages.mjs';
import { copyReachableTypes } from './reachable-types.mjs';
import { shareShapes } from './shared-shapes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv.includes('--if-needed') && isBuilt(root)) process.exit();
// Without the build tools, as in an installed package, the script ends here.
const { build } = await import('esbuild');
const { version, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

const installed = Object.keys({ ...dependencies, ...optionalDependencies });
const entries = ['index', 'toolkit', 'server', 'errors'];

// A bundle loads another one, or a part of it, on demand: loaded code costs time, used or not. The
// service, its HTTP interface and doctor are parts of one bundle, because they share nearly all of
// their sources.
const inFolder = (name) => (file) => `src/cli/commands/${name}/${file}.ts`;
const ofDocuments = ['archive', 'archive-plan', 'seal', 'seal-xml', 'seal-xml-run', 'verify'];
const others = readdirSync(join(root, 'src/cli/commands'), { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/cli/commands/${path}`)
  .filter((path) => ![...ofDocuments, 'verify-results'].map(inFolder('documents')).includes(path));
const bundles = {
  // The list of commands, and the code common to all commands.
  'main.cjs': ['src/cli/main.ts'],
  'documents.cjs': ofDocuments.map(inFolder('documents')),
  'commands.cjs': [...others, 'src/cli/short-keys.ts', 'src/wire/service/clock-watch.ts'],
  // Commands on documents, and their reports.
  'toolkit.cjs': [
    'src/wire/toolkit.ts',
    'src/wire/trust-profiles.ts',
    'src/cli/report/index.ts',
    inFolder('documents')('verify-results'),
  ],
  'store.cjs': ['src/adapters/store/index.ts'],
  'service.cjs': [
    // A second copy, so that commands on processes need not load two bundles with nearly the same
    // code.
    'src/wire/toolkit.ts',
    'src/wire/service/service.ts',
    'src/wire/serve/serve.ts',
    'src/wire/diagnose/diagnose.ts',
  ],
  'batch.cjs': ['src/cli/batch/index.ts'],
  // Half a megabyte that only drawing needs.
  'pdf-lib.cjs': ['pdf-lib/dist/pdf-lib.min.js'],
};
/**
 * The bundle that contains an entry imported by another bundle. Undefined for the importer's own
 * sources.
 */
function bundleFor(entry, importer) {
  const found = Object.keys(bundles).filter((name) => bundles[name].includes(entry));
  if (found.includes(importer)) return undefined;
  return importer === 'commands.cjs' ? found.at(-1) : found[0];
}

const cliOnly = process.argv.includes('--cli');
removeStamp(root);
rmSync(join(root, cliOnly ? 'dist/cli' : 'dist'), { recursive: true, force: true });
if (!cliOnly) {
  compile();
  copyReachableTypes(join(root, 'build'), join(root, 'dist'), entries, bundledPackages);
  await buildLibrary();
  copyFiles('@fastify/swagger-ui', 'static', 'swagger-ui', [
    'swagger-ui-bundle.js',
    'swagger-ui.css',
  ]);
  await buildPage();
  copyFiles('@expo-google-fonts/noto-sans', '', 'fonts', [
    '400Regular/NotoSans_400Regular.ttf',
    '700Bold/NotoSans_700Bold.ttf',
  ]);
}
for (const name of Object.keys(bundles)) await buildBundle(name);
run([join(root, 'scripts/compile-bundles.mjs')]);
if (!cliOnly) writeStamp(root);

function compile() {
  const require = createRequire(import.meta.url);
  const { bin } = require('typescript/package.json');
  const folder = dirname(require.resolve('typescript/package.json'));
  rmSync(join(root, 'build'), { recursive: true, force: true });
  run([join(folder, bin.tsc), '-p', join(root, 'tsconfig.build.json')]);
  // Benchmarks run it and must see the same object shapes as the bundles.
  for (const name of readdirSync(join(root, 'build'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const path = join(root, 'build', name);
    const text = readFileSync(path, 'utf8');
    if (text.includes('...')) writeFileSync(path, shareShapes(text, 'module'));
  }
}

// One file per entry, and one per part that is loaded on demand.
async function buildLibrary() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => `src/${entry}.ts`),
    outdir: 'dist',
    write: false,
    chunkNames: 'lib/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Names are kept, for readable stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    external: installed.filter((name) => !bundledPackages.includes(name)),
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, shareShapes(text, 'module'));
  }
}

// Files of packages that users do not install: one package has two megabytes, of which we use one;
// the other reports each installation to its vendor.
function copyFiles(name, folder, target, files) {
  const from = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  mkdirSync(join(root, 'dist', target));
  for (const file of files) {
    copyFileSync(join(from, folder, file), join(root, 'dist', target, basename(file)));
  }
}

// The reader of the signing page, and pdf.js as published. Its package requires a newer Node than
// ours, so its browser files are in vendor/ and are copied only if unchanged.
async function buildPage() {
  await build({
    absWorkingDir: root,
    entryPoints: {
      'reader/reader': 'src/page/reader.ts',
      'reader/drawing': 'src/page/drawing.ts',
      embed: 'src/page/embed.ts',
    },
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    minify: true,
    logLevel: 'warning',
  });
  // The process and thread that extract texts are files next to pdf.js, outside all bundles.
  await build({
    absWorkingDir: root,
    entryPoints: {
      'text-process': 'src/adapters/pdf-text/text-process.ts',
      'text-thread': 'src/adapters/pdf-text/text-thread.ts',
    },
    outdir: 'dist/texts',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    logLevel: 'warning',
  });
  const { bin } = createRequire(import.meta.url)('typescript/package.json');
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const declares = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const to = ['--rootDir', 'src/page', '--outDir', 'build/page'];
  run([join(typescript, bin.tsc), '-p', join(root, 'tsconfig.page.json'), ...declares, ...to]);
  copyFileSync(join(root, 'build/page/embed.d.ts'), join(root, 'dist/embed.d.ts'));
  const from = join(root, 'vendor/pdfjs');
  for (const line of readFileSync(join(from, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, name] = line.split('  ');
    const content = readFileSync(join(from, name));
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== sum) throw new Error(`vendor/pdfjs/${name}: expected ${sum}, found ${found}`);
    mkdirSync(dirname(join(root, 'dist/reader', name)), { recursive: true });
    writeFileSync(join(root, 'dist/reader', name), content);
  }
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// --help and usage errors load only the first bundle, a single document the first two; the service,
// doctor and batches load one more. CommonJS, because cached code can be supplied for scripts but
// not for ES modules.
async function buildBundle(name) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: contentsOf(bundles[name]), resolveDir: root, sourcefile: name },
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
    external: installed.filter((name) => ![...bundledPackages, ...bundledByProgram].includes(name)),
    plugins: [bundlesApart(name), commonJsPackages(), withoutChildProcess()],
    logLevel: 'warning',
  });
  // A script that runs from cached code cannot use import(); the loader replaces it.
  const shared = shareShapes(outputFiles[0].text, 'script');
  const text = shared.replace(/\bimport\((?=")/g, 'importModule(');
  // V8 stores a string with two bytes per character as soon as one character is not Latin-1, which
  // would cost each run some megabytes. In a RegExp, write \u2019 for it. The file has one byte per
  // character as well: decoding UTF-8 takes twice the time of reading it.
  const [wide] = /.{0,40}[^\0-\xff].{0,40}/.exec(text) ?? [];
  if (wide !== undefined) throw new Error(`${name} is not Latin-1: ${wide}`);
  // The first line names the code cache that belongs to exactly this text.
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  const parameters = 'exports,require,module,__filename,importModule';
  const script = `//${digest}\n(function(${parameters}){${text}\n})`;
  writeFileSync(join(root, 'dist/cli', name), script, 'latin1');
}

// Several entries are parts: only the requested one is run. An import of a package gets its default
// export.
function contentsOf(entries) {
  const [entry] = entries;
  if (!isSource(entry)) return `exports.default = require('${entry}');`;
  if (entries.length === 1) return `export * from './${entry}';`;
  const parts = entries.map((entry) => `'${entry}': () => import('./${entry}'),`);
  return `module.exports = { ${parts.join(' ')} };`;
}

function isSource(entry) {
  return entry.startsWith('src/');
}

// A static import is bundled with its source.
function bundlesApart(name) {
  return {
    name: 'bundles-apart',
    setup({ onResolve }) {
      onResolve({ filter: /\.(ts|js)$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const entry = path.startsWith('.') ? relative(root, join(resolveDir, path)) : path;
        const bundle = bundleFor(entry, name);
        if (bundle === undefined) return undefined;
        const part = bundles[bundle].length > 1 ? `#${entry}` : '';
        return { path: `./${bundle}${part}`, external: true };
      });
    },
  };
}

// Packages without ES modules are marked for the loader: import() of one would start the ES module
// loader, which takes longer than most commands.
function commonJsPackages() {
  const isCommonJs = (name) => {
    const path = join(root, 'node_modules', name, 'package.json');
    // Optional packages may be absent.
    if (!existsSync(path)) return false;
    const { type, exports } = JSON.parse(readFileSync(path, 'utf8'));
    return type !== 'module' && exports === undefined;
  };
  return {
    name: 'common-js-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) => {
        if (kind !== 'dynamic-import') return undefined;
        const name = installed.find((each) => path === each || path.startsWith(`${each}/`));
        const isBundled = [...bundledPackages, ...bundledByProgram].includes(name);
        if (name === undefined || isBundled || !isCommonJs(name)) return undefined;
        return { path: `commonjs:${path}`, external: true };
      });
    },
  };
}

// commander imports child_process at load time, which takes a tenth of the start, but uses it only
// for subcommands that are separate programs. Later imports of it get the real module.
function withoutChildProcess() {
  return {
    name: 'without-child-process',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:child_process$/ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? undefined : { path, namespace: 'empty' },
      );
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {}' }));
    },
  };
}
