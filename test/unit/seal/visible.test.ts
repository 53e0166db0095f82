import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asName,
  beginUpdate,
  encodeText,
  listPages,
  listSignatureFields,
  openPdf,
  type PdfFile,
  type PdfObject,
  PdfStream,
  pdfName,
} from '../../../src/formats/pdf/index.ts';
import { keyObjectSigner, sealPdf, type VisibleSeal } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();
const agreement = fixture('agreement.pdf');

async function seal(input: Uint8Array, visible: VisibleSeal | false | undefined, field?: string) {
  const requests = {
    level: 'B-B' as const,
    reason: 'Ástæða',
    ...(visible === undefined ? {} : { visible }),
    ...(field === undefined ? {} : { field }),
  };
  const { bytes, sealCount, warnings } = await sealPdf(input, sealOptions(pki, requests));
  const report = await verifyDocument(bytes, { trust: [pki.member('root').der] });
  return { bytes, sealCount, warnings, report, file: openPdf(memorySource(bytes)) };
}

/** Rectangles of the visible annotations, by page. */
function drawn(file: PdfFile): { subtype: string; rect: PdfObject[] }[][] {
  return listPages(file).map(({ dict }) =>
    (asArray(file.resolve(dict.get('Annots'))) ?? []).flatMap((item) => {
      const annotation = asDict(file.resolve(item));
      const look = asDict(file.resolve(annotation?.get('AP')));
      const form = file.resolve(look?.get('N'));
      if (!(form instanceof PdfStream) || annotation === undefined) return [];
      if (form.dict.get('Resources') === undefined) return [];
      const rect = [...(asArray(file.resolve(annotation.get('Rect'))) ?? [])];
      return [{ subtype: asName(annotation.get('Subtype'))?.value ?? '', rect }];
    }),
  );
}

/** The agreement with two more pages and, if requested, an empty field with an area. */
function enlarged(fieldRect?: number[]): Uint8Array {
  const file = openPdf(memorySource(agreement));
  const update = beginUpdate(file);
  const [first] = listPages(file, 1);
  if (first?.reference === undefined) throw new Error('no page');
  const pages = update.allocate();
  const copies = [first.reference, update.allocate(), update.allocate()];
  const dict = new Map([...first.dict, ['Parent', pages]] as [string, PdfObject][]);
  for (const copy of copies) update.set(copy, dict);
  const tree: [string, PdfObject][] = [
    ['Type', pdfName('Pages')],
    ['Count', copies.length],
    ['Kids', copies],
  ];
  update.set(pages, new Map(tree));
  const catalog = new Map([...file.catalog, ['Pages', pages]] as [string, PdfObject][]);
  if (fieldRect !== undefined) {
    const field = update.allocate();
    const entries: [string, PdfObject][] = [
      ['Type', pdfName('Annot')],
      ['Subtype', pdfName('Widget')],
      ['FT', pdfName('Sig')],
      ['T', encodeText('Approval')],
      ['Rect', fieldRect],
      ['P', first.reference],
    ];
    update.set(field, new Map(entries));
    update.set(first.reference, new Map([...dict, ['Annots', [field]]]));
    catalog.set('AcroForm', new Map([['Fields', [field]]]));
  }
  update.set(file.catalogReference, catalog);
  return concatBytes([agreement, update.finish().bytes]);
}

describe('a visible seal', () => {
  test('takes the next free slot and keeps earlier seals intact', async () => {
    const first = await seal(agreement, {});
    const second = await seal(first.bytes, { language: 'pl', qr: true });
    const [stamps = []] = drawn(second.file);
    expect(stamps.map(({ subtype }) => subtype)).toEqual(['Widget', 'Widget']);
    const [one, two] = stamps.map(({ rect }) => rect as number[]);
    expect(one?.[3]).toBeCloseTo(two?.[3] ?? 0, 6);
    expect(two?.[0] ?? 0).toBeGreaterThanOrEqual(one?.[2] ?? 0);
    expect(second.report.signatures.map(({ intact }) => intact)).toEqual([true, true]);
    expect(second.report.indication).toBe('TOTAL-PASSED');
    expect(second.warnings).toEqual([]);
  });

  test('drawn over an earlier one comes with a warning', async () => {
    const first = await seal(agreement, { rect: [320, 100, 530, 170] });
    expect(first.warnings).toEqual([]);
    const { warnings } = await seal(first.bytes, { rect: [320, 100, 530, 170] });
    expect(warnings).toEqual(['the seal covers an existing field or stamp of the page']);
    expect((await seal(first.bytes, { rect: [20, 785, 200, 830] })).warnings).toEqual([]);
  });

  test('on all pages has one field and a stamp on each further page', async () => {
    const sealed = await seal(enlarged(), { page: 'all', corner: 'bottom-right' });
    expect(sealed.sealCount).toBe(3);
    const kinds = drawn(sealed.file).map((page) => page.map(({ subtype }) => subtype));
    expect(kinds).toEqual([['Widget'], ['Stamp'], ['Stamp']]);
    expect(listSignatureFields(sealed.file)).toHaveLength(1);
    await expect(seal(sealed.bytes, { page: 'all' })).rejects.toMatchObject({
      code: 'seal.pages.signed',
    });
  });

  test.each([
    [2, [0, 1, 0]],
    ['last', [0, 0, 1]],
  ] as const)('is drawn only on page %s', async (page, counts) => {
    const { file } = await seal(enlarged(), { page });
    expect(drawn(file).map((stamps) => stamps.length)).toEqual(counts);
  });

  test('is drawn in the area of an existing field, unless it shall be invisible', async () => {
    const input = enlarged([100, 100, 300, 180]);
    const shown = await seal(input, undefined, 'Approval');
    expect(drawn(shown.file)[0]).toEqual([{ subtype: 'Widget', rect: [100, 100, 300, 180] }]);
    const hidden = await seal(input, false, 'Approval');
    expect(drawn(hidden.file)[0]).toEqual([]);
    const flat = await seal(enlarged([0, 0, 0, 0]), undefined, 'Approval');
    expect(drawn(flat.file)[0]).toEqual([]);
  });

  test.each<[string, VisibleSeal, string | undefined, string]>([
    ['a page after the last one', { page: 4 }, undefined, 'usage.invalid'],
    ['an unknown language', { language: 'xx' }, undefined, 'usage.invalid'],
    ['an unknown placeholder', { template: '{nmae}' }, undefined, 'usage.invalid'],
    ['a rectangle outside', { rect: [0, 0, 5000, 10] }, undefined, 'seal.rect.invalid'],
    ['a malformed image', { image: Uint8Array.of(1, 2, 3) }, undefined, 'seal.image.invalid'],
    ['a field without area', {}, 'Approval', 'seal.rect.invalid'],
  ])('is rejected for %s', async (_, visible, field, code) => {
    const input = field === undefined ? enlarged() : enlarged([0, 0, 0, 0]);
    await expect(seal(input, visible, field)).rejects.toMatchObject({ code });
  });

  test('is byte-identical for the same time and key', async () => {
    const { der: certificate, chain, privateKey } = pki.member('rsa');
    const options = sealOptions(pki, {
      signer: keyObjectSigner({ certificate, chain, privateKey }),
      level: 'B-B' as const,
      visible: { qr: true as const },
      now: () => new Date(Date.UTC(2026, 10, 21)),
    });
    const [one, two] = [await sealPdf(agreement, options), await sealPdf(agreement, options)];
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0);
  });
});
