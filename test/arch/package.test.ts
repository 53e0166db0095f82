import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isBuilt, removeStamp, writeStamp } from '../../scripts/build-stamp.mjs';
import {
  absentPackages,
  bundledFolders,
  licensesPage,
  lockedPackages,
  productionPackages,
} from '../../scripts/third-party.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('package-lock.json', () => {
  test('every production package has an integrity hash', () => {
    const packages = [...productionPackages()];
    expect(packages.length).toBeGreaterThan(100);
    const without = packages.filter(
      ([, { integrity }]) => !/^sha512-\S{86}==/.test(integrity ?? ''),
    );
    expect(without.map(([folder]) => folder)).toEqual([]);
  });

  test('no package sends telemetry, and only known packages run install scripts', () => {
    const folders = [...lockedPackages()];
    expect(folders.filter(([folder]) => /scarf/.test(folder))).toEqual([]);
    const running = folders.filter(([, { hasInstallScript }]) => hasInstallScript);
    // One is compiled, one installs its executable; fsevents is for a different system.
    const known = ['better-sqlite3', 'esbuild', 'fsevents'].map((name) => `node_modules/${name}`);
    expect(running.map(([folder]) => folder).filter((folder) => !known.includes(folder))).toEqual(
      [],
    );
    expect(productionPackages().get('node_modules/better-sqlite3')?.optional).toBe(true);
  });

  test('every production package supports the oldest supported Node', () => {
    const faults = [...productionPackages()].filter(([folder, { engines, optional }]) => {
      // The driver for later versions; npm skips it on this one.
      if (optional === true && folder === 'node_modules/better-sqlite3-napi') return false;
      const range = engines?.node ?? '';
      const least = [...range.matchAll(/(?:>=|\^)\s*(\d+)/g)].map(([, major]) => Number(major));
      return least.length > 0 && Math.min(...least) > 20;
    });
    expect(faults).toEqual([]);
  });
});

test('package.json is publishable and declares nothing users do not need', () => {
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('overrides');
  expect(manifest.optionalDependencies).toHaveProperty('better-sqlite3');
  expect(manifest.files).toContain('THIRD-PARTY-LICENSES');
});

const absent = absentPackages();
if (absent.length > 0) console.warn(`SKIPPED drift of THIRD-PARTY-LICENSES: no ${absent.join()}`);

test.skipIf(absent.length > 0)('THIRD-PARTY-LICENSES is up to date (npm run docs)', () => {
  expect(readFileSync('THIRD-PARTY-LICENSES', 'utf8') === licensesPage()).toBe(true);
});

test('the licences include those of bundled packages and their dependencies', () => {
  // pdf-lib bundles its own tslib, which differs from the installed one.
  const brought = ['@pdf-lib/standard-fonts', '@pdf-lib/upng', 'pdf-lib/node_modules/tslib'];
  const folders = brought.map((name) => `node_modules/${name}`);
  expect(bundledFolders()).toEqual(expect.arrayContaining(folders));
  const installed = productionPackages();
  expect(folders.filter((folder) => installed.has(folder))).toEqual([]);
  const { version } = lockedPackages().get('node_modules/pdf-lib/node_modules/tslib') ?? {};
  expect(readFileSync('THIRD-PARTY-LICENSES', 'utf8')).toContain(`\ntslib ${version} (`);
});

describe('an existing build is not repeated', () => {
  const inFolder = (work: (root: string) => void) => () => {
    const root = newTemporaryFolder('stamp');
    try {
      work(root);
    } finally {
      rmSync(root, { recursive: true });
    }
  };

  test(
    'an installed package needs no build',
    inFolder((root) => expect(isBuilt(root)).toBe(true)),
  );

  test(
    'a clone is built once per state of its sources',
    inFolder((root) => {
      for (const folder of ['src/base', 'bin', 'dist']) {
        mkdirSync(join(root, folder), { recursive: true });
      }
      writeFileSync(join(root, 'src/base/a.ts'), 'a');
      const answers = [isBuilt(root)];
      writeStamp(root);
      answers.push(isBuilt(root));
      writeFileSync(join(root, 'src/base/a.ts'), 'b');
      answers.push(isBuilt(root));
      writeStamp(root);
      removeStamp(root);
      answers.push(isBuilt(root));
      expect(answers).toEqual([false, true, false, false]);
    }),
  );

  test(
    'a change of the build scripts triggers a build',
    inFolder((root) => {
      const text = readFileSync('scripts/build.mjs', 'utf8');
      const parts = [...text.matchAll(/ from '\.\/([\w-]+\.mjs)'/g)].map(([, name]) => `${name}`);
      const tools = ['build.mjs', ...parts.filter((name) => name !== 'build-stamp.mjs')];
      for (const folder of ['src', 'bin', 'dist', 'scripts']) mkdirSync(join(root, folder));
      const built = tools.map((name) => {
        writeStamp(root);
        writeFileSync(join(root, 'scripts', name), 'a');
        return [name, isBuilt(root)];
      });
      expect(built).toEqual(tools.map((name) => [name, false]));
    }),
  );
});
