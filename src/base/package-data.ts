import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
// Entry points in dist/ are one folder below the package root; sources, bundles and others two.
const near = ['../', '../../'] as const;
const [likely, other] = /\/dist\/[^/]+$/.test(import.meta.url) ? near : near.toReversed();
// Resolving a file again in Node takes far longer than this look-up.
const known = new Map<string, unknown>();

/** The value of a JSON file of the package, such as `locales/en.json`, read once. */
export function packageData(path: `${string}.json`): unknown {
  if (!known.has(path)) known.set(path, readData(path));
  return known.get(path);
}

function readData(path: string): unknown {
  try {
    return load(`${likely}${path}`);
  } catch (error) {
    // A bundler may have moved the file.
    if (!isMissing(error)) throw error;
    return load(`${other}${path}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
