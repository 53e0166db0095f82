import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../src/app/documents/pdf/seal-places.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { openPdf, type PdfFile } from '../../../src/formats/pdf/index.ts';
import { overlapsAny } from '../../../src/seal/appearance/choose-place.ts';
import { choosePlace, placeAllowance, type StampPage } from '../../../src/seal/appearance/index.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';

const pages = 40;

/** Pages that share one annotation array, which references the same widget many times. */
function sharedList(entries: number): PdfFile {
  const numbers = Array.from({ length: pages }, (_, index) => 10 + index);
  const kids = numbers.map((each) => `${each} 0 R`).join(' ');
  const builder = new PdfBuilder()
    .object(1, '<</Type/Catalog/Pages 2 0 R>>')
    .object(2, `<</Type/Pages/Kids[${kids}]/Count ${pages}/MediaBox[0 0 595 842]>>`)
    .object(3, '<</Type/Annot/Subtype/Widget/Rect[20 780 130 830]>>')
    .object(4, `[${'3 0 R '.repeat(entries)}]`);
  for (const each of numbers) builder.object(each, '<</Type/Page/Parent 2 0 R/Annots 4 0 R>>');
  return openPdf(memorySource(builder.end(builder.table()).bytes));
}

/** The same file with a count of its look-ups. */
function counted(file: PdfFile) {
  const count = { lookups: 0 };
  const watched = new Proxy(file, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key === 'resolve') count.lookups++;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { watched, count };
}

test('an annotation array shared by pages is read once', () => {
  const { watched, count } = counted(sharedList(20_000));
  const places = placesOf(watched, { name: 'Seal' }, { page: 'all' }, { width: 1, height: 1 });
  expect(places).toHaveLength(pages);
  // The widget occupies the first slot on each page.
  expect(new Set(places.map(({ placement }) => placement.rect[0])).size).toBe(1);
  expect(places[0]?.placement.rect[0]).toBeGreaterThan(130);
  // Pages that are too costly spend at most 2,000,000 steps, 200 per look-up.
  expect(count.lookups).toBeLessThan(200_000);
});

describe('the search for positions is bounded for all pages of a document', () => {
  const page: StampPage = { mediaBox: [0, 0, 595, 842], rotation: 0 };
  const far = [9000, 9000, 9001, 9001] as const;
  const taken = Array.from({ length: 1000 }, () => far);
  const need = { width: 1, height: 1 };

  test('by the number of field comparisons', () => {
    const allowance = { ...placeAllowance(), comparisons: 79_999 };
    const request = { page, from: 'top', need, taken, printed: undefined, allowance } as const;
    expect(() => choosePlace(request)).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
    expect(choosePlace({ ...request, allowance: placeAllowance() }).covered).toBe('unknown');
    expect(overlapsAny([0, 0, 1, 1], [far], { comparisons: 1, looks: 0 })).toBe(false);
  });

  test('by the number of examined rectangles, after which only the slots are tried', () => {
    let asked = 0;
    const covered = (): number => {
      asked++;
      return 1;
    };
    const printed = { cell: 1, isPicture: false, isPartial: false, covered };
    const request = { page, from: 'top', need, taken: [], printed } as const;
    const allowance = { ...placeAllowance(), looks: 8_000 };
    expect(choosePlace({ ...request, allowance }).covered).toBe('print');
    expect(asked).toBeLessThan(2_000);
    asked = 0;
    choosePlace({ ...request, allowance });
    expect(asked).toBeLessThan(400);
  });
});
