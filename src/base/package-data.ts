import { existsSync, readFileSync } from 'node:fs';

const known = new Map<string, unknown>();
let root: URL | undefined;

/** The value of a JSON file of the package, such as `locales/en.json`; it is read once. */
export function packageData(path: `${string}.json`): unknown {
  if (!known.has(path)) {
    root ??= findRoot();
    known.set(path, JSON.parse(readFileSync(new URL(path, root), 'utf8')));
  }
  return known.get(path);
}

/** An entry of dist/ is a folder below it; the sources, bundles and other parts are two. */
function findRoot(): URL {
  const [one, two] = [new URL('../', import.meta.url), new URL('../../', import.meta.url)];
  return existsSync(new URL('package.json', one)) ? one : two;
}
