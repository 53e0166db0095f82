import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';

const MB = 1024 * 1024;

/** A PDF without a cross-reference table, and with object streams of these octets. */
function withContainers(packed: readonly Buffer[]): Buffer {
  const head =
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n';
  const streams = packed.map((data, at) => {
    const dict = `<</Type/ObjStm/N 9/First 9/Length ${data.length}/Filter/FlateDecode>>`;
    return Buffer.concat([
      Buffer.from(`${at + 4} 0 obj${dict}stream\n`),
      data,
      Buffer.from('\nendstream endobj\n'),
    ]);
  });
  const end = 'trailer<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), ...streams, Buffer.from(end)]);
}
const packed = (lengthBytes: number) => deflateSync(Buffer.alloc(lengthBytes));
/** Complete but for its checksum: that is found at the very end. */
const damaged = (lengthBytes: number) => {
  const data = packed(lengthBytes);
  data.writeUInt32BE(7, data.length - 4);
  return data;
};
const open = (streams: readonly Buffer[]) => openPdf(memorySource(withContainers(streams)));

test('object streams may become large', () => {
  expect(open([packed(60 * MB)]).trailer.has('Root')).toBe(true);
  expect(open([damaged(10 * MB)]).trailer.has('Root')).toBe(true);
});

test.each([
  ['each of them fits, all together do not', () => Array(40).fill(packed(60 * MB))],
  ['one is too long by itself', () => [packed(300 * MB)]],
  ['all are damaged at their end', () => Array(100).fill(damaged(60 * MB))],
])('but not without end: %s', (_what, streams) => {
  expect(() => open(streams())).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
});
