import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from './law/sources.ts';

const files = await glob('test/**/*.test.ts', {
  cwd: repositoryRoot,
  ignore: ['test/interop/**'],
});
const kindOf = (file: string) =>
  /\.(slow|mocks|engines|sampled)\.test\.ts$/.exec(file)?.[1] ?? 'fast';
const textOf = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

describe('the name of a test file determines how it runs', () => {
  test('the test files are found', () => {
    expect(files.length).toBeGreaterThan(400);
    for (const kind of ['fast', 'slow', 'mocks', 'engines', 'sampled']) {
      expect(files.map(kindOf)).toContain(kind);
    }
  });

  test('files that replace modules run in isolation', () => {
    // A mock has no effect if a different file has already loaded the module.
    const replacing = files.filter((file) => /^vi\.(do)?mock\(/im.test(textOf(file)));
    expect(replacing.filter((file) => !['mocks', 'slow'].includes(kindOf(file)))).toEqual([]);
    expect(files.filter((file) => kindOf(file) === 'mocks' && !replacing.includes(file))).toEqual(
      [],
    );
  });

  test('files that use the database engine of their project run in both', () => {
    const asking = files.filter((file) =>
      /\/on-engines\.ts'|\bengines\b.*engines\.ts'/.test(textOf(file)),
    );
    expect(asking.filter((file) => kindOf(file) !== 'engines')).toEqual([]);
    expect(files.filter((file) => kindOf(file) === 'engines' && !asking.includes(file))).toEqual(
      [],
    );
  });

  test('files that sample their cases run in both', () => {
    // Elsewhere, the cases that the fast project skips would never run.
    const sampling = files.filter((file) => /\/sample\.ts'/.test(textOf(file)));
    expect(files.filter((file) => kindOf(file) === 'sampled')).toEqual(sampling);
  });

  test('only test files take samples', async () => {
    const others = await glob('test/**/*.ts', { cwd: repositoryRoot, ignore: ['**/*.test.ts'] });
    expect(others.filter((file) => /\/sample\.ts'/.test(textOf(file)))).toEqual([]);
  });
});
