import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledPackages } from '../../scripts/bundled-packages.mjs';
import { errorKinds } from '../../src/base/errors.ts';
import { findingKinds } from '../../src/verify/findings/index.ts';
import { globalFaults } from './law/banned-globals.ts';
import { cycleFaults } from './law/cycles.ts';
import { dependencyFaults, type PackageUse } from './law/dependency-rules.ts';
import { errorCodeFaults, findingCodeFaults } from './law/error-code-rules.ts';
import { importFaults, zoneOf } from './law/import-rules.ts';
import { readModule } from './law/module-facts.ts';
import { unnamedTypes } from './law/public-types.ts';
import { reservedErrorCodes, toolPackages } from './law/reserved.table.ts';
import { documentationFaults, folderFaults, sizeFaults, styleFaults } from './law/size-rules.ts';
import { listSources, readAllModules, repositoryRoot } from './law/sources.ts';
import { unusedExportFaults } from './law/unused-exports.ts';

const modules = readAllModules();
const registry = Object.keys(errorKinds);
const outside = ['test', 'scripts', 'bench', 'bin'].flatMap((folder) =>
  listSources(folder).map((path) => ({
    path: `${folder}/${path}`,
    text: readFileSync(join(repositoryRoot, folder, path), 'utf8'),
  })),
);

describe('architecture rules of src/ (architecture.md §2, §3)', () => {
  test('are checked on a plausible number of files, functions and exports', () => {
    expect(modules.length).toBeGreaterThan(60);
    expect(modules.flatMap((module) => module.imports).length).toBeGreaterThan(200);
    expect(modules.flatMap((module) => module.functions).length).toBeGreaterThan(500);
    expect(modules.flatMap((module) => module.exports).length).toBeGreaterThan(200);
    for (const zone of ['base', 'formats', 'trust', 'seal', 'verify', 'app', 'adapters', 'cli']) {
      expect(modules.filter((module) => zoneOf(module.path) === zone).length, zone).toBeGreaterThan(
        1,
      );
    }
  });

  const checks = {
    'imports follow the table and point inward': importFaults,
    'the core has no clock, randomness, environment or I/O': globalFaults,
    'files, functions, lines and indexes keep their size limits': sizeFaults,
    'names are meaningful, exports are named, and no TODO is left': styleFaults,
    'every exported symbol has a doc comment': documentationFaults,
  };
  test.each(Object.entries(checks))('every module conforms: %s', (_, check) => {
    expect(modules.flatMap(check)).toEqual([]);
  });

  test('no folder has too many files', () => {
    expect(folderFaults(modules)).toEqual([]);
  });

  test('there are no cycles between files or folders', () => {
    expect(cycleFaults(modules)).toEqual([]);
  });

  test('every export is imported somewhere', () => {
    expect(unusedExportFaults(modules, outside)).toEqual([]);
  });

  test('every registered error code is used, and every documented one exists', () => {
    expect(errorCodeFaults(modules, registry, reservedErrorCodes)).toEqual([]);
  });

  test('every registered finding code is used', () => {
    expect(findingCodeFaults(modules, Object.keys(findingKinds))).toEqual([]);
  });

  test('docs/errors.md and the registry name the same error codes', () => {
    const path = join(repositoryRoot, 'docs/errors.md');
    expect(existsSync(path), 'docs/errors.md exists').toBe(true);
    const rows = readFileSync(path, 'utf8').matchAll(/^\|\s*`([a-z0-9._]+)`/gm);
    expect([...rows].map((row) => row[1]).sort()).toEqual([...registry].sort());
  });

  test('packages are pinned and imported, and nothing undeclared is imported', () => {
    const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
    expect(dependencyFaults(manifest, packageUses(), toolPackages, bundledPackages)).toEqual([]);
  });
});

function packageUses(): PackageUse[] {
  const uses = modules.flatMap(({ path, imports }): PackageUse[] =>
    imports.map(({ specifier }) => ({ path: `src/${path}`, specifier })),
  );
  for (const { path, text } of outside) {
    if (namesNoPackage(text)) continue;
    for (const { specifier } of readModule(path, text).imports) uses.push({ path, specifier });
  }
  uses.push({ path: 'vitest.config.ts', specifier: 'vitest/config' });
  return uses;
}

/** By the look of it: most tests import nothing but our files and vitest, and are not parsed. */
function namesNoPackage(text: string): boolean {
  const computed = /\bimport\s*\(\s*[^'"\s]/.test(text);
  const named = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)];
  return !computed && named.every(([, name = '']) => /^(?:\.|node:|vitest$)/.test(name));
}

describe('callers can name every type of a public declaration', () => {
  test.each(['index.ts', 'toolkit.ts', 'server.ts', 'errors.ts'])(
    'of the entry point %s',
    (entry) => {
      expect(unnamedTypes(modules, entry)).toEqual([]);
    },
  );
});
