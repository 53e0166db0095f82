import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorsPage } from '../../scripts/errors-doc.ts';
import { manPages } from '../../scripts/man.ts';
import { errorKinds } from '../../src/base/errors.ts';
import { exitCodes } from '../../src/cli/guide/index.ts';

const pages = manPages();

describe('made from the code (npm run docs)', () => {
  test('man/ has one page a command and nothing else', () => {
    expect(pages.size).toBeGreaterThan(8);
    expect(readdirSync('man').sort()).toEqual([...pages.keys()].sort());
  });

  test.each([...pages])('man/%s', (name, text) => {
    expect(readFileSync(`man/${name}`, 'utf8')).toBe(text);
  });

  test('docs/errors.md', () => {
    expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsPage());
  });
});

test('every exit code of the registry is explained', () => {
  const explained = new Set<number>(exitCodes.map(([code]) => code));
  for (const [code, { exitCode }] of Object.entries(errorKinds)) {
    expect(explained.has(exitCode), code).toBe(true);
  }
});
