import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { decodeStream } from '../../../src/formats/pdf/filters/filters.ts';
import {
  asStream,
  openPdf,
  type PdfObject,
  PdfReference,
  PdfStream,
  pdfName,
} from '../../../src/formats/pdf/index.ts';
import { addObjects, onePage, PdfBuilder } from '../../support/pdf-builder.ts';

function decode(dict: string, data: Uint8Array | string): string {
  const builder = addObjects(new PdfBuilder(), onePage).stream(4, dict, data);
  const file = openPdf(memorySource(builder.end(builder.table()).bytes));
  return latin1Text(file.decode(asStream(file.read(new PdfReference(4))) as PdfStream));
}

/** LZW according to ISO 32000-1 §7.4.4, with or without early change. */
function encodeLzw(data: Uint8Array, early: 0 | 1): Uint8Array {
  let bits = '';
  let table = new Map<string, number>();
  let width = 9;
  let next = 258;
  const emit = (code: number): void => {
    bits += code.toString(2).padStart(width, '0');
  };
  const codeOf = (sequence: string): number =>
    sequence.length === 1 ? sequence.charCodeAt(0) : (table.get(sequence) as number);
  emit(256);
  let current = '';
  for (const byte of data) {
    const longer = current + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      current = longer;
      continue;
    }
    emit(codeOf(current));
    table.set(longer, next++);
    if (next + early > 1 << width && width < 12) width++;
    if (next >= 4_095) {
      emit(256);
      table = new Map();
      next = 258;
      width = 9;
    }
    current = String.fromCharCode(byte);
  }
  if (current !== '') {
    emit(codeOf(current));
    if (++next + early > 1 << width && width < 12) width++;
  }
  emit(257);
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

const lzwExample = Uint8Array.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);

const cases: readonly (readonly [string, string, Uint8Array | string, string])[] = [
  ['no filter', '', 'plain', 'plain'],
  ['null as filter', '/Filter null', 'plain', 'plain'],
  ['Flate', '/Filter/FlateDecode', deflateSync(latin1Bytes('text')), 'text'],
  ['filter in an array', '/Filter[/FlateDecode]', deflateSync(latin1Bytes('text')), 'text'],
  ['ASCIIHex', '/Filter/ASCIIHexDecode', '48 65\n6C6c 6F7>', 'Hellop'],
  ['ASCII85', '/Filter/ASCII85Decode', '87cUR\nD]i,"Ebo80~>', 'Hello World!'],
  ['ASCII85 with z', '/Filter/ASCII85Decode', 'z5l~>', '\0\0\0\0A'],
  ['RunLength', '/Filter/RunLengthDecode', '\x02abc\xfdx\x80rest', 'abcxxxx'],
  ['LZW, example of the standard', '/Filter/LZWDecode', lzwExample, '-----A---B'],
  ['LZW without end', '/Filter/LZWDecode', lzwExample.subarray(0, 8), '-----A---B'],
  [
    'two filters',
    '/Filter[/ASCIIHexDecode/FlateDecode]',
    `${deflateSync(latin1Bytes('twice')).toString('hex')}>`,
    'twice',
  ],
  [
    'identity encryption',
    '/Filter[/Crypt/ASCIIHexDecode]/DecodeParms[<</Name/Identity>>null]',
    '41>',
    'A',
  ],
  [
    'PNG rows of each type',
    '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 3>>',
    deflateSync(
      Uint8Array.from([0, 1, 2, 3, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 4, 1, 1, 1, 2, 1]),
    ),
    '\x01\x02\x03\x01\x02\x03\x02\x03\x04\x02\x03\x04\x03\x04\x05\x04',
  ],
  [
    'PNG, three colours',
    '/Filter/FlateDecode/DecodeParms<</Predictor 11/Columns 2/Colors 3>>',
    deflateSync(Uint8Array.from([1, 10, 20, 30, 1, 2, 3])),
    '\x0a\x14\x1e\x0b\x16\x21',
  ],
  [
    'TIFF, 8 bits',
    '/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 3>>',
    deflateSync(Uint8Array.from([1, 1, 1, 250, 5, 5])),
    '\x01\x02\x03\xfa\xff\x04',
  ],
  [
    'TIFF, 16 bits',
    '/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 2/BitsPerComponent 16>>',
    deflateSync(Uint8Array.from([0, 255, 0, 2])),
    '\x00\xff\x01\x01',
  ],
  [
    'TIFF, 4 bits',
    '/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 4/BitsPerComponent 4>>',
    deflateSync(Uint8Array.from([0x12, 0x3f])),
    '\x13\x65',
  ],
];

describe('stream filters', () => {
  test.each(cases)('decode %s', (_, dict, data, expected) => {
    expect(decode(dict, data)).toBe(expected);
  });

  test.each([0, 1] as const)('decode LZW with all code lengths, early change %i', (early) => {
    const data = Uint8Array.from({ length: 30_000 }, (_, i) => (i * i * 31 + (i >> 5)) & 0xff);
    const dict = `/Filter/LZWDecode/DecodeParms<</EarlyChange ${early}>>`;
    expect(decode(dict, encodeLzw(data, early))).toBe(latin1Text(data));
  });

  const bombs: readonly (readonly [string, Uint8Array])[] = [
    ['FlateDecode', deflateSync(new Uint8Array(100_000))],
    ['LZWDecode', encodeLzw(new Uint8Array(100_000), 1)],
    ['ASCII85Decode', latin1Bytes('z'.repeat(25_000))],
    ['RunLengthDecode', new Uint8Array(2_000).fill(0x81)],
    ['Crypt', new Uint8Array(100_000)],
  ];
  test.each(bombs)('stop %s at the limit', (filter, data) => {
    const stream = new PdfStream(new Map([['Filter', pdfName(filter)]]), data);
    const direct = (value: PdfObject | undefined): PdfObject => value ?? null;
    expect(decodeStream(stream, direct, 200_000).length).toBeGreaterThanOrEqual(100_000);
    expect(() => decodeStream(stream, direct, 99_999)).toThrow(
      expect.objectContaining({ code: 'limit.exceeded' }),
    );
  });

  test('accept parameters that are references', () => {
    const data = deflateSync(Uint8Array.from([2, 1, 2, 2, 1, 1]));
    const builder = addObjects(new PdfBuilder(), onePage)
      .object(5, '<</Predictor 12/Columns 6 0 R>>')
      .object(6, '2')
      .object(7, '[/FlateDecode]')
      .stream(4, '/Filter 7 0 R/DecodeParms 5 0 R', data);
    const file = openPdf(memorySource(builder.end(builder.table()).bytes));
    const stream = asStream(file.read(new PdfReference(4))) as PdfStream;
    expect([...file.decode(stream)]).toEqual([1, 2, 2, 3]);
  });
});
