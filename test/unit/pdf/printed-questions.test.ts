import { expect, test } from 'vitest';
import type { PrintedPage } from '../../../src/formats/pdf/index.ts';
import { look, pdfWith } from '../../support/printed-pdf.ts';
import { fc } from '../../support/property.ts';

const content = '10 10 30 40 re f 200 100 m 330 290 l S BT /F 20 Tf 50 200 Td (Contract) Tj ET';

function pageOf(): PrintedPage {
  const page = look(pdfWith(content));
  if (typeof page === 'string') throw new Error(page);
  return page;
}

/** A page queried so often that it answers from its sums. */
function askedPage(): PrintedPage {
  const page = pageOf();
  for (const what of ['words', 'anything'] as const) {
    for (let count = 0; count < 3; count += 1) page.covered([0, 0, 400, 300], what);
  }
  return page;
}

const fresh = pageOf();
const asked = askedPage();
const side = (most: number) => fc.integer({ min: -20, max: most + 20 });

test('coverage is the same counted by cell and from the sums', () => {
  const words = fc.constantFrom<'words' | 'anything'>('words', 'anything');
  fc.assert(
    fc.property(side(400), side(300), side(400), side(300), words, (x1, y1, x2, y2, what) => {
      const area = [
        Math.min(x1, x2),
        Math.min(y1, y2),
        Math.max(x1, x2),
        Math.max(y1, y2),
      ] as const;
      const count = asked.covered(area, what);
      expect(count).toBeGreaterThanOrEqual(0);
      // A new page for each query would be slow; a small area keeps the other one counting for
      // long.
      if ((area[2] - area[0]) * (area[3] - area[1]) < 1000) {
        expect(fresh.covered(area, what)).toBe(count);
      }
      if (count > 5000) expect(pageOf().covered(area, what)).toBe(count);
    }),
  );
});

test('the whole page has the same coverage before and after the sums are computed', () => {
  for (const what of ['words', 'anything'] as const) {
    const first = pageOf().covered([0, 0, 400, 300], what);
    expect(first).toBeGreaterThan(100);
    expect(asked.covered([0, 0, 400, 300], what)).toBe(first);
  }
});
