import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SMALL_BYTES, writeAtomically } from '../../../src/adapters/files/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = newTemporaryFolder('atomic');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test.each([
  ['an empty file', 0],
  ['a small file', 10],
  ['a large file', SMALL_BYTES + 1],
])(
  '%s is written completely, readable by its owner only, and no temporary file remains',
  async (_, lengthBytes) => {
    const folder = folderWith({ a: 'before' });
    const content = Buffer.alloc(lengthBytes, 7);
    await writeAtomically(join(folder, 'a'), content, { temporary: join(folder, 't') });
    expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a']);
  },
);

test('an existing file is kept if requested', async () => {
  const folder = folderWith({ a: 'first' });
  const options = { temporary: join(folder, 't'), existing: 'kept' } as const;
  await writeAtomically(join(folder, 'a'), Buffer.from('second'), options);
  await writeAtomically(join(folder, 'b'), Buffer.from('new'), options);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('first');
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['a', 'b']);
});

test('no link at the temporary path is followed', async () => {
  const folder = folderWith({ victim: 'mine' });
  symlinkSync(join(folder, 'victim'), join(folder, 't'));
  const writing = writeAtomically(join(folder, 'a'), Buffer.from('x'), {
    temporary: join(folder, 't'),
  });
  await expect(writing).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine');
});

test('a failure leaves the existing files unchanged', async () => {
  const folder = folderWith({ a: 'before' });
  const place = join(folder, 'missing', 'a');
  const options = { temporary: join(folder, 't') };
  await expect(writeAtomically(place, Buffer.from('x'), options)).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect(readdirSync(folder)).toEqual(['a']);
});
