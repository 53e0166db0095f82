import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpackFiles } from '../../../../src/app/screening/lists/unpack-files.ts';
import { limits } from '../../../../src/base/limits.ts';
import { costlyTest } from '../../../support/sample.ts';

const csv = Buffer.from('category,last_name\nPEP,Dvorsky\n');
const packed = gzipSync(csv);
const unpack = (content: Uint8Array) => unpackFiles([{ name: 'SDN.CSV.gz', content }]);

test('unpacks gzip files and leaves other files unchanged', async () => {
  const files = await unpackFiles([
    { name: 'SDN.CSV.gz', content: packed },
    { name: 'alt.csv', content: csv },
  ]);
  expect(files.map(({ name }) => name)).toEqual(['SDN.CSV', 'alt.csv']);
  expect(files.map(({ content }) => Buffer.from(content).equals(csv))).toEqual([true, true]);
});

test.each([
  ['cut', packed.subarray(0, -9)],
  ['without its checksum', packed.subarray(0, -8)],
  [
    'with a changed byte',
    Buffer.concat([packed.subarray(0, 12), Buffer.from([0xff]), packed.subarray(13)]),
  ],
  ['with only its first bytes', packed.subarray(0, 3)],
])('rejects a gzip file %s', async (_, content) => {
  await expect(unpack(content)).rejects.toMatchObject({ code: 'screening.list.invalid' });
});

costlyTest('rejects a gzip file that unpacks to more than its limit', async () => {
  const allowed = gzipSync(Buffer.alloc(limits.gzipFreeBytes));
  expect((await unpack(allowed))[0]?.content).toHaveLength(limits.gzipFreeBytes);
  const bomb = gzipSync(Buffer.alloc(64 * limits.gzipFreeBytes));
  await expect(unpack(bomb)).rejects.toMatchObject({
    code: 'limit.exceeded',
    message: expect.stringMatching(/SDN\.CSV\.gz: expected at most \d+ decompressed bytes/),
  });
});
