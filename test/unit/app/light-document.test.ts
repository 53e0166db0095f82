import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classicPdf, inflatingPdf, ordinaryPdf } from '../../../scripts/stalls/documents.ts';
import { isLightDocument } from '../../../src/app/documents/light-document.ts';
import { memorySource } from '../../../src/base/bytes.ts';

const pdfOf = (...objects: readonly string[]) =>
  classicPdf(['<</Type/Catalog/Pages 2 0 R>>', ...objects].map((each) => Buffer.from(each)));
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
const pagesOf = (count: number) => {
  const kids = Array.from({ length: count }, (_, at) => `${at + 3} 0 R`);
  return `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${count}>>`;
};
const fixture = (name: string) => readFileSync(`fixtures/pdf/${name}.pdf`);

test.each<[string, Uint8Array, boolean]>([
  ['one page', fixture('agreement'), true],
  ['object streams', fixture('xref-stream'), true],
  ['an image of 100 KB', ordinaryPdf(), true],
  ['a small XML document', Buffer.from('<a>1</a>'), true],
  ['783 bytes that decode to 10 MB', inflatingPdf(10_000_000, 2), false],
  ['300 KB', ordinaryPdf(300_000), false],
  ['many objects', pdfOf('<</Type/Pages/Kids[]/Count 0>>', ...Array(1500).fill('1')), false],
  ['many pages', pdfOf(pagesOf(150), ...Array(150).fill(page)), false],
  ['a few pages', pdfOf(pagesOf(50), ...Array(50).fill(page)), true],
  ['a damaged document', Buffer.from('%PDF-1.7\nnothing'), false],
  ['XML of 20 KB', Buffer.from(`<a>${'x'.repeat(20_000)}</a>`), false],
  ['a container', Buffer.from('PK\u0003\u0004 and so on'), false],
])('the structure decides whether a document is light: %s', (_what, bytes, isLight) => {
  expect(isLightDocument(memorySource(bytes))).toBe(isLight);
});
