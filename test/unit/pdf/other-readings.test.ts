import { expect, test } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';
import { asDict, asReference, asStream } from '../../../src/formats/pdf/syntax/objects.ts';

/*
 * One page whose contents show «pay 10», and beside it an object that shows «pay 9999». The columns
 * poppler, mupdf and qpdf are the output of pdftotext 22.12, mutool 1.21 and qpdf 11.3 for the same
 * bytes.
 */
const show = (text: string) => `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
const contents = (number: number, text: string) =>
  `${number} 0 obj\n<</Length ${show(text).length}>>\nstream\n${show(text)}\nendstream\nendobj\n`;
const pageOf = (pages: number, of: number) =>
  `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 600 800]/Contents ${of} 0 R` +
  '/Resources<</Font<</F1 4 0 R>>>>>>';
const start = (first: number, of: number) =>
  `${first} 0 obj\n<</Type/Catalog/Pages ${first + 1} 0 R>>\nendobj\n` +
  `${first + 1} 0 obj\n<</Type/Pages/Kids[${first + 2} 0 R]/Count 1>>\nendobj\n` +
  `${first + 2} 0 obj\n${pageOf(first + 1, of)}\nendobj\n`;
const font = '4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n';
const trailer = (root: number, gap = '\n') =>
  `trailer${gap}<</Size 20/Root ${root} 0 R>>\nstartxref\n99999\n%%EOF\n`;
const good = `%PDF-1.7\n${start(1, 5)}${font}${contents(5, 'pay 10')}`;
/** The page again with the other contents, on one line. */
const other = `3 0 obj ${pageOf(2, 9)} endobj\n`;
const beside = good + contents(9, 'pay 9999');
const second = good + start(11, 15) + contents(15, 'pay 9999');
const stream = (number: number, data: string) =>
  `${number} 0 obj\n<</Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\n`;

type Shown = '10' | '9999' | 'refused';
const cases: readonly (readonly [string, string, string, Shown])[] = [
  // Name, output of poppler, mupdf and qpdf, the file, and the sealed result.
  ['in a comment', '10 10 10', `${beside}%${other}${trailer(1)}`, '10'],
  ['in a comment after endobj', '10 10 10', `${beside.trimEnd()} % ${other}${trailer(1)}`, '10'],
  ['in a comment after a word', '10 10 10', `${beside}xref %\t${other}${trailer(1)}`, '10'],
  [
    'in a comment of an object',
    '10 10 10',
    `${beside}8 0 obj\n<</X 1 %${other}>>\nendobj\n${trailer(1)}`,
    '10',
  ],
  [
    'after endobj in a comment',
    '9999 10 10',
    `${beside}8 0 obj\n<</X 1 %endobj ${other}>>\nendobj\n${trailer(1)}`,
    'refused',
  ],
  [
    'after a comment that ends with CR',
    '9999 9999 9999',
    `${beside}% x\r${other}${trailer(1)}`,
    '9999',
  ],
  ['after a comment with a form feed', '10 10 10', `${beside}% x\f${other}${trailer(1)}`, '10'],
  ['in a string', '9999 10 9999', `${beside}(\n${other})\n${trailer(1)}`, 'refused'],
  [
    'in a string of an object',
    '9999 10 9999',
    `${beside}8 0 obj\n<</X (\n${other})>>\nendobj\n${trailer(1)}`,
    'refused',
  ],
  ['in a stream', '9999 10 9999', `${beside}${stream(8, other)}${trailer(1)}`, 'refused'],
  [
    'in a stream, inside of a line',
    '10 10 10',
    `${beside}${stream(8, `q ${other}`)}${trailer(1)}`,
    '10',
  ],
  [
    'after another one on its line',
    '9999 9999 10',
    `${beside.trimEnd()} ${other}${trailer(1)}`,
    'refused',
  ],
  ['as the end of a name', '10 10 10', `${beside}/${other}${trailer(1)}`, '10'],
  ['as the end of a word', '10 10 10', `${beside}abc${other}${trailer(1)}`, '10'],
  ['in angle brackets', '- 10 -', `${beside}<${other}>${trailer(1)}`, '10'],
  [
    'a second time in the file',
    '9999 9999 9999',
    `${good}${contents(5, 'pay 9999')}${trailer(1)}`,
    '9999',
  ],
  [
    'of a higher generation, earlier',
    '- 9999 9999',
    `${good.replace('5 0 obj', '5 1 obj')}${contents(5, 'pay 9999')}${trailer(1)}`,
    'refused',
  ],
  ['under a second trailer', '9999 9999 10', second + trailer(1) + trailer(11), 'refused'],
  ['under a first trailer', '10 10 9999', second + trailer(11) + trailer(1), 'refused'],
  ['under a trailer in a comment', '10 10 10', `${second + trailer(1)}% ${trailer(11, ' ')}`, '10'],
  [
    'under a trailer in a stream',
    '10 10 9999',
    `${second}${stream(8, 'trailer <</Root 11 0 R/Size 20>>')}${trailer(1)}`,
    'refused',
  ],
  [
    'under a second catalog without a trailer',
    '- 9999 -',
    `${second}startxref\n0\n%%EOF\n`,
    'refused',
  ],
];

function shownBy(pdf: string): Shown {
  const file = openPdf(memorySource(latin1Bytes(pdf)));
  if (file.findings.some(({ code }) => code === 'reading.ambiguous')) return 'refused';
  const pages = asDict(file.resolve(file.catalog.get('Pages')));
  const [kid] = file.resolve(pages?.get('Kids')) as readonly never[];
  const page = asDict(file.resolve(kid));
  const text = asStream(file.read(asReference(page?.get('Contents')) as never));
  return /pay (\d+)/.exec(latin1Text(text?.raw ?? new Uint8Array()))?.[1] as Shown;
}

test.each(cases)(
  'a page %s is shown as viewers show it, or rejected (viewers: %s)',
  (_, __, pdf, expected) => {
    expect(shownBy(pdf)).toBe(expected);
  },
);

test('an unreferenced object makes no difference', () => {
  expect(shownBy(`${beside}(\n${other.replace('3 0 obj', '19 0 obj')})\n${trailer(1)}`)).toBe('10');
});

test('a million unclosed brackets take no longer than others', () => {
  const pdf = `${good}${'('.repeat(1_000_000)}\n${trailer(1)}`;
  expect(shownBy(pdf)).toBe('10');
});
