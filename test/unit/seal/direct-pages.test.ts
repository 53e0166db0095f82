import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asReference,
  beginUpdate,
  listPages,
  openPdf,
  type PdfObject,
  PdfReference,
} from '../../../src/formats/pdf/index.ts';
import { sealPdf, type VisibleSeal } from '../../../src/index.ts';
import { pdfWithTable } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();
const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const pageDict = (rotate: number) => `<</Type/Page/MediaBox[0 0 595 842]/Rotate ${rotate}>>`;
/** The second page is an indirect object; the others are direct objects in the page tree. */
const mixed = pdfWithTable([
  catalog,
  `<</Type/Pages/Kids[${pageDict(0)} 3 0 R ${pageDict(90)}]/Count 3>>`,
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate 180>>',
]);

type Visible = VisibleSeal | undefined;

async function seal(input: Uint8Array, visible?: Visible) {
  const sealed = await sealPdf(input, sealOptions(pki, visible === undefined ? {} : { visible }));
  const report = await verifyDocument(sealed.bytes, { trust: [pki.member('root').der] });
  return { ...sealed, report, file: openPdf(memorySource(sealed.bytes), { repair: 'never' }) };
}

describe('pages that are direct objects in the page tree', () => {
  test.each<[string, Visible, readonly number[]]>([
    // The document time-stamp also has a widget on the first page.
    ['invisible', undefined, [2, 0, 0]],
    ['on the second page', { page: 2 }, [1, 1, 0]],
    ['on the third page', { page: 3 }, [1, 0, 1]],
    ['on all pages', { page: 'all' }, [2, 1, 1]],
  ])('become indirect objects under a seal: %s', async (_, visible, widgets) => {
    const { bytes, file, report, level, warnings } = await seal(mixed, visible);
    expect(Buffer.compare(bytes.subarray(0, mixed.length), mixed)).toBe(0);
    expect(level).toBe('B-LTA');
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(warnings).toEqual([
      expect.stringContaining('a page is a direct object in the page tree'),
    ]);
    const kids = asArray(asDict(file.read(new PdfReference(2)))?.get('Kids')) ?? [];
    expect(kids.map((kid) => asReference(kid) !== undefined)).toEqual([true, true, true]);
    const pages = listPages(file);
    expect(pages.map(({ dict }) => dict.get('Rotate'))).toEqual([0, 180, 90]);
    expect(pages.map(({ dict }) => dict.get('Parent'))).toEqual(
      pages.map(() => new PdfReference(2)),
    );
    const annotations = pages.map(({ dict }) => asArray(file.resolve(dict.get('Annots'))) ?? []);
    expect(annotations.map(({ length }) => length)).toEqual(widgets);
    for (const [index, page] of pages.entries()) {
      for (const item of annotations[index] ?? []) {
        expect(asDict(file.resolve(item))?.get('P')).toEqual(page.reference);
      }
    }
  });

  test('cause no warning under a second seal', async () => {
    const first = await seal(mixed);
    const second = await seal(first.bytes);
    expect(second.warnings).toEqual([]);
    // Two seals, each with its document time-stamp.
    expect(second.report.signatures.map(({ intact }) => intact)).toEqual(Array(4).fill(true));
  });

  test('make sealing a signed document fail', async () => {
    const { bytes } = await seal(mixed);
    const file = openPdf(memorySource(bytes));
    const update = beginUpdate(file);
    const node = asDict(file.read(new PdfReference(2))) ?? new Map<string, PdfObject>();
    const [first] = listPages(file, 1);
    update.set(new PdfReference(2), new Map([...node, ['Kids', [first?.dict ?? null]]]));
    const damaged = concatBytes([bytes, update.finish().bytes]);
    await expect(seal(damaged)).rejects.toMatchObject({ code: 'pdf.damaged.signed' });
  });

  test('allow filling an existing field', async () => {
    const field = '<</FT/Sig/T(Approval)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]>>';
    const withField = pdfWithTable([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[3 0 R]>>>>',
      `<</Kids[${pageDict(0)}]/Count 1>>`,
      field,
    ]);
    const { bytes } = await sealPdf(withField, sealOptions(pki, { field: 'Approval' }));
    const report = await verifyDocument(bytes, { trust: [pki.member('root').der] });
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(listPages(openPdf(memorySource(bytes)))[0]?.reference).toBeDefined();
  });

  test('cannot be sealed if their node is a direct object too', async () => {
    const nested = pdfWithTable([catalog, `<</Kids[<</Kids[${pageDict(0)}]>>]/Count 1>>`]);
    await expect(seal(nested)).rejects.toMatchObject({
      code: 'pdf.structure.invalid',
      message: expect.stringContaining('not an indirect object'),
    });
  });
});
