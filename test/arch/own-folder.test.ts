import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { TestProject } from 'vitest/node';
import { newSharedFolder, newTemporaryFolder } from '../support/folders.ts';
import { setup } from '../support/own-folder.ts';

afterEach(() => {
  process.exitCode = undefined;
});

function begin() {
  const config = { env: {} as Record<string, string> };
  const end = setup({ name: 'fast', config } as unknown as TestProject);
  return { end, folder: config.env['TMPDIR'] as string };
}

test('a run whose tests leave nothing behind succeeds and removes its folder', () => {
  const { end, folder } = begin();
  expect(existsSync(folder)).toBe(true);
  end();
  expect(existsSync(folder)).toBe(false);
  expect(process.exitCode).toBeUndefined();
});

test('a run whose tests leave a folder behind fails, names the folder and removes it', () => {
  const { end, folder } = begin();
  mkdirSync(join(folder, 'innsigli-left-Ab12'));
  expect(end).toThrow('fast: tests left temporary folders behind: innsigli-left-Ab12');
  expect(process.exitCode).toBe(1);
  expect(existsSync(folder)).toBe(false);
});

test('folders shared between test files do not fail a run', () => {
  const { end, folder } = begin();
  const shared = readdirSync(folder);
  expect(shared).toHaveLength(1);
  mkdirSync(join(folder, shared[0] as string, 'innsigli-acme-original-Ab12'));
  expect(end).not.toThrow();
});

test('every temporary folder is new, and shared folders are separate', () => {
  const [one, two, shared] = [
    newTemporaryFolder('x'),
    newTemporaryFolder('x'),
    newSharedFolder('x'),
  ];
  expect(new Set([one, two, shared]).size).toBe(3);
  for (const each of [one, two, shared]) expect(existsSync(each)).toBe(true);
});
