import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFileAtOnce, readTextNow } from '../../../src/adapters/read-file.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

const folder = newTemporaryFolder('read-file');
afterAll(() => rmSync(folder, { recursive: true }));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);

test.each(['Jóhann\n', ''])('the text of a file is read completely: %j', (text) => {
  const path = join(folder, 'password');
  writeFileSync(path, text);
  expect(readTextNow(path)).toBe(text);
});

// A password file is read in the thread that serves: a pipe without a writer would block it.
test.each([
  ['a pipe without a writer', pipe],
  ['a device', '/dev/zero'],
  ['a folder', folder],
])('%s is rejected without blocking', async (_, path) => {
  expect(() => readTextNow(path)).toThrow(expect.objectContaining({ code: 'EINVAL' }));
  await expect(readFileAtOnce(path)).rejects.toMatchObject({ code: 'EINVAL' });
});

test('a missing file causes the error of the system', () => {
  expect(() => readTextNow(join(folder, 'none'))).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});
