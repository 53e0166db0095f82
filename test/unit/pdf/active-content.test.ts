import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { listActiveContent, openPdf, requireFewPages } from '../../../src/formats/pdf/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { onePage, pdfWithObjectStream, pdfWithTable } from '../../support/pdf-builder.ts';

const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const open = (bodies: readonly string[]) => openPdf(memorySource(pdfWithTable(bodies)));
/** One page, with more in catalog and page, and further objects from 4 on. */
const documentOf = (catalog: string, page = '', more: readonly string[] = []) => [
  `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
  onePage[1] ?? '',
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${page}>>`,
  ...more,
];
const annotation = (entries: string) => documentOf('', `/Annots[<</Type/Annot${entries}>>]`);

describe('content that acts by itself', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a script at the opening', documentOf(`/OpenAction ${script}`), ['JavaScript']],
    ['by reference', documentOf('/OpenAction 4 0 R', '', [script]), ['JavaScript']],
    ['at an event of the document', documentOf(`/AA<</WC ${script}>>`), ['JavaScript']],
    ['at an event of a page', documentOf('', `/AA<</O ${script}>>`), ['JavaScript']],
    [
      'behind a harmless action',
      documentOf(
        `/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[<</S/Named/N/NextPage/Next ${script}>>]>>`,
      ),
      ['JavaScript'],
    ],
    [
      'scripts by name',
      documentOf('/Names<</JavaScript<</Kids[4 0 R]>>>>', '', [`<</Names[(a) ${script}]>>`]),
      ['JavaScript'],
    ],
    [
      'a field that computes',
      documentOf('/AcroForm<</Fields[4 0 R]>>', '', [
        '<</FT/Tx/T(a)/Kids[5 0 R]>>',
        `<</T(b)/AA<</C ${script}>>>>`,
      ]),
      ['JavaScript'],
    ],
    [
      'an outline item',
      documentOf('/Outlines 4 0 R', '', [
        '<</First 5 0 R>>',
        '<</Title(a)/Next 6 0 R>>',
        '<</Title(b)/Next 5 0 R/A<</S/Launch/F(cmd.exe)>>>>',
      ]),
      ['Launch'],
    ],
    ['a program', annotation('/Subtype/Link/A<</S/Launch/F(a.exe)>>'), ['Launch']],
    ['a form that is sent', annotation('/Subtype/Widget/A<</S/SubmitForm>>'), ['SubmitForm']],
    ['another file', annotation('/Subtype/Link/A<</S/GoToR/F(\\\\\\\\x\\\\y)>>'), ['GoToR']],
    ['a file inside', annotation('/Subtype/Link/A<</S/GoToE>>'), ['GoToE']],
    ['data that is taken in', annotation('/Subtype/Link/A<</S/ImportData>>'), ['ImportData']],
    ['media', annotation('/Subtype/RichMedia'), ['RichMedia']],
    [
      'media of before',
      annotation('/Subtype/Screen/AA<</PV<</S/Rendition>>>>'),
      [...['Rendition', 'Screen']],
    ],
    ['a model', annotation('/Subtype/3D'), ['3D']],
    ['a file at a place', annotation('/Subtype/FileAttachment'), ['FileAttachment']],
    ['files', documentOf('/Names<</EmbeddedFiles<</Names[(a)<<>>]>>>>'), ['EmbeddedFiles']],
    ['files of a page', documentOf('', '/AF[<<>>]'), ['EmbeddedFiles']],
    ['another form', documentOf('/AcroForm<</Fields[]/XFA[(a)(b)]>>'), ['XFA']],
    [
      'addresses that are none of the web',
      annotation('/Subtype/Link/A<</S/URI/URI(java\\nscript:x)/Next<</S/URI/URI(FILE:///c)>>>>'),
      ['URI file:', 'URI javascript:'],
    ],
    ['a share', annotation('/Subtype/Link/A<</S/URI/URI(\\\\\\\\host\\\\x)>>'), ['URI \\\\:']],
    ['what addresses begin with', documentOf('/URI<</Base(javascript:)>>'), ['URI javascript:']],
  ])('%s', (_, bodies, found) => {
    expect(listActiveContent(open(bodies))).toEqual(found);
    const hidden = openPdf(memorySource(pdfWithObjectStream(bodies)));
    expect(listActiveContent(hidden)).toEqual(found);
  });

  test.each<[string, readonly string[]]>([
    ['a place at the opening', documentOf('/OpenAction[3 0 R/Fit]')],
    ['a plain form', documentOf('/AcroForm<</Fields[4 0 R]>>', '', ['<</FT/Tx/T(a)>>'])],
    ['a web address', annotation('/Subtype/Link/A<</S/URI/URI(https://example.com/a:b)>>')],
    ['a mail address', annotation('/Subtype/Link/A<</S/URI/URI(MAILTO:a@example.com)>>')],
    ['a relative address', annotation('/Subtype/Link/A<</S/URI/URI(a/b.html#javascript:)>>')],
    ['a place', annotation('/Subtype/Link/Dest[3 0 R/Fit]')],
    ['names of places', documentOf('/Names<</Dests<</Names[(a)[3 0 R/Fit]]>>>>')],
    ['no files', documentOf('/Names<</EmbeddedFiles<</Names[]>>>>')],
    [
      'actions that follow themselves',
      documentOf('/OpenAction 4 0 R', '', ['<</S/GoTo/Next 4 0 R>>']),
    ],
  ])('is not %s', (_, bodies) => {
    expect(listActiveContent(open(bodies))).toEqual([]);
  });

  test('is looked for within bounds', () => {
    const kids = `[${'<</T(a)/A<</S/GoTo>>>>'.repeat(120_000)}]`;
    const file = open(documentOf(`/AcroForm<</Fields ${kids}>>`));
    expect(() => listActiveContent(file)).toThrow(/too many/);
  });
});

describe('pages of a document', () => {
  const pages = (kids: string, count: number, more: readonly string[] = []) =>
    open([
      onePage[0] ?? '',
      `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
      onePage[2] ?? '',
      ...more,
    ]);

  test('as many as are allowed', () => {
    expect(() => requireFewPages(pages('3 0 R '.repeat(50), 50), 50)).not.toThrow();
  });

  test.each<[string, ReturnType<typeof pages>]>([
    ['one page that is named often', pages('3 0 R '.repeat(51), 51)],
    ['a number alone', pages('3 0 R', 51)],
    ['a number that says less', pages('3 0 R '.repeat(51), 1)],
    [
      'nodes in nodes',
      pages('4 0 R '.repeat(9), 1, ['<</Kids[3 0 R 3 0 R 3 0 R 3 0 R 3 0 R 3 0 R]>>']),
    ],
    ['nodes without pages', pages('4 0 R '.repeat(90), 1, ['<</Kids[]>>'])],
    ['a node in itself', pages('4 0 R', 1, ['<</Kids[4 0 R 4 0 R]>>'])],
  ])('more are refused: %s', (_, file) => {
    expect(() => requireFewPages(file, 50)).toThrow(/at most 50 pages/);
  });

  test('half a million are refused without being looked at', () => {
    const file = pages('3 0 R '.repeat(500_000), 500_000);
    const began = cpuMs();
    expect(() => requireFewPages(file, 20_000)).toThrow(/pages/);
    expect(cpuMs() - began).toBeLessThan(1000);
  });
});
