import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { asStream, openPdf, PdfReference, type PdfStream } from '../../../src/formats/pdf/index.ts';

const MB = 1024 * 1024;

/** A PDF without a cross-reference table, with object streams of these bytes. */
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
/** Complete except for its checksum, which is found at the very end. */
const damaged = (lengthBytes: number) => {
  const data = packed(lengthBytes);
  data.writeUInt32BE(7, data.length - 4);
  return data;
};
const open = (streams: readonly Buffer[]) => openPdf(memorySource(withContainers(streams)));

/** Text that compresses to a twentieth, as well as real object streams seldom do. */
const packedText = (lengthBytes: number) => {
  const words = Array.from({ length: lengthBytes / 64 }, (_, at) => {
    const number = Math.imul(at, 2_654_435_761) >>> 0;
    return `<</Type/Annot/Rect[0 0 0 0]/NM(${number.toString(36)})>>`.padEnd(64);
  });
  return deflateSync(words.join(''));
};

test('object streams of a large file may be large', () => {
  expect(open([packedText(12 * MB)]).trailer.has('Root')).toBe(true);
  expect(open([packed(3 * MB)]).trailer.has('Root')).toBe(true);
  expect(open([damaged(3 * MB)]).trailer.has('Root')).toBe(true);
});

/** A small file whose cross-reference stream has these filters and this data. */
function withSection(data: Buffer, filters: string): Buffer {
  const head = Buffer.from('%PDF-1.7\n');
  const dict = `/Type/XRef/Size 5/W[1 2 1]/Root 1 0 R/Filter[${filters}]/Length ${data.length}`;
  const section = Buffer.concat([
    Buffer.from(`1 0 obj<<${dict}>>stream\n`),
    data,
    Buffer.from(`\nendstream endobj\nstartxref\n${head.length}\n%%EOF\n`),
  ]);
  return Buffer.concat([head, section]);
}

test('a small file must not decode to much, and the error says so', () => {
  const twice = withSection(deflateSync(packed(100 * MB)), '/FlateDecode/FlateDecode');
  expect(twice.length).toBeLessThan(1000);
  expect(() => openPdf(memorySource(twice))).toThrow(
    expect.objectContaining({
      code: 'limit.exceeded',
      message: expect.stringMatching(/decode to more than 4\d{6} bytes/),
      hint: expect.stringContaining('save it again'),
    }),
  );
});

test('intermediate data between two filters counts', () => {
  // 3 MB of end-of-data bytes: the second filter yields nothing, so the next stream may follow.
  const empty = deflateSync(Buffer.alloc(3 * MB, 128));
  const stream = (at: number) =>
    Buffer.concat([
      Buffer.from(
        `${at} 0 obj<</Type/ObjStm/N 0/First 0/Length ${empty.length}` +
          '/Filter[/FlateDecode/RunLengthDecode]>>stream\n',
      ),
      empty,
      Buffer.from('\nendstream endobj\n'),
    ]);
  const all = Array.from({ length: 20 }, (_, at) => stream(at + 4));
  const file = (count: number) => {
    const base = withContainers([]);
    const end = base.lastIndexOf('trailer');
    return Buffer.concat([base.subarray(0, end), ...all.slice(0, count), base.subarray(end)]);
  };
  expect(openPdf(memorySource(file(1))).trailer.has('Root')).toBe(true);
  expect(() => openPdf(memorySource(file(20)))).toThrow(
    expect.objectContaining({ code: 'limit.exceeded' }),
  );
});

test('repeated decoding of a stream uses one budget', () => {
  const data = packed(3 * MB);
  const base = withContainers([]);
  const end = base.lastIndexOf('trailer');
  const extra = Buffer.concat([
    Buffer.from(`9 0 obj<</Length ${data.length}/Filter/FlateDecode>>stream\n`),
    data,
    Buffer.from('\nendstream endobj\n'),
  ]);
  const file = openPdf(
    memorySource(Buffer.concat([base.subarray(0, end), extra, base.subarray(end)])),
  );
  const stream = asStream(file.read(new PdfReference(9)));
  expect(stream).toBeDefined();
  const decode = () => file.decode(stream as PdfStream);
  expect(decode().length).toBe(3 * MB);
  expect(decode).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
});

test.each([
  ['each fits, but all together do not', () => Array(40).fill(packed(60 * MB))],
  ['one is too long by itself', () => [packed(300 * MB)]],
  ['all are damaged at their end', () => Array(100).fill(damaged(60 * MB))],
])('a large file has a limit too: %s', (_what, streams) => {
  expect(() => open(streams())).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
});

test.each(['<>', '()', '[]', '<<>>', '1 '])(
  'a small file must not contain a million values, however small each is: %s',
  (value) => {
    const data = Buffer.from(`3 0 [${value.repeat(1_000_000)}]`);
    const pdf = withContainers([deflateSync(data)]).toString('latin1');
    const small = Buffer.from(pdf.replace('/N 9/First 9', '/N 1/First 4'), 'latin1');
    const without = small.toString('latin1').replace('3 0 obj', '9 0 obj');
    const file = openPdf(memorySource(Buffer.from(without, 'latin1')));
    expect(() => file.read(new PdfReference(3, 0))).toThrow(/number of values/);
  },
);
