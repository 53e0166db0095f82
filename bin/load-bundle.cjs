// Loads a bundle of dist/cli together with the code that V8 compiled for it at build time, which
// halves the time to start. Another version of Node finds that code unfit and compiles again.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'cli');

/** The exports of a bundle, and the script that `createCachedData` can be asked of. */
exports.loadBundle = (name) => {
  const filename = join(folder, name);
  const source = `(function(exports,require,module,__filename){${readFileSync(filename, 'utf8')}\n})`;
  const script = new Script(source, {
    filename,
    cachedData: readCode(`${filename}.code`),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireFrom, module, filename);
  return { exports: module.exports, script };
};

// Bundles name each other as `./toolkit.cjs`; everything else is a package or part of Node.
function requireFrom(id) {
  return id.startsWith('./') ? exports.loadBundle(id).exports : require(id);
}

function readCode(filename) {
  try {
    return readFileSync(filename);
  } catch {
    return undefined;
  }
}
