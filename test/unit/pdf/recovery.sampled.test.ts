import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { concatBytes, latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { type Recovered, recoverSections } from '../../../src/formats/pdf/repair/recovery.ts';
import { asReference } from '../../../src/formats/pdf/syntax/objects.ts';
import { findOffsetBase } from '../../../src/formats/pdf/xref/offset-base.ts';
import { readHeader } from '../../../src/formats/pdf/xref/tail.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  addObjects,
  onePage,
  PdfBuilder,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
} from '../../support/pdf-builder.ts';
import { costlyTest, stepOf } from '../../support/sample.ts';

const recover = (pdf: Uint8Array | string): Recovered =>
  recoverSections(memorySource(typeof pdf === 'string' ? latin1Bytes(pdf) : pdf));

/** `number@text found there` or `number@container.index`, in order. */
function describeAll(pdf: Uint8Array | string): readonly string[] {
  const bytes = typeof pdf === 'string' ? latin1Bytes(pdf) : pdf;
  const { section } = recover(bytes);
  return section.ranges.flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, i) => {
      const entry = section.find(first + i);
      if (entry?.kind === 'compressed') return `${first + i}@${entry.container}.${entry.index}`;
      if (entry?.kind !== 'offset') return `${first + i}@nothing`;
      const { offsetBytes, generation } = entry;
      const text = latin1Text(bytes.subarray(offsetBytes, offsetBytes + 60));
      expect(text).toMatch(new RegExp(`^${first + i}\\s+${generation}\\s+obj`));
      return `${first + i}@${/obj\s*([^\n]*)/.exec(text)?.[1] ?? ''}`;
    }),
  );
}

const codes = (pdf: Uint8Array | string): readonly string[] =>
  recover(pdf)
    .findings.map(({ code }) => code)
    .filter((code) => code !== 'xref.rebuilt');
const rootOf = (pdf: Uint8Array | string): number | undefined =>
  asReference(recover(pdf).section.trailer.get('Root'))?.objectNumber;

const head = '%PDF-1.7\n';
const bodies = onePage.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('');
const plain = ['1@<</Type/Catalog/Pages 2 0 R>>', '2@<</Type/Pages/Kids[3 0 R]/Count 1>>'];
const page = '3@<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>';
const trailer = 'trailer\n<</Size 4/Root 1 0 R>>\n';
const streamOf = (length: string, data: string): string =>
  `4 0 obj\n<</Length ${length}>>\nstream\n${data}\nendstream\nendobj\n`;
/** A PDF inside a stream: its objects are data. */
const inner = latin1Text(pdfWithTable(['(wrong)', '(wrong)', '(wrong)', '(wrong)', '(wrong)']));

type Case = readonly [string, Uint8Array | string, readonly string[], readonly string[]];

const cases: readonly Case[] = [
  ['no table at all', head + bodies + trailer, [...plain, page], []],
  ['table', pdfWithTable(onePage), [...plain, page], []],
  ['linearized', pdfLinearizedLike(onePage), [...plain, page], []],
  [
    'no line end between objects',
    head + bodies.replaceAll('endobj\n', 'endobj '),
    [...plain, page],
    ['trailer.root'],
  ],
  [
    'no endobj',
    (head + bodies + trailer).replaceAll('endobj\n', ''),
    [...plain, page],
    ['object.unclosed'],
  ],
  [
    'garbage between objects',
    head + bodies.replaceAll('endobj\n', 'endobj\n\x80 obj 9 obj x 7 0 objx stream\n') + trailer,
    [...plain, page],
    [],
  ],
  [
    'header over several lines',
    head + (bodies + trailer).replace('3 0 obj', '3\r\n 0\r\n\tobj'),
    [...plain, page],
    [],
  ],
  [
    'truncated in the last object',
    head + bodies.slice(0, -20),
    plain,
    ['object.broken', 'trailer.root'],
  ],
  [
    'valid definition, then a broken one',
    `${head + bodies}3 0 obj\n<</A(\nendobj\n${trailer}`,
    [...plain, page],
    ['object.broken'],
  ],
  [
    'later definition',
    `${head + bodies}3 0 obj\n(new)\nendobj\n${trailer}`,
    [...plain, '3@(new)'],
    [],
  ],
  [
    'header in a string',
    `${head + bodies}4 0 obj\n<</A(3 0 obj stream endobj)>>\nendobj\n${trailer}`,
    [...plain, page, '4@<</A(3 0 obj stream endobj)>>'],
    [],
  ],
  [
    'huge numbers',
    `${head + bodies}8388608 0 obj 1 endobj 9${'0'.repeat(30)} 0 obj 1 endobj 5 99999 obj 1 endobj${trailer}`,
    [...plain, page],
    ['object.number'],
  ],
  [
    'object number 0',
    `${head + bodies}0 0 obj 1 endobj ${trailer}`,
    [...plain, page],
    ['object.number'],
  ],
  [
    'PDF in a stream',
    head + bodies + streamOf(String(inner.length), inner) + trailer,
    [...plain, page, `4@<</Length ${inner.length}>>`],
    [],
  ],
  [
    'PDF in a stream, length by reference',
    `${head + bodies + streamOf('5 0 R', inner.replace('(wrong)', '<<>>\nstream\n1\nendstream'))}5 0 obj\n${inner.length + 17}\nendobj\n${trailer}`,
    [...plain, page, '4@<</Length 5 0 R>>', `5@${inner.length + 17}`],
    [],
  ],
  [
    'length too short',
    head + bodies + streamOf('1', 'abc') + trailer,
    [...plain, page, '4@<</Length 1>>'],
    ['stream.length'],
  ],
  [
    'length absent',
    head + bodies + streamOf('null', 'abc') + trailer,
    [...plain, page, '4@<</Length null>>'],
    ['stream.length'],
  ],
  [
    'length by a dangling reference',
    head + bodies + streamOf('77 0 R', 'abc') + trailer,
    [...plain, page, '4@<</Length 77 0 R>>'],
    ['stream.length'],
  ],
  [
    'no endstream',
    `${head}4 0 obj\n<</Length 3>>\nstream\nabc\nendobj\n${bodies}${trailer}`,
    [...plain, page, '4@<</Length 3>>'],
    ['stream.length'],
  ],
  [
    'truncated in a stream',
    `${head + bodies + trailer}4 0 obj\n<</Length 30>>\nstream\nabc`,
    [...plain, page],
    ['object.broken'],
  ],
  ['no trailer', head + bodies, [...plain, page], ['trailer.root']],
  [
    'damaged trailer',
    `${head + bodies}trailer\n<</Root 1 0 R/Size>>`,
    [...plain, page],
    ['trailer.broken', 'trailer.root'],
  ],
  [
    'trailer with a dangling root',
    `${head + bodies}trailer\n<</Root 9 0 R>>`,
    [...plain, page],
    ['trailer.root'],
  ],
  [
    'newest trailer with a dangling root',
    `${head + bodies + trailer}trailer\n<</Root 2 1 R>>`,
    [...plain, page],
    [],
  ],
  [
    'object stream',
    pdfWithObjectStream(onePage),
    [
      '1@90.0',
      '2@90.1',
      '3@90.2',
      '90@<</Type/ObjStm/N 3/First 14/Filter/FlateDecode/Length ',
      '91@<</Type/XRef/Size 92/Root 1 0 R/W[1 4 2]/Index[0 4 90 2]',
    ],
    [],
  ],
  [
    'hybrid',
    pdfHybrid(onePage, 3),
    [
      ...plain,
      '3@4.0',
      '4@<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 58>',
      '5@<</Type/XRef/Size 6/Root 1 0 R/W[1 4 2]/Index[0 6]/Length',
    ],
    [],
  ],
];

test.each(cases)('recovers the objects: %s', (_, pdf, objects, findings) => {
  const cut = (text: string): string => text.slice(0, 40);
  expect(describeAll(pdf).map(cut)).toEqual(objects.map(cut));
  expect(codes(pdf)).toEqual(findings);
  expect(rootOf(pdf)).toBe(1);
});

test('the later of an object and an object stream in the file takes precedence', () => {
  const before = addObjects(new PdfBuilder(), onePage).objectStream(90, [[3, '(compressed)']]);
  expect(describeAll(before.bytes)[2]).toBe('3@90.0');
  const after = new PdfBuilder().objectStream(90, [[3, '(compressed)']]);
  expect(describeAll(addObjects(after, onePage).bytes)[2]).toBe(page);
});

test('a catalog in an object stream is found without a trailer', () => {
  const pdf = new PdfBuilder().objectStream(
    9,
    onePage.map((body, i) => [i + 1, body] as const),
  ).bytes;
  expect(rootOf(pdf)).toBe(1);
  expect(codes(pdf)).toEqual(['trailer.root']);
  expect(recover(pdf).section.kind).toBe('stream');
});

test('a damaged object stream is reported and the rest is read', () => {
  const pdf = addObjects(new PdfBuilder(), onePage).stream(
    8,
    '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
    'no deflated data',
  ).bytes;
  expect(codes(pdf)).toEqual(['container.broken', 'trailer.root']);
  expect(describeAll(pdf).slice(0, 3)).toEqual([...plain, page]);
});

test('the trailer takes each entry from the newest dictionary that has it', () => {
  const old = 'trailer<</Root 1 0 R/Info 2 0 R/ID[(a)(b)]/Encrypt 3 0 R/Prev 7/XRefStm 8>>';
  const { trailer: found } = recover(`${head}${bodies}${old}trailer<</Info 3 0 R>>`).section;
  expect([...found.keys()]).toEqual(['Size', 'Root', 'Encrypt', 'Info', 'ID']);
  expect(asReference(found.get('Info'))?.objectNumber).toBe(3);
  expect(found.get('Size')).toBe(4);
});

test('no root is returned without a catalog', () => {
  expect(rootOf(`${head}1 0 obj\n42\nendobj\ntrailer<</Root 1 0 R>>`)).toBeUndefined();
  expect(codes('')).toEqual(['trailer.root']);
});

test('the actual length of a stream is recovered', () => {
  const { section, streamLengths } = recover(head + bodies + streamOf('1', 'abc'));
  const entry = section.find(4);
  expect(entry?.kind === 'offset' && streamLengths.get(entry.offsetBytes)).toBe(3);
});

test('object streams of encrypted files are decoded by the caller', () => {
  const secret = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0x55);
  const clear = latin1Bytes(`1 0 ${onePage[0]}`);
  const pdf = new PdfBuilder()
    .object(2, onePage[1] as string)
    .object(6, '<</Filter/Standard>>')
    .stream(5, '/Type/ObjStm/N 1/First 4', secret(clear))
    .raw('trailer<</Root 1 0 R/Encrypt 6 0 R>>').bytes;
  const source = memorySource(pdf);
  const blind = recoverSections(source);
  expect(asReference(blind.section.trailer.get('Root'))?.objectNumber).toBe(1);
  expect(blind.section.find(1)).toBeUndefined();
  const { section } = recoverSections(source, (objectNumber, stream, explicit) => {
    expect(objectNumber).toBe(5);
    expect(asReference(explicit.trailer.get('Encrypt'))?.objectNumber).toBe(6);
    expect(explicit.find(6)?.kind).toBe('offset');
    return secret(stream.raw);
  });
  expect(section.find(1)).toEqual({ kind: 'compressed', container: 5, index: 0 });
});

test('keywords and objects across a chunk boundary are found', () => {
  for (let shift = -20; shift <= 20; shift += stepOf(1)) {
    const filler = ' '.repeat(1024 * 1024 + shift - head.length);
    expect(describeAll(head + filler + bodies + trailer)).toEqual([...plain, page]);
  }
});

const junk = 'JUNK\r\n';
const relative = concatBytes([latin1Bytes(junk), pdfWithTable(onePage)]);
const absolute = (() => {
  const builder = addObjects(new PdfBuilder(junk + head), onePage);
  return builder.end(builder.table()).bytes;
})();
const withStream = (text: string): Uint8Array => {
  const builder = addObjects(new PdfBuilder(text + head), onePage);
  return builder.end(builder.xrefStream(9)).bytes;
};

test.each([
  ['no bytes before the header', pdfWithTable(onePage), 0],
  ['offsets from the header', relative, junk.length],
  ['offsets from the first byte', absolute, 0],
  ['a stream, from the header', concatBytes([latin1Bytes(junk), withStream('')]), junk.length],
  ['a stream, from the first byte', withStream(junk), 0],
  ['one line feed, from the header', concatBytes([latin1Bytes('\n'), pdfWithTable(onePage)]), 1],
  ['one line feed, from the first byte', withStream('\n'), 0],
  ['neither', latin1Bytes(latin1Text(relative).replace(/startxref\n\d+/, 'startxref\n33')), 6],
  ['no startxref', latin1Bytes(junk + head + bodies), junk.length],
])('finds the offset base: %s', (_, bytes, expected) => {
  const source = memorySource(bytes);
  expect(findOffsetBase(source, readHeader(source))).toBe(expected);
});

costlyTest('recovers 200,000 objects in bounded time', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `${i + 1} 0 obj\n[${i}]\nendobj\n`);
  const started = cpuMs();
  const { section } = recover(head + rows.join(''));
  expect(section.ranges).toEqual([{ first: 1, count: 200_000 }]);
  expect(cpuMs() - started).toBeLessThan(5_000);
});

costlyTest('rejects an object stream that decodes to more than the limit', () => {
  const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 });
  const pdf = new PdfBuilder().stream(5, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode', bomb).bytes;
  expect(() => recover(pdf)).toThrowError(expect.objectContaining({ code: 'limit.exceeded' }));
});
