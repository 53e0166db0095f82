import { deflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { latin1Bytes, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { type ErrorCode, InnsigliError } from '../../../src/base/errors.ts';
import {
  firstPage,
  listSignatureFields,
  type OpenOptions,
  openPdf,
  PdfReference,
  PdfStream,
} from '../../../src/formats/pdf/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  addObjects,
  onePage,
  PdfBuilder,
  pdfWithObjectStream,
  pdfWithTable,
} from '../../support/pdf-builder.ts';

// A tenth of the permitted values: the same input is rejected, but faster.
vi.mock('../../../src/base/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../../src/base/limits.ts')>();
  return { limits: { ...limits, pdfValues: limits.pdfValues / 10 } };
});

/** Opens without repair, walks to the page and through the form, and reads every object. */
function useAll(bytes: Uint8Array, options: OpenOptions = { repair: 'never' }): void {
  const file = openPdf(memorySource(bytes), options);
  firstPage(file);
  listSignatureFields(file);
  for (let i = 1; i < Math.min(file.objectCount, 200); i++) {
    const value = file.read(new PdfReference(i));
    if (value instanceof PdfStream) file.decode(value);
  }
}

function codeOf(bytes: Uint8Array, options?: OpenOptions): ErrorCode | 'none' {
  try {
    useAll(bytes, options);
    return 'none';
  } catch (error) {
    if (error instanceof InnsigliError) return error.code;
    throw error;
  }
}

const valid = pdfWithTable(onePage);
const text = latin1Text(valid);
const edit = (from: string | RegExp, to: string): Uint8Array => {
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  return latin1Bytes(edited);
};
/** Fourth object of an otherwise valid document. */
const fourth = (body: string): Uint8Array => pdfWithTable([...onePage, body]);
const fourthStream = (dict: string, data: Uint8Array | string): Uint8Array => {
  const builder = addObjects(new PdfBuilder(), onePage).stream(4, dict, data);
  return builder.end(builder.table()).bytes;
};
const xrefStream = (dict: string, data: Uint8Array | string = '\0'.repeat(64)): Uint8Array => {
  const builder = addObjects(new PdfBuilder(), onePage);
  const start = builder.offset;
  return builder.stream(4, `/Type/XRef/Root 1 0 R${dict}`, data).end(start).bytes;
};
const catalog = (entries: string, ...more: string[]): Uint8Array =>
  pdfWithTable([`<</Type/Catalog/Pages 2 0 R${entries}>>`, ...onePage.slice(1), ...more]);
const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 });

const cases: readonly (readonly [string, Uint8Array, ErrorCode])[] = [
  ['no bytes', new Uint8Array(), 'pdf.empty'],
  ['text', latin1Bytes('Hello, this is a letter and no PDF.'), 'pdf.notpdf'],
  ['header after 1,024 bytes', latin1Bytes('x'.repeat(1_024) + text), 'pdf.notpdf'],
  ['header only', latin1Bytes('%PDF-1.7\n'), 'pdf.truncated'],
  ['truncated in the middle', valid.subarray(0, 200), 'pdf.truncated'],
  [
    'truncated after startxref',
    latin1Bytes(text.slice(0, text.indexOf('startxref') + 10)),
    'pdf.truncated',
  ],
  ['truncated before %%EOF', latin1Bytes(text.slice(0, text.indexOf('%%EOF'))), 'pdf.truncated'],
  [
    'truncated in an update',
    latin1Bytes(`${text}4 0 obj\n(cut off)\nendobj\nxref\n`),
    'pdf.truncated',
  ],

  ['startxref 0', edit(/startxref\n\d+/, 'startxref\n0'), 'pdf.xref.invalid'],
  ['startxref elsewhere', edit(/startxref\n\d+/, 'startxref\n20'), 'pdf.xref.invalid'],
  ['startxref after the end', edit(/startxref\n\d+/, 'startxref\n99999'), 'pdf.xref.invalid'],
  [
    'startxref of 40 digits',
    edit(/startxref\n\d+/, `startxref\n${'9'.repeat(40)}`),
    'pdf.xref.invalid',
  ],
  ['startxref without number', edit(/startxref\n\d+/, 'startxref\nabc'), 'pdf.xref.invalid'],
  ['no trailer', edit('trailer', 'tralier'), 'pdf.xref.invalid'],
  ['trailer not a dictionary', edit('trailer\n<<', 'trailer\n42 <<'), 'pdf.xref.invalid'],
  ['entry count too high', edit('xref\n0 4', 'xref\n0 9'), 'pdf.xref.invalid'],
  ['entry count beyond the file', edit('xref\n0 4', 'xref\n0 4000000'), 'pdf.xref.invalid'],
  ['object number too high', edit('xref\n0 4', 'xref\n8388606 4'), 'limit.exceeded'],
  ['a letter in an entry', edit(/\d{10} 00000 n/, '00000000x1 00000 n'), 'pdf.xref.invalid'],
  ['offset after the end', edit(/\d{10} 00000 n/, '9999999999 00000 n'), 'pdf.xref.invalid'],
  ['offset of another object', edit('3 0 obj', '5 0 obj'), 'pdf.xref.invalid'],
  ['another generation', edit('3 0 obj', '3 1 obj'), 'pdf.xref.invalid'],
  ['no /Size', edit('/Size 4', ''), 'pdf.xref.invalid'],
  ['/Size negative', edit('/Size 4', '/Size -4'), 'pdf.xref.invalid'],
  ['/Size huge', edit('/Size 4', '/Size 2147483647'), 'limit.exceeded'],
  ['/Size no integer', edit('/Size 4', '/Size 4.5'), 'pdf.xref.invalid'],
  [
    '/Prev to itself',
    edit('/Size 4', `/Prev ${text.indexOf('xref\n')}/Size 4`),
    'pdf.xref.invalid',
  ],
  ['/Prev behind the end', edit('/Size 4', '/Prev 99999/Size 4'), 'pdf.xref.invalid'],
  ['/Prev negative', edit('/Size 4', '/Prev -1/Size 4'), 'pdf.xref.invalid'],
  ['/Prev a reference', edit('/Size 4', '/Prev 3 0 R/Size 4'), 'pdf.xref.invalid'],
  ['/XRefStm elsewhere', edit('/Size 4', '/XRefStm 9/Size 4'), 'pdf.xref.invalid'],
  ['encrypted', edit('/Size 4', '/Encrypt 3 0 R/Size 4'), 'pdf.encryption.unsupported'],
  [
    'encrypted, direct',
    edit('/Size 4', '/Encrypt<</Filter/Standard>>/Size 4'),
    'pdf.encryption.unsupported',
  ],
  ['no /Root', edit('/Root 1 0 R', ''), 'pdf.structure.invalid'],
  ['/Root absent', edit('/Root 1 0 R', '/Root 77 0 R'), 'pdf.object.missing'],
  ['/Root no dictionary', pdfWithTable(['42']), 'pdf.structure.invalid'],

  ['xref stream without /W', xrefStream('/Size 5'), 'pdf.xref.invalid'],
  ['/W with two widths', xrefStream('/Size 5/W[1 2]'), 'pdf.xref.invalid'],
  ['/W negative', xrefStream('/Size 5/W[1 -2 1]'), 'pdf.xref.invalid'],
  ['/W huge', xrefStream('/Size 5/W[1 2147483647 1]'), 'pdf.xref.invalid'],
  ['/W all 0', xrefStream('/Size 5/W[0 0 0]'), 'pdf.xref.invalid'],
  ['/Index odd', xrefStream('/Size 5/W[1 2 1]/Index[0 5 7]'), 'pdf.xref.invalid'],
  ['/Index negative', xrefStream('/Size 5/W[1 2 1]/Index[-1 5]'), 'pdf.xref.invalid'],
  ['/Index huge', xrefStream('/Size 5/W[1 2 1]/Index[0 999999999]'), 'limit.exceeded'],
  ['rows missing', xrefStream('/Size 5/W[1 20 1]'), 'pdf.xref.invalid'],
  ['offset over 2^53', xrefStream('/Size 5/W[1 8 1]', '\x01\xff'.repeat(50)), 'pdf.xref.invalid'],
  [
    'xref stream not Flate',
    xrefStream('/Size 5/W[1 2 1]/Filter/FlateDecode'),
    'pdf.stream.invalid',
  ],
  ['xref stream a bomb', xrefStream('/Size 5/W[1 2 1]/Filter/FlateDecode', bomb), 'limit.exceeded'],
  ['no xref stream', pdfStreamAsXref(), 'pdf.xref.invalid'],

  ['keyword', fourth('foo'), 'pdf.syntax.invalid'],
  ['dictionary without key', fourth('<<1 2>>'), 'pdf.syntax.invalid'],
  ['dictionary without value', fourth('<</A>>'), 'pdf.syntax.invalid'],
  ['dictionary not closed', fourth('<</A 1>'), 'pdf.syntax.invalid'],
  ['array not closed', fourth('[1 2'), 'pdf.syntax.invalid'],
  ['mismatched bracket', fourth('[1 2>>'), 'pdf.syntax.invalid'],
  ['hex with a letter', fourth('<12G4>'), 'pdf.syntax.invalid'],
  ['string not closed', fourth('(abc'), 'pdf.truncated'],
  ['hex not closed', latin1Bytes(text.replaceAll('>', ' ')), 'pdf.syntax.invalid'],
  ['number of 5,000 digits', fourth('1'.repeat(5_000)), 'limit.exceeded'],
  ['name of 5,000 characters', fourth(`/${'a'.repeat(5_000)}`), 'limit.exceeded'],
  ['10^6 brackets', fourth('['.repeat(1_000_000)), 'limit.exceeded'],
  ['10^6 dictionaries', fourth('<</A'.repeat(1_000_000)), 'limit.exceeded'],
  ['10^6 parentheses', fourth('('.repeat(1_000_000)), 'pdf.truncated'],
  ['a million values', fourth(`[${'0 '.repeat(1_000_000)}]`), 'limit.exceeded'],

  ['/Length too short', fourth('<</Length 2>>stream\nabcde\nendstream'), 'pdf.stream.invalid'],
  ['/Length too long', fourth('<</Length 20>>stream\nabcde\nendstream'), 'pdf.stream.invalid'],
  [
    '/Length behind the end',
    fourth('<</Length 99999>>stream\nabc\nendstream'),
    'pdf.stream.invalid',
  ],
  ['/Length negative', fourth('<</Length -1>>stream\nabc\nendstream'), 'pdf.stream.invalid'],
  ['/Length missing', fourth('<<>>stream\nabc\nendstream'), 'pdf.stream.invalid'],
  ['/Length of itself', fourth('<</Length 4 0 R>>stream\nabc\nendstream'), 'pdf.structure.invalid'],
  ['stream without end of line', fourth('<</Length 3>>streamabc\nendstream'), 'pdf.syntax.invalid'],
  ['/Length through 100 streams', lengthsOfLengths(100), 'limit.exceeded'],
  ['unknown filter', fourthStream('/Filter/Unknown', 'x'), 'pdf.filter.unsupported'],
  ['image filter', fourthStream('/Filter/DCTDecode', 'x'), 'pdf.filter.unsupported'],
  ['filter not a name', fourthStream('/Filter 42', 'x'), 'pdf.filter.unsupported'],
  [
    'encrypted stream',
    fourthStream('/Filter/Crypt/DecodeParms<</Name/Std>>', 'x'),
    'pdf.filter.unsupported',
  ],
  ['data in an external file', fourthStream('/F(other)', 'x'), 'pdf.filter.unsupported'],
  ['not Flate', fourthStream('/Filter/FlateDecode', 'garbage'), 'pdf.stream.invalid'],
  [
    'nine filters',
    fourthStream(`/Filter[${'/ASCIIHexDecode'.repeat(9)}]`, '00>'),
    'limit.exceeded',
  ],
  [
    'predictor 99',
    fourthStream('/Filter/LZWDecode/DecodeParms<</Predictor 99>>', '\x80\x40'),
    'pdf.stream.invalid',
  ],
  [
    '/Columns huge',
    fourthStream('/Filter/LZWDecode/DecodeParms<</Predictor 12/Columns 999999999999>>', '\x80\x40'),
    'pdf.stream.invalid',
  ],
  [
    '/Colors 0',
    fourthStream('/Filter/LZWDecode/DecodeParms<</Predictor 12/Colors 0>>', '\x80\x40'),
    'pdf.stream.invalid',
  ],
  [
    'PNG row type 9',
    fourthStream(
      '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1>>',
      deflateSync(Buffer.from([9, 1])),
    ),
    'pdf.stream.invalid',
  ],
  [
    'LZW code not defined',
    fourthStream('/Filter/LZWDecode', '\x80\x7f\xff\xff'),
    'pdf.stream.invalid',
  ],
  ['ASCII85 letter', fourthStream('/Filter/ASCII85Decode', 'abc\x7f~>'), 'pdf.stream.invalid'],
  [
    'ASCII85 group too large',
    fourthStream('/Filter/ASCII85Decode', 'uuuuu~>'),
    'pdf.stream.invalid',
  ],
  ['ASCII85 group of one', fourthStream('/Filter/ASCII85Decode', 'a~>'), 'pdf.stream.invalid'],
  ['ASCIIHex letter', fourthStream('/Filter/ASCIIHexDecode', '0g>'), 'pdf.stream.invalid'],
  ['RunLength truncated', fourthStream('/Filter/RunLengthDecode', '\x05ab'), 'pdf.stream.invalid'],

  ['container absent', compressedIn('', '0'), 'pdf.object.missing'],
  [
    'container not a stream',
    compressedIn('5 0 obj\n42\nendobj\n', 'here'),
    'pdf.structure.invalid',
  ],
  ['object of another index', objectStreamWith('/N 1/First 4', '7 0 42'), 'pdf.xref.invalid'],
  ['/N too high', objectStreamWith('/N 99/First 4', '4 0 42'), 'pdf.stream.invalid'],
  ['/N huge', objectStreamWith('/N 99999999999/First 4', '4 0 42'), 'pdf.stream.invalid'],
  ['/First behind the end', objectStreamWith('/N 1/First 400', '4 0 42'), 'pdf.stream.invalid'],
  ['offset after the end', objectStreamWith('/N 1/First 6', '4 999 42'), 'pdf.stream.invalid'],
  ['pairs damaged', objectStreamWith('/N 1/First 4', 'x y 42'), 'pdf.stream.invalid'],
  ['member truncated', objectStreamWith('/N 1/First 4', '4 0 [1 2'), 'pdf.syntax.invalid'],
  ['member malformed', objectStreamWith('/N 1/First 4', '4 0 <<1>>'), 'pdf.syntax.invalid'],

  ['no /Pages', pdfWithTable(['<</Type/Catalog>>']), 'pdf.structure.invalid'],
  [
    'no pages',
    pdfWithTable([onePage[0] ?? '', '<</Type/Pages/Kids[]/Count 0>>']),
    'pdf.structure.invalid',
  ],
  [
    'cyclic page tree',
    pdfWithTable([onePage[0] ?? '', '<</Type/Pages/Kids[2 0 R]>>']),
    'pdf.structure.invalid',
  ],
  ['page tree of 100 levels', pageTree(100), 'limit.exceeded'],
  ['reference to itself', catalog('/AcroForm 4 0 R', '4 0 R'), 'pdf.structure.invalid'],
  [
    'two references in a cycle',
    catalog('/AcroForm 4 0 R', '5 0 R', '4 0 R'),
    'pdf.structure.invalid',
  ],
  ['field tree of 100 levels', fieldTree(100), 'limit.exceeded'],
  [
    'field name of 5,000 bytes',
    catalog(`/AcroForm<</Fields[<</FT/Sig/T(${'n'.repeat(5_000)})>>]>>`),
    'limit.exceeded',
  ],
];

function pdfStreamAsXref(): Uint8Array {
  const builder = addObjects(new PdfBuilder(), onePage);
  const start = builder.offset;
  return builder.stream(4, '/Type/Other', 'x').end(start).bytes;
}

function lengthsOfLengths(count: number): Uint8Array {
  const bodies = [...onePage];
  for (let i = 4; i < 4 + count; i++) {
    bodies.push(`<</Length ${i + 1} 0 R>>stream\nabc\nendstream`);
  }
  return pdfWithTable(bodies);
}

function compressedIn(container: string, at: 'here' | '0'): Uint8Array {
  const builder = addObjects(new PdfBuilder(), onePage);
  if (at === 'here') builder.at(5, builder.offset);
  builder.raw(container).compressed(4, 5, 0);
  return builder.end(builder.xrefStream(6)).bytes;
}

function objectStreamWith(dict: string, data: string): Uint8Array {
  const builder = addObjects(new PdfBuilder(), onePage);
  builder.stream(5, `/Type/ObjStm${dict}`, data).compressed(4, 5, 0);
  return builder.end(builder.xrefStream(6)).bytes;
}

function pageTree(levels: number): Uint8Array {
  const bodies = [onePage[0] ?? ''];
  for (let i = 2; i < levels + 2; i++) bodies.push(`<</Type/Pages/Kids[${i + 1} 0 R]>>`);
  return pdfWithTable([...bodies, '<</Type/Page>>']);
}

function fieldTree(levels: number): Uint8Array {
  const bodies: string[] = [];
  for (let i = 4; i < levels + 4; i++) bodies.push(`<</T(a)/Kids[${i + 1} 0 R]>>`);
  return catalog('/AcroForm<</Fields[4 0 R]>>', ...bodies, '<</FT/Sig/T(z)>>');
}

describe('a malformed PDF', () => {
  test('is derived from a valid document', () => {
    expect(codeOf(valid)).toBe('none');
    expect(codeOf(pdfWithObjectStream(onePage))).toBe('none');
  });

  test.each(cases)('is rejected with the expected code: %s', (_, bytes, code) => {
    const startMs = cpuMs();
    expect(codeOf(bytes)).toBe(code);
    expect(cpuMs() - startMs).toBeLessThan(20_000);
  });

  test.each(cases)('is repaired or rejected with a code: %s', (_, bytes) => {
    const startMs = cpuMs();
    const codes = [codeOf(bytes, {}), codeOf(bytes, { repair: 'always' })];
    for (const code of codes) expect(code).toMatch(/^(none|pdf\.|limit\.)/);
    expect(cpuMs() - startMs).toBeLessThan(20_000);
  });

  test.each([
    ['bytes before the header', latin1Bytes(`junk${text}`)],
    ['no endobj', edit(/endobj\n2 0/, '      \n2 0')],
  ])('is read unrepaired if harmless: %s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('none');
  });

  test('that is encrypted is rejected with a hint', () => {
    expect(() => useAll(edit('/Size 4', '/Encrypt 3 0 R/Size 4'))).toThrow(
      expect.objectContaining({
        code: 'pdf.encryption.unsupported',
        hint: expect.stringContaining('password'),
      }),
    );
  });
});

describe('PDF input designed to take forever is rejected in time', () => {
  const within = (bytes: Uint8Array, milliseconds: number): ErrorCode | 'none' => {
    const startMs = cpuMs();
    const code = codeOf(bytes);
    expect(cpuMs() - startMs).toBeLessThan(milliseconds);
    return code;
  };

  test('with overlapping strings', () => {
    const count = 30_000;
    const builder = new PdfBuilder();
    const fields = Array.from({ length: count }, (_, i) => `${i + 4} 0 R`).join(' ');
    builder.object(1, `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]>>>>`);
    builder.object(2, onePage[1] ?? '').object(3, onePage[2] ?? '');
    for (let i = 0; i < count; i++) builder.at(i + 4, builder.offset).raw(`${i + 4} 0 obj(`);
    builder.raw(')endobj '.repeat(count));
    expect(within(builder.end(builder.table()).bytes, 20_000)).toBe('limit.exceeded');
  });

  test('with a chain of 5,000 sections', () => {
    const builder = addObjects(new PdfBuilder(), onePage);
    let previous = builder.table();
    for (let i = 0; i < 5_000; i++) {
      builder.end(previous).nextRevision().object(4, '1');
      previous = builder.table({ trailer: `/Prev ${previous}` });
    }
    expect(within(builder.end(previous).bytes, 20_000)).toBe('limit.exceeded');
  });

  test('with two sections that reference each other', () => {
    const builder = addObjects(new PdfBuilder(), onePage);
    const first = builder.table({ trailer: '/Prev 0000000' });
    builder.nextRevision().object(4, '1');
    const second = builder.table({ trailer: `/Prev ${first}` });
    const bytes = latin1Text(builder.end(second).bytes);
    const looped = bytes.replace('/Prev 0000000', `/Prev ${String(second).padStart(7, '0')}`);
    expect(within(latin1Bytes(looped), 20_000)).toBe('pdf.xref.invalid');
  });

  test('with a wide cyclic field tree', () => {
    const kids = Array.from({ length: 1_000 }, (_, i) => `${i + 4} 0 R`).join(' ');
    const bodies = Array.from({ length: 1_000 }, (_, i) => `<</T(f${i})/Kids[${kids}]>>`);
    expect(within(catalog(`/AcroForm<</Fields[${kids}]>>`, ...bodies), 20_000)).toBe(
      'limit.exceeded',
    );
  });

  test('with many page tree nodes that share one array', () => {
    const kids = Array.from({ length: 3_000 }, (_, i) => `${i + 4} 0 R`).join(' ');
    const nodes = Array.from({ length: 2_999 }, () => '<</Type/Pages/Kids 3 0 R>>');
    const bytes = pdfWithTable([onePage[0] ?? '', nodes[0] ?? '', `[${kids}]`, ...nodes]);
    expect(within(bytes, 20_000)).toBe('limit.exceeded');
  });
});
