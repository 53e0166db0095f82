import { expect, test } from 'vitest';
import { latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';

/*
 * One-page files that poppler 22.12 and mutool 1.21 show differently before and after an update:
 * the update points both to what is read here.
 */
const page = (of: number) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${of} 0 R>>`;
const contents = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`;
const objects: readonly (readonly [number, string])[] = [
  [1, '<</Type/Catalog/Pages 2 0 R>>'],
  [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
  [3, page(4)],
  [4, contents('0 0 m 9 9 l S')],
  [5, contents('0 0 m 99 99 l S')],
];

interface Shape {
  readonly lead?: string;
  /** Added to the offset of an object in the table. Undefined: the object is free. */
  readonly shift?: (objectNumber: number) => number | undefined;
  /** Text between the objects and the table, listed in no table. */
  readonly untold?: string;
  readonly end?: string;
}

function pdfOf({ lead = '', shift = () => 0, untold = '', end = '%%EOF\n' }: Shape) {
  let text = `${lead}%PDF-1.7\n`;
  const rows = ['0000000000 65535 f \n'];
  for (const [number, body] of objects) {
    const by = shift(number);
    rows[number] =
      by === undefined
        ? '0000000000 00001 f \n'
        : `${String(text.length + by).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  text += untold;
  const table = `xref\n0 ${rows.length}\n${rows.join('')}`;
  return `${text}${table}trailer\n<</Size ${rows.length}/Root 1 0 R>>\nstartxref\n${text.length}\n${end}`;
}

const otherPage = `3 0 obj\n${page(5)}\nendobj\n`;
/**
 * Data whose last token continues in `endstream`; of the same length, so that the table stays
 * valid.
 */
const glued = (shift: (objectNumber: number) => number) =>
  pdfOf({ shift })
    .replace('9 9 l S\nendstream', '9 9 l  Sendstream')
    .replace('/Length 13', '/Length 14');
const brokenCatalog = (objectNumber: number) => (objectNumber === 1 ? 3 : 0);
/** A regular update, with offsets from the first byte of the file. */
const updated = (pdf: string) =>
  `${pdf}${otherPage}xref\n3 1\n${String(pdf.length).padStart(10, '0')} 00000 n \n` +
  `trailer\n<</Size 6/Root 1 0 R/Prev ${/startxref\n(\d+)/.exec(pdf)?.[1]}>>\n` +
  `startxref\n${pdf.length + otherPage.length}\n%%EOF\n`;

const cases: readonly (readonly [string, string, string | undefined])[] = [
  ['sound', pdfOf({}), undefined],
  ['valid, with an object in no table', pdfOf({ untold: otherPage }), undefined],
  ['leading bytes that offsets include', pdfOf({ lead: 'x\n' }), undefined],
  ['the same with an update', updated(pdfOf({ lead: 'x\n' })), undefined],
  [
    'the same with an object in no table',
    pdfOf({ lead: 'x\n', untold: otherPage }),
    'object 3 occurs more than once in the file',
  ],
  ['an incorrect table', pdfOf({ shift: brokenCatalog }), undefined],
  [
    'an incorrect table and glued data',
    glued(brokenCatalog),
    '"endstream" of object 4 is at the end of a token',
  ],
  ['glued data in a valid file', glued(() => 0), undefined],
  [
    'an incorrect table and contents with a comment in their header',
    pdfOf({ shift: brokenCatalog }).replace('4 0 obj', '4 %\n0 obj'),
    'the contents of page 3 are missing',
  ],
  [
    'a free page tree',
    pdfOf({ shift: (number) => (number === 2 ? undefined : 0) }),
    'object 2 occurs more than once in the file',
  ],
  ['no end', pdfOf({ end: '' }), undefined],
  [
    'no end, and a table that lists the first page object',
    pdfOf({ end: '', untold: otherPage }),
    'object 3 occurs more than once in the file',
  ],
  [
    'a table incorrect elsewhere that lists the first page object',
    pdfOf({ shift: brokenCatalog, untold: otherPage }),
    'the cross-reference data has a different position for object 3',
  ],
  [
    'a table starting with 1 in place of 0 that lists the first page object',
    pdfOf({ untold: otherPage }).replace('xref\n0 6', 'xref\n1 6'),
    'the cross-reference data has a different position for object 3',
  ],
  [
    'a table whose /Prev leads nowhere, and knows the first page object',
    pdfOf({ untold: otherPage }).replace('/Root 1', '/Prev 99999/Root 1'),
    'the cross-reference data has a different position for object 3',
  ],
  ['a table that points to no object', pdfOf({ shift: () => 5, untold: otherPage }), undefined],
  [
    'a table that points to the white space before objects',
    pdfOf({ shift: (number) => (number === 1 ? 5 : -1) }),
    undefined,
  ],
];

test.each(cases)('the stated offsets decide whether there is a doubt: %s', (_, pdf, doubt) => {
  expect(openPdf(memorySource(latin1Bytes(pdf))).doubt).toBe(doubt);
});
