import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
// An entry of dist/ is a folder below the root; the sources, bundles and other parts are two.
const near = ['../', '../../'] as const;
const [likely, other] = /\/dist\/[^/]+$/.test(import.meta.url) ? near : near.toReversed();
// To find a file again takes Node far longer than this.
const known = new Map<string, unknown>();

/** The value of a JSON file of the package, such as `locales/en.json`; it is read once. */
export function packageData(path: `${string}.json`): unknown {
  if (!known.has(path)) known.set(path, readData(path));
  return known.get(path);
}

function readData(path: string): unknown {
  try {
    return load(`${likely}${path}`);
  } catch (error) {
    // Whoever bundles the library may have put it elsewhere.
    if (!isMissing(error)) throw error;
    return load(`${other}${path}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
