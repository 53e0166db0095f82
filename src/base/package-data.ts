import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
// An entry of dist/ is a folder below the root; the sources, bundles and other parts are two.
const root = /\/dist\/[^/]+$/.test(import.meta.url) ? '../' : '../../';
// To find a file again takes Node far longer than this.
const known = new Map<string, unknown>();

/** The value of a JSON file of the package, such as `locales/en.json`; it is read once. */
export function packageData(path: `${string}.json`): unknown {
  if (!known.has(path)) known.set(path, load(`${root}${path}`));
  return known.get(path);
}
