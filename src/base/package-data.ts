import { createRequire } from 'node:module';

// The sources, dist/ and its bundles are equally far from the root of the package.
const load = createRequire(import.meta.url);

/** The value of a JSON file of the package, such as `locales/en.json`; it is read once. */
export function packageData(path: `${string}.json`): unknown {
  return load(`../../${path}`);
}
