import { describe, expect, test } from 'vitest';
import { latin1Bytes, memorySource } from '../../../src/base/bytes.ts';
import { firstPage, openPdf, PdfReference } from '../../../src/formats/pdf/index.ts';
import { readHeader } from '../../../src/formats/pdf/xref/tail.ts';
import { onePage, pdfWithTable } from '../../support/pdf-builder.ts';

const withCatalog = (entries: string): Uint8Array =>
  pdfWithTable([`<<${entries}>>`, ...onePage.slice(1)]);

describe('stray numbers in a dictionary', () => {
  test.each([
    ['after a reference', '/Type/Catalog/X 1 0 R 0 R/Pages 2 0 R'],
    ['before all keys', '12 /Type/Catalog/Pages 2 0 R'],
    ['at the end', '/Type/Catalog/Pages 2 0 R 0 R -1.5'],
    ['in an inner dictionary', '/Type/Catalog/Pages 2 0 R/X<</Y 1 0 R 0 R>>'],
  ])('are skipped, with a finding: %s', (_, entries) => {
    const source = memorySource(withCatalog(entries));
    expect(() => openPdf(source, { repair: 'never' })).toThrow('expected a name as dictionary key');
    const file = openPdf(source);
    expect(file.findings.map(({ code }) => code)).toEqual(['xref.rebuilt', 'dictionary.stray']);
    expect(file.catalog.get('Pages')).toEqual(new PdfReference(2));
    expect(file.previous).toBeUndefined();
    expect(firstPage(file).reference).toEqual(new PdfReference(3));
  });

  test.each([
    ['a word', '/Type/Catalog/Pages 2 0 R word'],
    ['a string', '/Type/Catalog/Pages 2 0 R(text)'],
    ['a dictionary', '/Type/Catalog/Pages 2 0 R<</A 1>>'],
    ['an array', '/Type/Catalog/Pages 2 0 R[1]'],
    ['a number joined to a keyword', '/Type/Catalog/Pages 2 0 R 12obj'],
  ])('do not include %s, which is rejected', (_, entries) => {
    expect(() => openPdf(memorySource(withCatalog(entries)))).toThrow(
      'expected a name as dictionary key',
    );
  });
});

describe('a file without a header', () => {
  const body = 'obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n';
  test.each([
    ['objects after a comment', `%\xe2\xe3\xcf\xd3\n1 0 ${body}`, 'PDF objects without a header'],
    ['an object first', `1 0 ${body}`, 'PDF objects without a header'],
    ['a broken header', `UPDF-1.4\n1 0 ${body}`, 'PDF objects without a header'],
    ['text', 'Chapter 1 0 objects << 3', 'found none'],
    ['zeros', '\0'.repeat(5_000), 'found none'],
    ['digits', '1'.repeat(5_000), 'found none'],
    ['an object after the first bytes', `${' '.repeat(1_024)}1 0 ${body}`, 'found none'],
  ])('is not a PDF: %s', (_, text, message) => {
    expect(() => readHeader(memorySource(latin1Bytes(text)))).toThrow(
      expect.objectContaining({ code: 'pdf.notpdf', message: expect.stringContaining(message) }),
    );
  });
});
