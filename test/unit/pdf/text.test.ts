import { describe, expect, test } from 'vitest';
import { latin1Bytes, latin1Text } from '../../../src/base/bytes.ts';
import {
  decodeText,
  encodeText,
  PdfString,
  parsePdfDate,
  pdfDate,
} from '../../../src/formats/pdf/index.ts';

const string = (text: string): PdfString => new PdfString(latin1Bytes(text));

describe('PDF text strings', () => {
  const decoded: readonly (readonly [string, string, string])[] = [
    ['ASCII', 'Signature1', 'Signature1'],
    ['PDFDocEncoding', '\x80\x92\xa0\xe9\x18', '\u2022\u2122\u20ac\u00e9\u02d8'],
    ['bytes without a character', '\x7f\x9f\xad', '\ufffd\ufffd\ufffd'],
    ['UTF-16BE', '\xfe\xff\x00A\x20\xac\xd8\x3d\xde\x00', 'A\u20ac\u{1f600}'],
    ['truncated UTF-16BE', '\xfe\xff\x00A\x00', 'A'],
    ['UTF-16LE', '\xff\xfeA\x00\xac\x20', 'A\u20ac'],
    ['UTF-8', '\xef\xbb\xbf\xc3\xa9', '\u00e9'],
    ['language marks', '\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00A', 'A'],
    ['empty', '', ''],
  ];
  test.each(decoded)('decode %s', (_, bytes, expected) => {
    expect(decodeText(string(bytes))).toBe(expected);
  });

  test.each([
    ['Contract', 'Contract'],
    ['\u00de\u00f3r\u00f0ur', '\xde\xf3r\xf0ur'],
    ['\u20ac 5', '\xa0 5'],
    ['\u4e2d', '\xfe\xff\x4e\x2d'],
    ['\u00fe\u00ff', '\xfe\xff\x00\xfe\x00\xff'],
    ['\u00ef\u00bb\u00bf', '\xfe\xff\x00\xef\x00\xbb\x00\xbf'],
  ])('encode %j', (text, bytes) => {
    const encoded = encodeText(text);
    expect(latin1Text(encoded.bytes)).toBe(bytes);
    expect(decodeText(encoded)).toBe(text);
  });
});

describe('PDF dates', () => {
  test('are written in UTC', () => {
    const date = pdfDate(Date.UTC(2026, 0, 31, 23, 59, 58, 999));
    expect(latin1Text(date.bytes)).toBe('D:20260131235958Z');
    expect(parsePdfDate(date)).toBe(Date.UTC(2026, 0, 31, 23, 59, 58));
  });

  const parsed: readonly (readonly [string, number | undefined])[] = [
    ['D:2026', Date.UTC(2026, 0, 1)],
    ['D:202602', Date.UTC(2026, 1, 1)],
    ['D:20260203', Date.UTC(2026, 1, 3)],
    ['D:2026020304', Date.UTC(2026, 1, 3, 4)],
    ['D:202602030405', Date.UTC(2026, 1, 3, 4, 5)],
    ['D:20260203040506', Date.UTC(2026, 1, 3, 4, 5, 6)],
    ['20260203040506Z', Date.UTC(2026, 1, 3, 4, 5, 6)],
    ["D:20260203040506Z00'00'", Date.UTC(2026, 1, 3, 4, 5, 6)],
    ["D:20260203040506+02'30'", Date.UTC(2026, 1, 3, 1, 35, 6)],
    ["D:20260203040506-02'30", Date.UTC(2026, 1, 3, 6, 35, 6)],
    ['D:20260203040506+0100', Date.UTC(2026, 1, 3, 3, 5, 6)],
    ['D:00500101', new Date(0).setUTCFullYear(50, 0, 1)],
    ['D:20240229', Date.UTC(2024, 1, 29)],
    ['D:20230229', undefined],
    ['D:20261301', undefined],
    ['D:20260100', undefined],
    ['D:20260101240000', undefined],
    ['D:202', undefined],
    ['tomorrow', undefined],
    ['', undefined],
    ['D:2026'.padEnd(100, '0'), undefined],
  ];
  test.each(parsed)('parse %j', (text, expected) => {
    expect(parsePdfDate(string(text))).toBe(expected);
  });
});
