import { expect, test } from 'vitest';
import { latin1Bytes, latin1Text } from '../../../src/base/bytes.ts';
import {
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
  pdfName,
  serializeObject,
} from '../../../src/formats/pdf/index.ts';

const string = (text: string, hex = false): PdfString => new PdfString(latin1Bytes(text), hex);

const cases: readonly (readonly [string, PdfObject, string])[] = [
  ['null', null, 'null'],
  ['true', true, 'true'],
  ['false', false, 'false'],
  ['integer', -17, '-17'],
  ['real', 0.1, '0.1'],
  ['negative zero', -0, '0'],
  ['tiny', 1.25e-7, '0.000000125'],
  ['tiny negative', -5e-324, `-0.${'0'.repeat(323)}5`],
  ['large', 1.5e21, '1500000000000000000000'],
  ['largest integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['name', pdfName('Type'), '/Type'],
  ['empty name', pdfName(''), '/'],
  ['name with escapes', pdfName('A B#/(\xe9\x7f'), '/A#20B#23#2f#28#e9#7f'],
  ['string', string('abc'), '(abc)'],
  ['string with escapes', string('(a)\\\r\n\t\0\xff'), '(\\(a\\)\\\\\\r\\n\t\0\xff)'],
  ['hex string', string('\x00\xffA', true), '<00ff41>'],
  ['empty strings', [string(''), string('', true)], '[() <>]'],
  ['reference', new PdfReference(12, 3), '12 3 R'],
  ['array', [1, pdfName('A'), [], new PdfReference(1)], '[1 /A [] 1 0 R]'],
  [
    'dictionary',
    new Map<string, PdfObject>([
      ['A', 1],
      ['B', pdfName('C')],
      ['D E', [true]],
      ['F', new Map()],
      ['G', null],
    ]),
    '<</A 1/B/C/D#20E[true]/F<<>>/G null>>',
  ],
  ['raw', new Map([['A', new PdfRaw(latin1Bytes('[0 1]'), 'mark')]]), '<</A [0 1]>>'],
];

test.each(cases)('serializes %s', (_, object, expected) => {
  expect(latin1Text(serializeObject(object))).toBe(expected);
});

test('rejects values that cannot be serialized', () => {
  const cases: readonly PdfObject[] = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [new PdfStream(new Map(), new Uint8Array())],
    pdfName('\u20ac'),
    pdfName('\0'),
    [new PdfRaw(new Uint8Array(), 'm'), new PdfRaw(new Uint8Array(), 'm')],
  ];
  for (const object of cases) {
    expect(() => serializeObject(object)).toThrow(
      expect.objectContaining({ code: 'internal.unexpected' }),
    );
  }
});

test('rejects endless nesting', () => {
  const endless: PdfObject[] = [];
  endless.push(endless);
  expect(() => serializeObject(endless)).toThrow(
    expect.objectContaining({ code: 'limit.exceeded' }),
  );
});
