import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../src/app/documents/pdf/seal-places.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import {
  asArray,
  asDict,
  asNumber,
  asStream,
  firstPage,
  openPdf,
} from '../../../src/formats/pdf/index.ts';
import { sealPdf, type VisibleSeal } from '../../../src/index.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();

function pageOf(unit: string, [width, height]: readonly [number, number], rotate = 0): Uint8Array {
  const builder = new PdfBuilder()
    .object(1, '<</Type/Catalog/Pages 2 0 R>>')
    .object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')
    .object(
      3,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Rotate ${rotate}` +
        `/UserUnit ${unit}>>`,
    );
  return builder.end(builder.table()).bytes;
}

const numbers = (items: Parameters<typeof asArray>[0]): number[] =>
  (asArray(items) ?? []).map((item) => asNumber(item) ?? 0);

/** The size of the seal in page units and in points. */
async function sealed(input: Uint8Array, visible: VisibleSeal = {}) {
  const { bytes, warnings } = await sealPdf(input, sealOptions(pki, { level: 'B-B', visible }));
  const file = openPdf(memorySource(bytes));
  const annotations = asArray(file.resolve(firstPage(file).dict.get('Annots'))) ?? [];
  const widget = asDict(file.resolve(annotations.at(-1)));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(file.resolve(widget?.get('Rect')));
  const look = asDict(file.resolve(widget?.get('AP')));
  const form = asStream(file.resolve(look?.get('N')));
  const [, , width = 0, height = 0] = numbers(form?.dict.get('BBox'));
  return { rect: [x2 - x1, y2 - y1] as const, points: [width, height] as const, warnings };
}

describe('text sizes are in points, whatever the user unit of the page', () => {
  // Pages that are as large as A4 on paper.
  test.each<[string, number]>([
    ['0.5', 0.5],
    ['2', 2],
    ['10', 10],
  ])('/UserUnit %s: the seal is as large as on A4', async (text, unit) => {
    const plain = await sealed(pageOf('1', [600, 840]));
    const other = await sealed(pageOf(text, [600 / unit, 840 / unit]));
    for (const side of [0, 1] as const) {
      expect(other.points[side]).toBeCloseTo(plain.points[side], 3);
      expect(other.rect[side] * unit).toBeCloseTo(plain.rect[side], 3);
    }
    expect(other.warnings).toEqual(plain.warnings);
  });

  test('a small page with small units takes as many slots as its text needs', async () => {
    const { points, warnings } = await sealed(pageOf('0.5', [400, 300]));
    expect(points[0]).toBeGreaterThan(75);
    expect(points[1]).toBeGreaterThan(38);
    expect(warnings).toEqual([]);
  });

  test('on a rotated page, in a corner', async () => {
    const { rect, points } = await sealed(pageOf('2', [300, 420], 90), { corner: 'top-left' });
    expect(points).toEqual([210, 70]);
    expect(rect).toEqual([35, 105]);
  });

  test('but a rectangle is given in units of the page', async () => {
    const { rect, points } = await sealed(pageOf('2', [300, 420]), { rect: [10, 10, 110, 60] });
    expect(rect).toEqual([100, 50]);
    expect(points).toEqual([200, 100]);
  });

  test.each(['0', '-3', '1e99', '/None', 'null', '0.000001', '75000', '99999999999'])(
    '/UserUnit %s: the page can be sealed',
    async (unit) => {
      const { points } = await sealed(pageOf(unit, [595, 842]));
      for (const side of points) {
        expect(side).toBeGreaterThan(1);
        expect(side).toBeLessThanOrEqual(14_400);
      }
    },
  );

  test('/UserUnit in the page tree is ignored', () => {
    const builder = new PdfBuilder()
      .object(1, '<</Type/Catalog/Pages 2 0 R>>')
      .object(2, '<</Type/Pages/Kids[3 0 R]/Count 1/UserUnit 5/MediaBox[0 0 595 842]>>')
      .object(3, '<</Type/Page/Parent 2 0 R>>');
    const file = openPdf(memorySource(builder.end(builder.table()).bytes));
    const [place] = placesOf(file, { name: 'Seal' }, {}, { width: 1, height: 1 });
    const [x1, , x2] = place?.placement.rect ?? [0, 0, 0, 0];
    expect(place?.placement.width).toBeCloseTo(x2 - x1, 6);
  });
});
