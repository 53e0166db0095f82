import { describe, expect, test } from 'vitest';
import { type ByteSource, latin1Text, memorySource } from '../../../src/base/bytes.ts';
import {
  asDict,
  asInteger,
  asStream,
  asString,
  firstPage,
  openPdf,
  type PdfFile,
  type PdfObject,
  PdfReference,
} from '../../../src/formats/pdf/index.ts';
import {
  addObjects,
  onePage,
  PdfBuilder,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
} from '../../support/pdf-builder.ts';

const open = (bytes: Uint8Array): PdfFile => openPdf(memorySource(bytes));
const textOf = (value: PdfObject): string | undefined => {
  const string = asString(value);
  return string === undefined ? undefined : latin1Text(string.bytes);
};
const page = new PdfReference(3, 0);

describe('opening a PDF by its cross-reference data', () => {
  const crEntries = pdfWithTable(onePage, { entryEol: '\r\n' });
  const kinds: readonly [string, Uint8Array, string][] = [
    ['table', pdfWithTable(onePage), 'table'],
    ['table, CR LF', crEntries, 'table'],
    ['table, entries of 19 bytes', pdfWithTable(onePage, { entryEol: '\n' }), 'table'],
    ['table, entries of 21 bytes', pdfWithTable(onePage, { entryEol: ' \r\n' }), 'table'],
    ['stream', pdfWithObjectStream(onePage), 'stream'],
    ['stream, Flate', pdfWithObjectStream(onePage, { filter: 'flate' }), 'stream'],
    ['stream, PNG predictor', pdfWithObjectStream(onePage, { filter: 'up' }), 'stream'],
    ['stream, /W [1 8 2]', pdfWithObjectStream(onePage, { widths: [1, 8, 2] }), 'stream'],
    ['stream, /W [2 3 4]', pdfWithObjectStream(onePage, { widths: [2, 3, 4] }), 'stream'],
    ['hybrid', pdfHybrid(onePage, 2), 'hybrid'],
    ['linearized', pdfLinearizedLike(onePage), 'table'],
  ];
  test.each(kinds)('finds the first page by %s', (_, bytes, kind) => {
    const file = open(bytes);
    expect(file.sections[0]?.kind).toBe(kind);
    const found = firstPage(file);
    expect(found.reference).toEqual(page);
    expect(found.dict.get('MediaBox')).toEqual([0, 0, 595, 842]);
  });

  test('reads entries of mixed lengths', () => {
    const bytes = pdfWithTable(onePage);
    const text = Buffer.from(bytes).toString('latin1');
    const mixed = text.replace(/(\d{10} 00000 n) \n(\d{10} 00000 n) \n/, '$1\n$2  \r\n');
    expect(mixed).not.toBe(text);
    expect(firstPage(open(Buffer.from(mixed, 'latin1'))).reference).toEqual(page);
  });

  test('assumes type 1 if its field width is 0', () => {
    const builder = addObjects(new PdfBuilder(), onePage).at(0, 0);
    const start = builder.xrefStream(4, { widths: [0, 4, 0] });
    expect(firstPage(open(builder.end(start).bytes)).reference).toEqual(page);
  });
});

describe('revisions of a PDF', () => {
  const revisions = (): PdfBuilder => {
    const builder = addObjects(new PdfBuilder(), [...onePage, '(old)', '(kept)']);
    const first = builder.table();
    builder.end(first).nextRevision().object(4, '(new)').free(5, 1);
    return builder.end(builder.table({ trailer: `/Prev ${first}` }));
  };

  test('the newest section takes precedence, and free objects are gone', () => {
    const file = open(revisions().bytes);
    expect(file.sections.map((section) => section.kind)).toEqual(['table', 'table']);
    expect(textOf(file.read(new PdfReference(4)))).toBe('new');
    expect(file.read(new PdfReference(5))).toBeNull();
    expect(file.locate(5)).toBeUndefined();
    expect(file.objectCount).toBe(6);
  });

  test('tables and streams can follow each other', () => {
    const builder = new PdfBuilder();
    builder.objectStream(
      9,
      onePage.map((body, i) => [i + 1, body] as const),
    );
    const first = builder.xrefStream(10);
    builder.end(first).nextRevision().object(11, '42');
    const second = builder.table({ trailer: `/Prev ${first}` });
    builder.end(second).nextRevision().object(12, '43');
    const third = builder.xrefStream(13, { trailer: `/Prev ${second}` });
    const file = open(builder.end(third).bytes);
    expect(file.sections.map((section) => section.kind)).toEqual(['stream', 'table', 'stream']);
    expect(file.sections.map((section) => section.offsetBytes)).toEqual([third, second, first]);
    expect(file.read(new PdfReference(11))).toBe(42);
    expect(file.read(new PdfReference(12))).toBe(43);
    expect(firstPage(file).reference).toEqual(page);
    expect(file.objectCount).toBe(14);
  });
});

describe('reading objects', () => {
  test('returns null for another generation', () => {
    const builder = addObjects(new PdfBuilder(), onePage).object(4, '7', 3);
    const file = open(builder.end(builder.table()).bytes);
    expect(file.read(new PdfReference(4, 3))).toBe(7);
    expect(file.read(new PdfReference(4, 0))).toBeNull();
    expect(file.read(new PdfReference(1, 1))).toBeNull();
    expect(file.read(new PdfReference(99, 0))).toBeNull();
  });

  test('returns the same instance again', () => {
    const file = open(pdfWithTable(onePage));
    expect(file.read(page)).toBe(file.read(page));
  });

  test('resolves a /Length reference, even into an object stream', () => {
    const builder = new PdfBuilder();
    builder.objectStream(9, [...onePage.map((body, i) => [i + 1, body] as const), [4, '5']]);
    builder.at(5, builder.offset).raw('5 0 obj\n<</Length 4 0 R>>stream\r\nabcde');
    builder.raw('\r\nendstream\nendobj\n');
    const file = open(builder.end(builder.xrefStream(10)).bytes);
    const stream = asStream(file.read(new PdfReference(5)));
    expect(latin1Text(stream?.raw ?? new Uint8Array())).toBe('abcde');
  });

  test('uses the later of header and catalog version', () => {
    const later = ['<</Type/Catalog/Pages 2 0 R/Version/2.0>>', ...onePage.slice(1)];
    expect(open(pdfWithTable(later)).version).toBe('2.0');
    expect(open(pdfWithTable(onePage)).version).toBe('1.7');
  });

  test('ignores bytes after the end marker', () => {
    for (const junk of ['\0'.repeat(1_500), '\r\n'.repeat(3_000), '</html>', 'x'.repeat(10_000)]) {
      const bytes = Buffer.concat([pdfWithTable(onePage), Buffer.from(junk)]);
      expect(firstPage(open(bytes)).reference).toEqual(page);
    }
  });

  test('accepts bytes before the header if offsets count from the first byte', () => {
    const builder = addObjects(new PdfBuilder('junk\n%PDF-1.4\n'), onePage);
    const file = open(builder.end(builder.table()).bytes);
    expect(file.version).toBe('1.4');
  });
});

describe('reading a PDF in windows', () => {
  const observed = (bytes: Uint8Array): { source: ByteSource; read: () => number } => {
    let count = 0;
    return {
      source: {
        lengthBytes: bytes.length,
        slice(start, end) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(bytes.length);
          count += end - start;
          return bytes.slice(start, end);
        },
      },
      read: () => count,
    };
  };

  test('reads only what is needed of 20,004 objects', () => {
    const bodies = [...onePage];
    for (let i = bodies.length; i < 20_004; i++)
      bodies.push(`<</Index ${i}/Text(${'x'.repeat(80)})>>`);
    const bytes = pdfWithTable(bodies);
    const { source, read } = observed(bytes);
    const file = openPdf(source);
    firstPage(file);
    expect(bytes.length).toBeGreaterThan(2_000_000);
    expect(read()).toBeLessThan(40_000);
    expect(asDict(file.read(new PdfReference(20_000)))?.get('Index')).toBe(19_999);
    expect(read()).toBeLessThan(60_000);
  });

  test('reads an object longer than a window', () => {
    const long = `[${Array.from({ length: 60_000 }, (_, i) => i).join(' ')} (${'y'.repeat(9_000)})]`;
    const { source } = observed(pdfWithTable([...onePage, long]));
    const value = openPdf(source).read(new PdfReference(4)) as readonly unknown[];
    expect(value).toHaveLength(60_001);
    expect(asInteger(value[59_999] as number)).toBe(59_999);
  });

  test('gives the same object wherever a window ends', () => {
    const body = '<</A 12 0 R/B[1 -2.5 (a\\(b) <0aF>]/C true/D null/E#46 /G %c\n/H<</I 3>>>>';
    const expected = open(pdfWithTable([...onePage, body])).read(new PdfReference(4));
    for (let shift = 0; shift < body.length + 4; shift++) {
      const padding = ' '.repeat(4_096 - 8 - shift);
      const file = open(pdfWithTable([...onePage, padding + body]));
      expect(file.read(new PdfReference(4))).toEqual(expected);
    }
  });
});
