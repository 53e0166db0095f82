import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const inputs = ['src', 'bin', 'package.json', 'package-lock.json', 'tsconfig.json'];
const tools = [
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundled-packages.mjs',
  'scripts/compile-bundles.mjs',
  'scripts/reachable-types.mjs',
  'scripts/shared-shapes.mjs',
];

/**
 * Whether nothing needs to be built: dist/ matches these sources, or the package has no sources.
 */
export function isBuilt(root) {
  if (!existsSync(join(root, 'src'))) return true;
  const stamp = join(root, 'dist/.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest(root);
}

/** Records that dist/ matches the current sources. */
export function writeStamp(root) {
  writeFileSync(join(root, 'dist/.stamp'), digest(root));
}

/** Called before a build: an interrupted build does not count as built. */
export function removeStamp(root) {
  rmSync(join(root, 'dist/.stamp'), { force: true });
}

function digest(root) {
  const hash = createHash('sha256');
  for (const path of [...inputs, ...tools].flatMap((input) => listFiles(root, input))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(root, path) {
  if (/\.\w+$/.test(path)) return existsSync(join(root, path)) ? [path] : [];
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
