import { expect, test } from 'vitest';
import { readZip } from '../../../../src/formats/zip/index.ts';
import { rawArchive } from './raw-archive.ts';

test('reads an archive with many entries', () => {
  const entries = Array.from({ length: 40_000 }, (_, i) => ({ name: `f${i}`, data: 'x' }));
  expect(readZip(rawArchive(entries)).entries).toHaveLength(40_000);
});
