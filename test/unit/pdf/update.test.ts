import { describe, expect, test } from 'vitest';
import {
  concatBytes,
  joinedSource,
  latin1Bytes,
  latin1Text,
  memorySource,
} from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asStream,
  asString,
  beginUpdate,
  firstPage,
  openPdf,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  type PdfUpdateResult,
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

/** A rotated page, a new stream and a marked value. */
function change(bytes: Uint8Array): PdfUpdateResult & { readonly added: PdfReference } {
  const file = openPdf(memorySource(bytes));
  const update = beginUpdate(file);
  const page = firstPage(file);
  const added = update.allocate();
  const marked = update.allocate();
  update.set(page.reference as PdfReference, new Map([...page.dict, ['Rotate', 90]]));
  update.set(added, new PdfStream(new Map([['Kind', true]]), latin1Bytes('data')));
  update.set(marked, new Map([['Contents', new PdfRaw(latin1Bytes('<0000>'), 'contents')]]));
  return { ...update.finish(), added };
}

const kinds: readonly (readonly [string, Uint8Array, 'table' | 'stream'])[] = [
  ['table', pdfWithTable(onePage), 'table'],
  ['stream', pdfWithObjectStream(onePage), 'stream'],
  ['hybrid', pdfHybrid(onePage, 2), 'table'],
  ['linearized', pdfLinearizedLike(onePage), 'table'],
];

describe.each(kinds)('an update of a file with %s', (_, bytes, kind) => {
  const { bytes: appended, marks, added } = change(bytes);
  const whole = concatBytes([bytes, appended]);
  const before = openPdf(memorySource(bytes));
  const after = openPdf(memorySource(whole));

  test('has a section of the same kind before the existing ones', () => {
    expect(after.sections.map((section) => section.kind)).toEqual([
      kind,
      ...before.sections.map((section) => section.kind),
    ]);
    expect(after.trailer.get('Prev')).toBe(before.sections[0]?.offsetBytes);
    expect(after.trailer.has('XRefStm')).toBe(false);
    expect(after.trailer.get('Root')).toEqual(before.catalogReference);
    expect(after.trailer.get('Size')).toBe(after.objectCount);
  });

  test('replaces and adds objects and keeps the rest', () => {
    expect(firstPage(after).dict.get('Rotate')).toBe(90);
    expect(firstPage(after).dict.get('MediaBox')).toEqual([0, 0, 595, 842]);
    const stream = asStream(after.read(added));
    expect(latin1Text(stream?.raw ?? new Uint8Array())).toBe('data');
    expect(stream?.dict.get('Length')).toBe(4);
    expect(stream?.dict.get('Kind')).toBe(true);
    expect(after.catalog).toEqual(before.catalog);
  });

  test('reports the offsets of marked bytes', () => {
    const at = marks.get('contents') ?? 0;
    expect(latin1Text(whole.subarray(at, at + 6))).toBe('<0000>');
    expect([...marks.keys()]).toEqual(['contents']);
  });

  test('is deterministic, with a different ID for a different change', () => {
    expect(change(bytes).bytes).toEqual(appended);
    const other = beginUpdate(before);
    other.set(other.allocate(), 1);
    const id = (file: Uint8Array): PdfObject | undefined =>
      asArray(openPdf(memorySource(file)).trailer.get('ID'))?.[1];
    expect(id(whole)).not.toEqual(id(concatBytes([bytes, other.finish().bytes])));
  });

  test('can be followed by more updates', () => {
    let current = whole;
    for (let i = 0; i < 5; i++) current = concatBytes([current, change(current).bytes]);
    const file = openPdf(memorySource(current));
    expect(file.sections).toHaveLength(before.sections.length + 6);
    expect(asStream(file.read(added))?.dict.get('Kind')).toBe(true);
  });

  test('can be read from joined sources', () => {
    const file = openPdf(joinedSource(memorySource(bytes), appended));
    expect(firstPage(file).dict.get('Rotate')).toBe(90);
  });

  test('is read the same with cached sections of the earlier file', () => {
    const anew = openPdf(memorySource(whole));
    const again = openPdf(memorySource(whole), { earlier: before });
    expect(again.sections).toHaveLength(anew.sections.length);
    expect(again.sections.slice(1)).toEqual([...before.sections]);
    expect(again.objectCount).toBe(anew.objectCount);
    for (let objectNumber = 0; objectNumber <= anew.objectCount; objectNumber++) {
      expect(again.locate(objectNumber)).toEqual(anew.locate(objectNumber));
    }
  });

  test('is not read with cached sections of a different file', () => {
    const other = { ...before, originBytes: before.originBytes + 1, previous: before.previous };
    const again = openPdf(memorySource(whole), { earlier: other });
    expect(again.sections[1]).not.toBe(before.sections[0]);
    expect(again.objectCount).toBe(openPdf(memorySource(whole)).objectCount);
  });

  test('may contain no object', () => {
    const empty = beginUpdate(before).finish();
    const file = openPdf(memorySource(concatBytes([bytes, empty.bytes])));
    expect(firstPage(file)).toEqual(firstPage(before));
  });
});

describe('the bytes of an update', () => {
  test('keep document information that is a direct object in the trailer', () => {
    const bytes = pdfWithTable(onePage, { trailer: '/Info<</Title(A \\(b\\))/Trapped/False>>' });
    const whole = concatBytes([bytes, change(bytes).bytes]);
    const { trailer } = openPdf(memorySource(whole));
    expect(trailer.get('Info')).toEqual(openPdf(memorySource(bytes)).trailer.get('Info'));
    expect(
      latin1Text(asString(asDict(trailer.get('Info'))?.get('Title'))?.bytes ?? new Uint8Array()),
    ).toBe('A (b)');
  });

  test('match ISO 32000', () => {
    const file = openPdf(memorySource(pdfWithTable(onePage, { trailer: '/Info 3 0 R/Extra 1' })));
    const update = beginUpdate(file);
    update.set(new PdfReference(2), new Map([['Kids', []]]));
    update.set(update.allocate(), 7);
    update.set(new PdfReference(1), true);
    const start = file.source.lengthBytes;
    const text = latin1Text(update.finish().bytes).replace(/[0-9a-f]{32}/g, 'id');
    const ten = (offset: number): string => String(start + offset).padStart(10, '0');
    expect(text).toBe(
      '2 0 obj\n<</Kids[]>>\nendobj\n4 0 obj\n7\nendobj\n1 0 obj\ntrue\nendobj\n' +
        `xref\n1 2\n${ten(44)} 00000 n \n${ten(0)} 00000 n \n4 1\n${ten(27)} 00000 n \n` +
        `trailer\n<</Size 5/Root 1 0 R/Info 3 0 R/Prev ${file.sections[0]?.offsetBytes}` +
        `/ID[<id> <id>]>>\nstartxref\n${start + 64}\n%%EOF\n`,
    );
  });

  test('start on a new line', () => {
    const bytes = pdfWithTable(onePage);
    const cut = bytes.subarray(0, bytes.length - 1);
    const appended = beginUpdate(openPdf(memorySource(cut))).finish().bytes;
    expect(appended[0]).toBe(0x0a);
    expect(openPdf(memorySource(concatBytes([cut, appended]))).sections).toHaveLength(2);
  });

  test('keep the generation of an object', () => {
    for (const kind of ['table', 'stream'] as const) {
      const builder = addObjects(new PdfBuilder(), onePage).object(4, '(old)', 300);
      const start = kind === 'table' ? builder.table() : builder.xrefStream(5);
      const bytes = builder.end(start).bytes;
      const update = beginUpdate(openPdf(memorySource(bytes)));
      update.set(new PdfReference(4, 300), 1);
      const file = openPdf(memorySource(concatBytes([bytes, update.finish().bytes])));
      expect(file.read(new PdfReference(4, 300))).toBe(1);
      expect(file.read(new PdfReference(4, 0))).toBeNull();
    }
  });

  test('keep the first part of the identifier and change the second', () => {
    const bytes = pdfWithTable(onePage, { trailer: '/ID[(first)(second)]' });
    const file = openPdf(memorySource(concatBytes([bytes, change(bytes).bytes])));
    const [first, second] = asArray(file.trailer.get('ID')) ?? [];
    expect(latin1Text(asString(first)?.bytes ?? new Uint8Array())).toBe('first');
    expect(asString(second)?.bytes).toHaveLength(16);
  });

  test('have an identifier if the file has none', () => {
    const bytes = pdfWithTable(onePage);
    const file = openPdf(memorySource(concatBytes([bytes, change(bytes).bytes])));
    const [first, second] = asArray(file.trailer.get('ID')) ?? [];
    expect(asString(first)?.bytes).toHaveLength(16);
    expect(first).toEqual(second);
  });

  test('use no object number listed in a section, whatever /Size says', () => {
    const bytes = pdfWithTable([...onePage, '(used)'], { size: 2 });
    const file = openPdf(memorySource(bytes));
    const reference = beginUpdate(file).allocate();
    expect(reference).toEqual(new PdfReference(5));
    expect(asDict(file.read(new PdfReference(4)))).toBeUndefined();
  });

  test('contain only existing and allocated objects', () => {
    const update = beginUpdate(openPdf(memorySource(pdfWithTable(onePage))));
    for (const objectNumber of [0, 4, -1]) {
      expect(() => update.set(new PdfReference(objectNumber), 1)).toThrow(
        expect.objectContaining({ code: 'internal.unexpected' }),
      );
    }
  });

  test('cannot be extended once all object numbers are used', () => {
    const bytes = pdfWithTable(onePage, { size: 8_388_608 });
    const update = beginUpdate(openPdf(memorySource(bytes)));
    expect(() => update.allocate()).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
  });
});

test('/Prev points to the section itself, not to a comment before it', () => {
  const body =
    '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n';
  const rows = [...body.matchAll(/\d 0 obj/g)].map(
    ({ index }) => `${String(index).padStart(10, '0')} 00000 n \n`,
  );
  const comment = '% stands here\r\n';
  const pdf =
    `${body}${comment}xref\n0 3\n0000000000 65535 f \n${rows.join('')}` +
    `trailer\n<</Size 3/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  const file = openPdf(memorySource(latin1Bytes(pdf)));
  expect(file.previous).toBe(body.length + comment.length);
});
