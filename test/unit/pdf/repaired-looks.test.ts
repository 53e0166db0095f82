import { describe, expect, test } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { openPdf, type PdfFile } from '../../../src/formats/pdf/index.ts';
import { beginUpdate } from '../../../src/formats/pdf/update.ts';

/*
 * Files that poppler 22.12 or mupdf 1.21 repairs differently from our update. A file is rejected if
 * its findings or its doubt require it.
 */
const show = (text: string) => `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
const stream = (number: number, data: string, length: number | string = data.length, more = '') =>
  `${number} 0 obj\n<</Length ${length}${more}>>\nstream\n${data}\nendstream\nendobj\n`;
const page =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R' +
  '/Resources<</Font<</F1 4 0 R>>>>>>';
const catalog = '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n';
const pages = '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n';
const font = '4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n';
const start = `%PDF-1.7\n${catalog}${pages}3 0 obj\n${page}\nendobj\n${font}`;
const trailer = 'trailer\n<</Size 20/Root 1 0 R>>\nstartxref\n99999\n%%EOF\n';
const members = (number: number, text: string, length?: number) => {
  const data = `4 0 ${text}`;
  return stream(number, data, length ?? data.length, '/Type/ObjStm/N 1/First 4');
};
const fontDict = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>';
const noTrailer = `9 0 obj\n<</Root 1 0 R/Size 20/Length 0/Type/XRef/W[1 1 1]/Index[0 0]>>\nstream\n\nendstream\nendobj\nstartxref\n99999\n%%EOF\n`;

/** A table over the existing objects, and its trailer. */
function withTable(body: string, size?: number): string {
  const offsets = [...body.matchAll(/(?<=\n)(\d+) 0 obj/g)].map((match) => ({
    number: Number(match[1]),
    at: match.index,
  }));
  const rows = offsets.map(
    ({ number, at }) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`,
  );
  const most = Math.max(...offsets.map(({ number }) => number)) + 1;
  return (
    `${body}xref\n0 1\n0000000000 65535 f \n${rows.join('')}` +
    `trailer\n<</Size ${size ?? most}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  );
}

/** `startxref` points to a comment before the table; `unseen` is not in the table. */
function commented(body: string, unseen = ''): string {
  const whole = withTable(body);
  const at = whole.lastIndexOf('xref\n0 1');
  const line = '% a comment\n';
  const text = `${whole.slice(0, at)}${unseen}${line}${whole.slice(at)}`;
  return text.replace(/startxref\n\d+/, `startxref\n${at + unseen.length}`);
}

/** The table points to the comment before object 4. */
function commentedObject(): string {
  const comment = '% one more\n';
  const pdf = commented(start.replace('4 0 obj', `${comment}4 0 obj`) + stream(5, show('pay 10')));
  const row = (offset: number) => `4 1\n${String(offset).padStart(10, '0')}`;
  const at = pdf.indexOf('4 0 obj');
  return pdf.replace(row(at), row(at - comment.length));
}

const open = (pdf: string) => openPdf(memorySource(latin1Bytes(pdf)));
const isRefused = (file: PdfFile) => file.doubt !== undefined;

const sound = withTable(start + stream(5, show('pay 10')));
const far = (pdf: string) => `${pdf}${'\n'.repeat(2_000)}`;
const twice = start + members(6, fontDict) + stream(5, show('pay 10'));

const cases: readonly (readonly [string, string, boolean])[] = [
  ['a valid file', sound, false],
  ['a comment before the section', commented(start + stream(5, show('pay 10'))), false],
  ['comments before the section and an object', commentedObject(), false],
  [
    'a comment before the section, which points to the first of two',
    commented(`${start}${stream(5, show('pay 10'))}`, stream(5, show('pay 99'))),
    true,
  ],
  ['a lost section', start + stream(5, show('pay 10')) + trailer, false],
  ['an incorrect length and no section', start + stream(5, show('pay 10'), 3) + trailer, false],
  ['an object inside and outside a stream', twice + noTrailer, true],
  [
    'an object in a stream, with a trailer',
    start.replace(font, '') + members(6, fontDict) + stream(5, show('pay 10')) + trailer,
    true,
  ],
  [
    'an object in a stream, no trailer',
    start.replace(font, '') + members(6, fontDict) + stream(5, show('pay 10')) + noTrailer,
    false,
  ],
  [
    'an object stream with an incorrect length',
    start.replace(font, '') + members(6, fontDict, 3) + stream(5, show('pay 10')) + noTrailer,
    true,
  ],
  [
    'an unreadable object stream',
    `${start}${stream(6, 'x', 1, '/Type/ObjStm/N 9/First 1')}${stream(5, show('pay 10'))}${trailer}`,
    true,
  ],
  [
    'unterminated data',
    `${start}5 0 obj\n<</Length 3>>\nstream\n${show('pay 10')}\nendobj\n${font}${trailer}`,
    true,
  ],
  [
    'a section with an incorrect length',
    start + stream(5, show('pay 10')) + noTrailer.replace('/Length 0', '/Length 7'),
    true,
  ],
  [
    'contents split inside a word',
    start.replace('/Contents 5 0 R', '/Contents[5 0 R 6 0 R]') +
      stream(5, 'BT /F1 24 Tf 72 700 Td (pa', '7 0 R') +
      stream(6, 'y 10) Tj ET') +
      `7 0 obj\n26\nendobj\n${trailer}`,
    true,
  ],
  [
    'a length that leads into the next object',
    withTable(start + stream(5, show('pay 10'), 90) + stream(6, show('pay 9999'))),
    true,
  ],
  ['a length beyond the end', withTable(start + stream(5, show('pay'), 9_999)), true],
  ['a length that is a little too large', withTable(start + stream(5, show('pay'), 40)), false],
  ['much data after the end', far(sound), false],
  [
    'much data after the end, and a duplicate object',
    far(withTable(start + stream(5, show('a')))),
    false,
  ],
  [
    'much data after the end, and an older object last',
    far(`${withTable(start + stream(5, show('pay 10')))}(\n${stream(5, show('pay 9999'))})\n`),
    true,
  ],
  [
    'much data after the end, and an incorrect length',
    far(withTable(start + stream(5, show('pay 10'), 3))),
    true,
  ],
  ['a /Size that is too low', withTable(start + stream(5, show('pay 10')), 3), false],
];

test.each(cases)('a repaired file is rejected if viewers differ: %s', (_, pdf, expected) => {
  let refused: boolean;
  try {
    refused = isRefused(open(pdf));
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^pdf\./) });
    refused = true;
  }
  expect(refused).toBe(expected);
});

describe('repaired objects', () => {
  const mended = [
    ['a direct length', start + stream(5, show('pay 10'), 3) + trailer],
    [
      'no section that startxref points to',
      `${withTable(start + stream(5, show('pay 10'), 3)).replace(/startxref\n\d+/, 'startxref\n7')}`,
    ],
    [
      'a length in another object',
      `${start}${stream(5, show('pay 10'), '6 0 R')}6 0 obj\n3\nendobj\n${trailer}`,
    ],
  ] as const;

  test.each(mended)('are written again: %s', (_, pdf) => {
    const file = open(pdf);
    expect(file.doubt).toBeUndefined();
    expect(file.mended.map(({ reference }) => reference.objectNumber)).toEqual([5]);
    const text = latin1Text(beginUpdate(file).finish().bytes);
    const data = show('pay 10');
    expect(text).toContain(`5 0 obj\n<</Length ${data.length}>>\nstream\n${data}\nendstream`);
  });

  test('do not exist in a valid file', () => {
    expect(open(sound).mended).toEqual([]);
  });
});

test('a file with a truncated last update is rejected if readers see the previous state', () => {
  const update = stream(5, 'q', 99);
  expect(open(`${sound}${update}7 0 obj\n<</A`).doubt).toContain('object 5');
  const other = `${sound}7 0 obj\n<</Type/XRef/Length 5>>\nstream\n`;
  expect(() => open(other)).toThrow(expect.objectContaining({ code: 'pdf.truncated' }));
});

test('a linearized file is rejected if its first section finds older objects', () => {
  const head = '%PDF-1.7\n8 0 obj\n<</Linearized 1/L 99>>\nendobj\n';
  const rows = (body: string, numbers: readonly number[]) =>
    numbers.map((number) => {
      const at = body.indexOf(`\n${number} 0 obj`) + 1;
      return `\x01${String.fromCharCode(at >> 8, at & 255)}\0`;
    });
  const front = 'F'.repeat(140);
  const body = `${head}${front}\n${start.slice(9)}${stream(5, show('pay 10'))}`;
  const data = rows(body, [1, 2, 3, 4, 5]).join('');
  const section = `7 0 obj\n<</Type/XRef/Size 9/Root 1 0 R/W[1 2 1]/Index[1 5]/Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\n`;
  const whole = body.replace(front, section.padEnd(front.length));
  expect(section.length).toBeLessThanOrEqual(front.length);
  const lost = 'startxref\n99999\n%%EOF\n';
  expect(open(whole + lost).doubt).toBeUndefined();
  // The last keyword /XRef is in no section, so the whole file is read.
  const newer = `${stream(5, show('pay 9999'))}8 0 obj\n(/XRef)\nendobj\n${lost}`;
  expect(open(whole + newer).doubt).toContain('linearized');
});
