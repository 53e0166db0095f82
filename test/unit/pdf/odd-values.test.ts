import { expect, test } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { readBudget, strictBudget } from '../../../src/formats/pdf/budget.ts';
import { firstPage, listSignatureFields, openPdf } from '../../../src/formats/pdf/index.ts';
import { PdfParser } from '../../../src/formats/pdf/syntax/parser.ts';
import { serializeObject } from '../../../src/formats/pdf/syntax/serializer.ts';
import { pdfWithTable } from '../../support/pdf-builder.ts';

const parse = (text: string, budget = readBudget(100)) =>
  new PdfParser(latin1Bytes(text), 0, true, budget).parseObject();

test.each(['1e30', '--5', '1.2.3', '+-1', '-', '.', '12-34', '1E-7'])(
  'an unparsable number is preserved: %s',
  (token) => {
    expect(latin1Text(serializeObject(parse(`<</A ${token}/B[0 ${token}]>>`)))).toBe(
      `<</A ${token}/B[0 ${token}]>>`,
    );
    expect(() => parse(token, strictBudget(100))).toThrow(/expected a number/);
  },
);

test.each(['1foo', '5R', '-x'])('a keyword that starts like a number is rejected: %s', (token) => {
  expect(() => parse(token)).toThrow(expect.objectContaining({ code: 'pdf.syntax.invalid' }));
});

test('a page may contain such a number in an entry that is not needed', () => {
  const file = openPdf(
    memorySource(
      pdfWithTable([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e30 800]>>',
      ]),
    ),
  );
  expect(firstPage(file).reference?.objectNumber).toBe(3);
  expect(file.findings).toEqual([]);
});

const signature = '/FT/Sig/T(S)/V 6 0 R';
const kids: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['itself', `<<${signature}/Kids[5 0 R]>>`, 'null', ['S']],
  ['itself and a widget', `<<${signature}/Kids[5 0 R 7 0 R]>>`, '<</Subtype/Widget>>', ['S']],
  [
    'a field that leads back to it',
    `<<${signature}/Kids[7 0 R]>>`,
    '<</T(K)/Kids[5 0 R]>>',
    ['S.K'],
  ],
  ['a widget', `<<${signature}/Kids[7 0 R]>>`, '<</Subtype/Widget>>', ['S']],
];

test.each(kids)('a field with %s among its kids keeps its signature', (_, field, kid, names) => {
  const file = openPdf(
    memorySource(
      pdfWithTable([
        '<</Type/Catalog/Pages 2 0 R/AcroForm 4 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R>>',
        '<</Fields[5 0 R]>>',
        field,
        '<</Type/Sig>>',
        kid,
      ]),
    ),
  );
  const signed = listSignatureFields(file).filter(({ value }) => value !== undefined);
  expect(signed.map(({ name }) => name)).toEqual(names);
});
