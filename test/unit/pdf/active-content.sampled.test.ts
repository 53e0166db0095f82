import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { listActiveContent, openPdf, requireFewPages } from '../../../src/formats/pdf/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { onePage, pdfWithObjectStream, pdfWithTable } from '../../support/pdf-builder.ts';
import { costlyTest } from '../../support/sample.ts';

const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const open = (bodies: readonly string[]) => openPdf(memorySource(pdfWithTable(bodies)));
/** One page with additional entries in catalog and page, and further objects from 4 on. */
const documentOf = (catalog: string, page = '', more: readonly string[] = []) => [
  `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
  onePage[1] ?? '',
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${page}>>`,
  ...more,
];
const streamOf = (entries: string) => `<<${entries}/Length 1>>\nstream\nq\nendstream`;
const annotation = (entries: string) => documentOf('', `/Annots[<</Type/Annot${entries}>>]`);

describe('active content', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a script at the opening', documentOf(`/OpenAction ${script}`), ['JavaScript']],
    ['by reference', documentOf('/OpenAction 4 0 R', '', [script]), ['JavaScript']],
    ['at an event of the document', documentOf(`/AA<</WC ${script}>>`), ['JavaScript']],
    ['at an event of a page', documentOf('', `/AA<</O ${script}>>`), ['JavaScript']],
    [
      'after a harmless action',
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
      'a field that calculates',
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
    ['launching a program', annotation('/Subtype/Link/A<</S/Launch/F(a.exe)>>'), ['Launch']],
    ['submitting a form', annotation('/Subtype/Widget/A<</S/SubmitForm>>'), ['SubmitForm']],
    [
      'a link to another file',
      annotation('/Subtype/Link/A<</S/GoToR/F(\\\\\\\\x\\\\y)>>'),
      ['GoToR'],
    ],
    ['a link to an embedded file', annotation('/Subtype/Link/A<</S/GoToE>>'), ['GoToE']],
    ['data that is imported', annotation('/Subtype/Link/A<</S/ImportData>>'), ['ImportData']],
    ['media', annotation('/Subtype/RichMedia'), ['RichMedia']],
    [
      'legacy media',
      annotation('/Subtype/Screen/AA<</PV<</S/Rendition>>>>'),
      [...['Rendition', 'Screen']],
    ],
    ['a 3D model', annotation('/Subtype/3D'), ['3D']],
    ['a file at a URL', annotation('/Subtype/FileAttachment'), ['FileAttachment']],
    ['files', documentOf('/Names<</EmbeddedFiles<</Names[(a)<<>>]>>>>'), ['EmbeddedFiles']],
    ['files of a page', documentOf('', '/AF[<<>>]'), ['EmbeddedFiles']],
    ['another form', documentOf('/AcroForm<</Fields[]/XFA[(a)(b)]>>'), ['XFA']],
    [
      'URIs with a scheme other than http',
      annotation('/Subtype/Link/A<</S/URI/URI(java\\nscript:x)/Next<</S/URI/URI(FILE:///c)>>>>'),
      ['URI file:', 'URI javascript:'],
    ],
    [
      'a network share',
      annotation('/Subtype/Link/A<</S/URI/URI(\\\\\\\\host\\\\x)>>'),
      ['URI \\\\:'],
    ],
    ['the base of URIs', documentOf('/URI<</Base(javascript:)>>'), ['URI javascript:']],
    [
      'an action that is also an annotation',
      documentOf('/OpenAction 4 0 R', '/Annots[4 0 R]', [
        `<</S/GoTo/D[3 0 R/Fit]/Type/Annot/Subtype/Screen/AA<</E ${script}>>>>`,
      ]),
      ['JavaScript', 'Screen'],
    ],
    [
      'an action that is also a name tree',
      documentOf('/OpenAction 4 0 R/Names<</JavaScript 4 0 R>>', '', [
        `<</S/GoTo/D[3 0 R/Fit]/Names[(a) ${script}]>>`,
      ]),
      ['JavaScript'],
    ],
    [
      'an outline item that is also a field',
      documentOf('/Outlines<</First 4 0 R>>/AcroForm<</Fields[4 0 R]>>', '', [
        `<</Title(a)/T(a)/AA<</C ${script}>>>>`,
      ]),
      ['JavaScript'],
    ],
    [
      'a deeply nested field',
      documentOf('/AcroForm<</Fields[4 0 R]>>', '', [
        ...Array.from({ length: 80 }, (_, at) => `<</T(a)/Kids[${at + 5} 0 R]>>`),
        `<</T(b)/AA<</C ${script}>>>>`,
      ]),
      ['JavaScript'],
    ],
    [
      'a field missing from the form, with inherited entries',
      documentOf('/AcroForm<</Fields[]>>', '/Annots[<</Subtype/Widget/Parent 4 0 R>>]', [
        `<</FT/Tx/T(a)/AA<</K ${script}>>>>`,
      ]),
      ['JavaScript'],
    ],
    [
      'the calculation order of fields',
      documentOf('/AcroForm<</Fields[]/CO[4 0 R]>>', '', [`<</T(a)/AA<</C ${script}>>>>`]),
      ['JavaScript'],
    ],
    [
      'a sub-page navigation action',
      documentOf('', '/PresSteps<</Next<</NA<</S/Launch/F(a.exe)>>>>>>'),
      ['Launch'],
    ],
    [
      'names in other notations',
      annotation('/#53ubtype/Link/A<</S/Java#53cript/JS(x)/Next<</S(Launch)>>>>'),
      ['JavaScript', 'Launch'],
    ],
    [
      'an address given as a name',
      annotation('/Subtype/Link/A<</S/URI/URI/javascript:x>>'),
      ['URI javascript:'],
    ],
  ])('is found: %s', (_, bodies, found) => {
    expect(listActiveContent(open(bodies))).toEqual(found);
    const hidden = openPdf(memorySource(pdfWithObjectStream(bodies)));
    expect(listActiveContent(hidden)).toEqual(found);
  });

  const drawn = (name: string) => `/Resources<</XObject<</${name} 4 0 R>>>>`;
  const inner = streamOf(`/Subtype/Form/Resources<</XObject<</X 5 0 R/Y 4 0 R>>>>`);
  test.each<[string, string, readonly string[]]>([
    ['the content of a page', '/Contents 4 0 R', [streamOf('/F(other.bin)')]],
    ['part of the content', '/Contents[4 0 R]', [streamOf('/F<</F(other.bin)>>')]],
    ['a picture', drawn('X'), [streamOf('/Subtype/Image/F(other.jpg)')]],
    ['a reference XObject', drawn('X'), [streamOf('/Ref<</F(a.pdf)/Page 0>>')]],
    ['a pattern', '/Resources<</Pattern<</P 4 0 R>>>>', [streamOf('/F(other.bin)')]],
    ['an annotation', '/Annots[<</AP<</N 4 0 R>>>>]', [streamOf('/Ref<</F(a.pdf)>>')]],
    ['an annotation state', '/Annots[<</AP<</D<</On 4 0 R>>>>>>]', [streamOf('/F(other.bin)')]],
    ['a nested form', drawn('X'), [inner, streamOf('/Ref<</F(a.pdf)>>')]],
    [
      'the glyphs of a Type 3 font',
      '/Resources<</Font<</Parent<</Type/Font/Subtype/Type3/CharProcs<</Parent 4 0 R>>>>>>>>',
      [streamOf('/F(other.bin)')],
    ],
    [
      'a picture drawn by such a glyph',
      '/Resources<</Font<</T<</Subtype/Type3/Resources<</XObject<</X 4 0 R>>>>>>>>>>',
      [streamOf('/F(other.bin)')],
    ],
    [
      'the program of a font',
      '/Resources<</Font<</T<</FontDescriptor<</FontFile2 4 0 R>>>>>>>>',
      [streamOf('/F(other.ttf)')],
    ],
    [
      'the program of a composite font',
      '/Resources<</Font<</T<</DescendantFonts[<</FontDescriptor<</FontFile3 4 0 R>>>>]>>>>>>',
      [streamOf('/F(other.ttf)')],
    ],
    [
      'the soft mask of a graphics state',
      '/Resources<</ExtGState<</G<</SMask<</S/Alpha/G 4 0 R>>>>>>>>',
      [streamOf('/Ref<</F(a.pdf)>>')],
    ],
    ['the mask of a picture', drawn('X'), [streamOf('/SMask 5 0 R'), streamOf('/F(other.bin)')]],
    [
      'a colour profile',
      '/Resources<</ColorSpace<</C[/ICCBased 4 0 R]>>>>',
      [streamOf('/N 3/F(other.icc)')],
    ],
    ['a shading', '/Resources<</Shading<</S 4 0 R>>>>', [streamOf('/F(other.bin)')]],
  ])('includes content from an external file: %s', (_, page, more) => {
    expect(listActiveContent(open(documentOf('', page, more)))).toEqual(['external file']);
  });

  test.each<[string, string, string]>([
    ['an element', '<</K<</S/P/AF[<</F(a)>>]>>>>', ''],
    ['an element among several', '<</K[<</K[0 1]>><</K[<</K 2/AF 4 0 R>>]>>]>>', ''],
    ['the whole structure', '<</AF[<</F(a)>>]>>', ''],
    ['marked content', 'null', '/Resources<</Properties<</M<</AF[<</F(a)>>]>>>>>>'],
    ['a form', 'null', '/Resources<</XObject<</X<</AF[<</F(a)>>]>>>>>>'],
  ])('includes a file associated with %s', (_, structure, page) => {
    const bodies = documentOf(`/StructTreeRoot ${structure}`, page, ['[<</F(a)>>]']);
    expect(listActiveContent(open(bodies))).toEqual(['EmbeddedFiles']);
  });

  test('is reported despite too many structure elements in lenient mode', () => {
    const kids = `[${'5 0 R '.repeat(250_001)}]`;
    const tree = `/OpenAction ${script}/StructTreeRoot<</K 4 0 R>>`;
    const file = open(documentOf(tree, '', [kids, '<</S/P>>']));
    expect(listActiveContent(file, { isLenient: true })).toEqual(['JavaScript']);
    expect(() => listActiveContent(file)).toThrow('too many structure elements');
  });

  test('excludes fonts, masks and structure of the document itself, even self-referencing ones', () => {
    const own = streamOf('/F null/SMask 4 0 R/Parent 3 0 R');
    const fonts = '/Font<</T<</CharProcs<</a 4 0 R>>/FontDescriptor<</FontFile2 4 0 R>>>>>>';
    const tree = '/StructTreeRoot<</K 5 0 R>>';
    const element = '<</S/P/P 5 0 R/K[0 5 0 R]/AF null>>';
    const page = `/Resources<<${fonts}/ExtGState<</G<</SMask/None>>>>>>`;
    expect(listActiveContent(open(documentOf(tree, page, [own, element])))).toEqual([]);
  });

  test('includes external content that all pages may draw', () => {
    const [catalog = '', , page = ''] = documentOf('');
    const tree = `<</Type/Pages/Kids[3 0 R]/Count 1${drawn('X')}>>`;
    const bodies = [catalog, tree, page, streamOf('/F(other.bin)')];
    expect(listActiveContent(open(bodies))).toEqual(['external file']);
  });

  test('excludes content of the document itself, even a form that draws itself', () => {
    for (const more of [streamOf('/F null'), streamOf(drawn('X'))]) {
      expect(listActiveContent(open(documentOf('', drawn('X'), [more])))).toEqual([]);
    }
  });

  test('is reported despite an unreadable stream in lenient mode', () => {
    const broken = `<<${drawn('X')}/Length 1>>\nstream\nq`;
    const bodies = documentOf(`/OpenAction ${script}`, drawn('X'), [broken]);
    expect(listActiveContent(open(bodies), { isLenient: true })).toEqual(['JavaScript']);
    expect(() => listActiveContent(open(bodies))).toThrow(/stream/);
  });

  test('is searched once in resources that all pages share', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `/N${at} 5 0 R`).join('');
    const kids = Array.from({ length: 1_000 }, (_, at) => `${at + 6} 0 R`).join(' ');
    const pages = Array.from({ length: 1_000 }, () => '<</Type/Page/Parent 2 0 R>>');
    const shared = (resources: string) => {
      const tree = `<</Type/Pages/Kids[${kids}]/Count 1000/Resources ${resources}>>`;
      const own = `<</XObject<<${names}>>>>`;
      return open([onePage[0] ?? '', tree, 'null', own, streamOf(''), ...pages]);
    };
    const began = cpuMs();
    expect(listActiveContent(shared('4 0 R'))).toEqual([]);
    expect(cpuMs() - began).toBeLessThan(1000);
    const direct = shared(`<</XObject<<${names}>>>>`);
    expect(() => listActiveContent(direct)).toThrow(/draw too much/);
  });

  test.each<[string, readonly string[]]>([
    ['a destination at opening', documentOf('/OpenAction[3 0 R/Fit]')],
    ['a plain form', documentOf('/AcroForm<</Fields[4 0 R]>>', '', ['<</FT/Tx/T(a)>>'])],
    ['a web address', annotation('/Subtype/Link/A<</S/URI/URI(https://example.com/a:b)>>')],
    ['an e-mail address', annotation('/Subtype/Link/A<</S/URI/URI(MAILTO:a@example.com)>>')],
    ['a relative address', annotation('/Subtype/Link/A<</S/URI/URI(a/b.html#javascript:)>>')],
    ['a destination', annotation('/Subtype/Link/Dest[3 0 R/Fit]')],
    ['named destinations', documentOf('/Names<</Dests<</Names[(a)[3 0 R/Fit]]>>>>')],
    ['no files', documentOf('/Names<</EmbeddedFiles<</Names[]>>>>')],
    ['cyclic actions', documentOf('/OpenAction 4 0 R', '', ['<</S/GoTo/Next 4 0 R>>'])],
  ])('excludes %s', (_, bodies) => {
    expect(listActiveContent(open(bodies))).toEqual([]);
  });

  costlyTest('is searched within limits in a large form', () => {
    const kids = `[${'<</T(a)/A<</S/GoTo>>>>'.repeat(120_000)}]`;
    const file = open(documentOf(`/AcroForm<</Fields ${kids}>>`));
    expect(() => listActiveContent(file)).toThrow(/too many/);
  });

  const times = (text: string, count: number) => text.repeat(count);
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => at + from);
  // Objects 5 to 504 are each the list in 4, whose items have one of them as their list.
  const aliases = (key: string) => [
    `[${numbers(5, 500)
      .map((number) => `<</${key} ${number} 0 R>>`)
      .join('')}]`,
    ...numbers(5, 500).map(() => '4 0 R'),
  ];
  test.each<[string, readonly string[]]>([
    [
      'a long list of actions',
      documentOf('/OpenAction<</Next 4 0 R>>', '', [`[${times('null ', 250_000)}]`]),
    ],
    [
      'actions that share their list',
      documentOf('/OpenAction<</Next 4 0 R>>', '', aliases('Next')),
    ],
    [
      'names that share their list',
      documentOf('/Names<</JavaScript<</Kids 4 0 R>>>>', '', aliases('Kids')),
    ],
    ['fields that share their list', documentOf('/AcroForm<</Fields 4 0 R>>', '', aliases('Kids'))],
    [
      'one annotation referenced many times',
      documentOf('', '/Annots 4 0 R', [`[${times('5 0 R ', 250_000)}]`, '<</Subtype/Link>>']),
    ],
  ])('is searched with bounded work and memory: %s', (_, bodies) => {
    const file = open(bodies);
    const began = cpuMs();
    expect(() => listActiveContent(file)).toThrow(/too many/);
    expect(cpuMs() - began).toBeLessThan(2000);
  });

  test.each<[string, readonly string[]]>([
    [
      'actions',
      documentOf('/OpenAction<</Next 4 0 R>>', '', [`[${times('<</Next 4 0 R>>', 5_000)}]`]),
    ],
    [
      'names',
      documentOf('/Names<</JavaScript<</Kids 4 0 R>>>>', '', [
        `[${times('<</Kids 4 0 R>>', 5_000)}]`,
      ]),
    ],
  ])('is searched once in a self-referencing list: %s', (_, bodies) => {
    const file = open(bodies);
    const began = cpuMs();
    expect(listActiveContent(file)).toEqual([]);
    expect(cpuMs() - began).toBeLessThan(1000);
  });

  test('is searched once in lists that all pages share', () => {
    const kids = Array.from({ length: 2_000 }, (_, at) => `${at + 6} 0 R`).join(' ');
    const page = '<</Type/Page/Parent 2 0 R/AA 4 0 R/Annots 5 0 R>>';
    const file = open([
      onePage[0] ?? '',
      `<</Type/Pages/Kids[${kids}]/Count 2000>>`,
      'null',
      `<<${Array.from({ length: 2_000 }, (_, at) => `/N${at} 3 0 R`).join('')}>>`,
      `[${times('3 0 R ', 2_000)}]`,
      ...Array.from({ length: 2_000 }, () => page),
    ]);
    const began = cpuMs();
    expect(listActiveContent(file)).toEqual([]);
    expect(cpuMs() - began).toBeLessThan(1000);
  });
});

describe('the page limit', () => {
  const pages = (kids: string, count: number, more: readonly string[] = []) =>
    open([
      onePage[0] ?? '',
      `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
      onePage[2] ?? '',
      ...more,
    ]);

  test('permits as many pages as allowed', () => {
    expect(() => requireFewPages(pages('3 0 R '.repeat(50), 50), 50)).not.toThrow();
  });

  test.each<[string, ReturnType<typeof pages>]>([
    ['one page referenced many times', pages('3 0 R '.repeat(51), 51)],
    ['only the page count', pages('3 0 R', 51)],
    ['a page count that is too low', pages('3 0 R '.repeat(51), 1)],
    [
      'nested nodes',
      pages('4 0 R '.repeat(9), 1, ['<</Kids[3 0 R 3 0 R 3 0 R 3 0 R 3 0 R 3 0 R]>>']),
    ],
    ['nodes without pages', pages('4 0 R '.repeat(90), 1, ['<</Kids[]>>'])],
    ['a node inside itself', pages('4 0 R', 1, ['<</Kids[4 0 R 4 0 R]>>'])],
  ])('rejects more pages: %s', (_, file) => {
    expect(() => requireFewPages(file, 50)).toThrow(/at most 50 pages/);
  });

  test('rejects half a million pages without examining them', () => {
    const file = pages('3 0 R '.repeat(500_000), 500_000);
    const began = cpuMs();
    expect(() => requireFewPages(file, 20_000)).toThrow(/pages/);
    expect(cpuMs() - began).toBeLessThan(1000);
  });
});
