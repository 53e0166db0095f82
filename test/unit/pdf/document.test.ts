import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import {
  certificationOf,
  firstPage,
  listPages,
  listSignatureFields,
  openPdf,
  type PdfFile,
  PdfReference,
} from '../../../src/formats/pdf/index.ts';
import { onePage, pdfWithTable } from '../../support/pdf-builder.ts';

const open = (catalog: string, ...bodies: readonly string[]): PdfFile => {
  const all = [`<</Type/Catalog/Pages 2 0 R${catalog}>>`, ...onePage.slice(1), ...bodies];
  return openPdf(memorySource(pdfWithTable(all)));
};

describe('firstPage', () => {
  const trees: readonly (readonly [string, readonly string[], number])[] = [
    ['flat', ['<</Type/Pages/Kids[3 0 R]>>', '<</Type/Page>>'], 3],
    ['nested', ['<</Kids[3 0 R]>>', '<</Type/Pages/Kids[4 0 R]>>', '<</Type/Page>>'], 4],
    ['empty nodes first', ['<</Kids[3 0 R 4 0 R]>>', '<</Kids[]>>', '<</Type/Page>>'], 4],
    ['absent and null kids', ['<</Kids[null 77 0 R 77 0 R 3 0 R]>>', '<</Type/Page>>'], 3],
    ['kids in a separate object', ['<</Kids 4 0 R>>', '<</Type/Page>>', '[3 0 R]'], 3],
    ['node without kids', ['<</Kids[3 0 R 4 0 R]>>', '<</Type/Pages>>', '<</Type/Page>>'], 4],
    ['page without type', ['<</Kids[3 0 R]>>', '<</MediaBox[0 0 1 1]>>'], 3],
    ['a cycle beside the page', ['<</Kids[2 0 R 3 0 R]>>', '<</Type/Page>>'], 3],
  ];
  test.each(trees)('finds the first page: %s', (_, bodies, expected) => {
    const bytes = pdfWithTable(['<</Type/Catalog/Pages 2 0 R>>', ...bodies]);
    const { reference } = firstPage(openPdf(memorySource(bytes)));
    expect(reference).toEqual(new PdfReference(expected));
  });
});

describe('a page tree with direct dictionaries in place of references', () => {
  const pagesOf = (...bodies: readonly string[]) =>
    listPages(openPdf(memorySource(pdfWithTable(['<</Pages 2 0 R>>', ...bodies]))));

  test('reports the node that contains each page', () => {
    const pages = pagesOf('<</Kids[<</Rotate 0>> 3 0 R <</Rotate 90>> 5 null]>>', '<</Rotate 1>>');
    const found = pages.map(({ reference, holder, dict }) => [
      reference?.objectNumber,
      holder?.objectNumber,
      dict.get('Rotate'),
    ]);
    expect(found).toEqual([
      [undefined, 2, 0],
      [3, undefined, 1],
      [undefined, 2, 90],
    ]);
  });

  test('reports no node if the node is a direct object too', () => {
    const pages = pagesOf('<</Kids[<</Kids[<</Rotate 0>> 3 0 R]>>]>>', '<</Rotate 1>>');
    expect(pages.map(({ reference, holder }) => [reference, holder])).toEqual([
      [undefined, undefined],
      [new PdfReference(3), undefined],
    ]);
  });
});

describe('a document without pages', () => {
  test.each([
    ['', 'its catalog has no /Pages'],
    ['/Pages 9 0 R', 'object 9, the root of their tree, is missing'],
    ['/Pages(text)', '/Pages, the root of their tree, is missing or not a dictionary'],
    ['/Pages 2 0 R', 'the document has no page'],
  ])('is rejected with a reason, catalog %s', (entries, message) => {
    const bytes = pdfWithTable([`<</Type/Catalog${entries}>>`, '<</Type/Pages/Kids[]>>']);
    expect(() => firstPage(openPdf(memorySource(bytes)))).toThrow(
      expect.objectContaining({
        code: 'pdf.structure.invalid',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('listSignatureFields', () => {
  test('returns nothing without a form or with an empty one', () => {
    expect(listSignatureFields(open(''))).toEqual([]);
    expect(listSignatureFields(open('/AcroForm<</Fields[]>>'))).toEqual([]);
    expect(listSignatureFields(open('/AcroForm 9 0 R'))).toEqual([]);
  });

  test('returns signed and empty fields in order', () => {
    const fields = listSignatureFields(
      open(
        '/AcroForm 4 0 R',
        '<</Fields[5 0 R 6 0 R 7 0 R]>>',
        '<</FT/Sig/T(One)/V 8 0 R>>',
        '<</FT/Tx/T(Text)/V(x)>>',
        '<</FT/Sig/T<FEFF00540077006F>/Lock<</Type/SigFieldLock>>>>',
        '<</Type/Sig/Contents<00>>>',
      ),
    );
    expect(fields.map((field) => field.name)).toEqual(['One', 'Two']);
    const [one, two] = fields;
    expect(one?.reference).toEqual(new PdfReference(5));
    expect(one?.valueReference).toEqual(new PdfReference(8));
    expect(one?.value?.has('Contents')).toBe(true);
    expect(one?.lock).toBeUndefined();
    expect(two?.value).toBeUndefined();
    expect(two?.valueReference).toBeUndefined();
    expect(two?.lock?.has('Type')).toBe(true);
  });

  test('inherits names, type and value from ancestors and skips widgets', () => {
    const fields = listSignatureFields(
      open(
        '/AcroForm<</Fields[4 0 R]>>',
        '<</T(form)/FT/Sig/Kids[5 0 R 6 0 R]>>',
        '<</T(a)/Parent 4 0 R/Kids[7 0 R]>>',
        '<</T(b)/Parent 4 0 R/V<</Type/Sig>>>>',
        '<</Subtype/Widget/Parent 5 0 R>>',
      ),
    );
    expect(fields.map((field) => field.name)).toEqual(['form.a', 'form.b']);
    expect(fields[0]?.reference).toEqual(new PdfReference(5));
    expect(fields[1]?.value?.has('Type')).toBe(true);
    expect(fields[1]?.valueReference).toBeUndefined();
  });

  test('returns a field once that is listed twice or in a cycle', () => {
    const fields = listSignatureFields(
      open(
        '/AcroForm<</Fields[5 0 R 4 0 R 5 0 R 99 0 R null 7]>>',
        '<</T(p)/Kids[4 0 R 6 0 R]>>',
        '<</FT/Sig/T(s)>>',
        '<</FT/Sig/T(t)/Parent 4 0 R>>',
      ),
    );
    expect(fields.map((field) => field.name)).toEqual(['s', 'p.t']);
  });

  test('returns no reference for a field that is a direct object', () => {
    const [field] = listSignatureFields(open('/AcroForm<</Fields[<</FT/Sig/T(d)>>]>>'));
    expect(field?.name).toBe('d');
    expect(field?.reference).toBeUndefined();
  });
});

describe('certificationOf', () => {
  const reference = (parameters: string): string =>
    `<</Type/Sig/Reference[<</TransformMethod/DocMDP${parameters}>>]>>`;
  const cases: readonly (readonly [string, string, number | undefined])[] = [
    ['not certified', '', undefined],
    ['empty permissions', '/Perms<<>>', undefined],
    ['usage rights only', '/Perms<</UR3 4 0 R>>', undefined],
    ['P 1', `/Perms<</DocMDP ${reference('/TransformParams<</P 1>>')}>>`, 1],
    ['P 2', `/Perms<</DocMDP ${reference('/TransformParams<</P 2>>')}>>`, 2],
    ['P 3', `/Perms<</DocMDP ${reference('/TransformParams<</P 3>>')}>>`, 3],
    ['no P', `/Perms<</DocMDP ${reference('/TransformParams<<>>')}>>`, 2],
    ['no parameters', `/Perms<</DocMDP ${reference('')}>>`, 2],
    ['P 7', `/Perms<</DocMDP ${reference('/TransformParams<</P 7>>')}>>`, 2],
    ['no reference', '/Perms<</DocMDP<</Type/Sig>>>>', 2],
    ['by references', '/Perms 4 0 R', 1],
  ];
  test.each(cases)('reads the permission: %s', (_, catalog, expected) => {
    const file = open(
      catalog,
      '<</DocMDP 5 0 R>>',
      '<</Reference 6 0 R>>',
      '[<</TransformMethod/FieldMDP>> 7 0 R]',
      '<</TransformMethod/DocMDP/TransformParams 8 0 R>>',
      '<</P 1>>',
    );
    expect(certificationOf(file)).toBe(expected);
  });
});
