#!/usr/bin/env node
// Loads a bundle of dist/cli together with the code that V8 compiled for it at build time, which
// halves the time to start. Another version of Node finds that code unfit and compiles again.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'cli');

const loaded = new Map();

/** The exports of a bundle, and the script with the file that its compiled code belongs in. */
exports.loadBundle = (name) => {
  if (!loaded.has(name)) loaded.set(name, load(name));
  return loaded.get(name);
};

function load(name) {
  const filename = join(folder, name);
  const text = readBundle(filename);
  // The first line is `//` and the digest of the rest.
  const codeFile = join(folder, `${text.slice(2, text.indexOf('\n'))}.code`);
  // It is a function as it stands: a frame around it would be a second copy of some megabytes.
  const script = new Script(text, { filename, cachedData: readCode(codeFile) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, filename, importModule);
  return { exports: module.exports, script, codeFile };
}

// Bundles name each other as `./batch.cjs`, and their parts as `./toolkit.cjs#src/wire/toolkit.ts`.
// Packages that are no ES modules are required: import() would start the loader of ES modules.
async function importModule(id) {
  if (id.startsWith('./')) {
    const [name, part] = id.slice(2).split('#');
    const bundle = exports.loadBundle(name).exports;
    return part === undefined ? bundle : bundle[part]();
  }
  if (id.startsWith('node:')) return require(id);
  if (!id.startsWith('commonjs:')) return import(id);
  const found = require(id.slice('commonjs:'.length));
  return Object.create(found, { default: { value: found } });
}

function readBundle(filename) {
  try {
    // As the build writes it.
    return readFileSync(filename, 'latin1');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    process.stderr.write('innsigli: the command line is not built: run npm run build\n');
    process.exit(1);
  }
}

function readCode(filename) {
  try {
    return readFileSync(filename);
  } catch {
    return undefined;
  }
}

if (require.main === module) exports.loadBundle('main.cjs').exports.main();
