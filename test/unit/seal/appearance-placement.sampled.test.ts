import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { firstPage, openPdf } from '../../../src/formats/pdf/index.ts';
import {
  type Box,
  type Corner,
  pageView,
  placeStamp,
  type Rotation,
  readStampPage,
  type StampPage,
  type StampPosition,
  slotsPerPage,
} from '../../../src/seal/appearance/index.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const a4: Box = [0, 0, 595, 842];

function codeOf(page: StampPage, request: StampPosition): string {
  try {
    placeStamp(page, request);
    return 'placed';
  } catch (error) {
    if (!(error instanceof InnsigliError)) throw error;
    expect(error.message).not.toMatch(/undefined|\[object/);
    return error.code;
  }
}

describe('a rectangle given as the reader sees the page', () => {
  // 10 to the right and 20 up from the lower left corner as the reader sees it.
  const rect: Box = [10, 20, 110, 60];
  const crop: Box = [100, 200, 500, 700];
  test.each<[Rotation, Box | undefined, Box]>([
    [0, undefined, [10, 20, 110, 60]],
    [90, undefined, [535, 10, 575, 110]],
    [180, undefined, [485, 782, 585, 822]],
    [270, undefined, [20, 732, 60, 832]],
    [0, crop, [110, 220, 210, 260]],
    [90, crop, [440, 210, 480, 310]],
    [180, crop, [390, 640, 490, 680]],
    [270, crop, [120, 590, 160, 690]],
    // A crop box extends only as far as the page, and one beside it is ignored.
    [0, [-50, -50, 300, 300], [10, 20, 110, 60]],
    [0, [900, 900, 1000, 1000], [10, 20, 110, 60]],
    // The corners may be in any order.
    [0, [500, 700, 100, 200], [110, 220, 210, 260]],
  ])(
    'is converted to default user space: rotation %i, crop box %j',
    (rotation, cropBox, expected) => {
      const page = { mediaBox: a4, rotation, ...(cropBox === undefined ? {} : { cropBox }) };
      const placed = placeStamp(page, { kind: 'rect', rect });
      expect(placed).toEqual({ rect: expected, rotation, width: 100, height: 40 });
    },
  );

  test('may list its corners in any order', () => {
    const page: StampPage = { mediaBox: a4, rotation: 0 };
    const placed = placeStamp(page, { kind: 'rect', rect: [110, 60, 10, 20] });
    expect(placed.rect).toEqual(rect);
  });
});

describe('a stamp in a corner', () => {
  test.each<[Rotation, Corner, Box]>([
    [0, 'top-left', [20, 752, 220, 822]],
    [0, 'top-right', [375, 752, 575, 822]],
    [0, 'bottom-left', [20, 20, 220, 90]],
    [0, 'bottom-right', [375, 20, 575, 90]],
    [90, 'top-left', [20, 20, 90, 220]],
    [90, 'bottom-right', [505, 622, 575, 822]],
    [180, 'top-left', [375, 20, 575, 90]],
    [270, 'top-left', [505, 622, 575, 822]],
  ])('is placed: rotation %i, %s', (rotation, corner, expected) => {
    const request: StampPosition = { kind: 'corner', corner, width: 200, height: 70 };
    expect(placeStamp({ mediaBox: a4, rotation }, request).rect).toEqual(expected);
  });

  test.each<StampPosition>([
    { kind: 'flow', index: 0, from: 'top' },
    { kind: 'corner', corner: 'top-left', width: 180, height: 60 },
  ])('on a page without space is rejected with a message about the page: %j', (request) => {
    const side = request.kind === 'flow' ? 1e20 : 3;
    const page: StampPage = { mediaBox: [0, 0, side, side], rotation: 0 };
    expect(() => placeStamp(page, request)).toThrow(
      /^there is no free space for a seal: the page is /,
    );
  });

  test('is scaled down for a small page', () => {
    const page: StampPage = { mediaBox: [0, 0, 100, 50], rotation: 0 };
    const placed = placeStamp(page, { kind: 'corner', corner: 'top-left', width: 200, height: 70 });
    expect([placed.width, placed.height]).toEqual([95, 45]);
  });
});

const boxes = fc
  .tuple(
    fc.integer({ min: -500, max: 500 }),
    fc.integer({ min: -500, max: 500 }),
    fc.integer({ min: 200, max: 3_000 }),
    fc.integer({ min: 200, max: 3_000 }),
  )
  .map(([x, y, width, height]): Box => [x, y, x + width, y + height]);

const pages = fc.record({
  mediaBox: boxes,
  rotation: fc.constantFrom<Rotation>(0, 90, 180, 270),
});

/** The left and top edge, as the reader sees them, of a rectangle in default user space. */
function seenCorner(page: StampPage, [left, bottom, right, top]: Box): [number, number] {
  const [x1, y1, x2, y2] = page.mediaBox;
  if (page.rotation === 90) return [bottom - y1, left - x1];
  if (page.rotation === 180) return [x2 - right, bottom - y1];
  if (page.rotation === 270) return [y2 - top, x2 - right];
  return [left - x1, y2 - top];
}

describe('flowing stamps', () => {
  test('have 80 slots inside the page, left to right, top to bottom, without overlap', () => {
    fc.assert(
      fc.property(pages, (page) => {
        const placed = Array.from({ length: slotsPerPage }, (_, index) =>
          placeStamp(page, { kind: 'flow', index }),
        );
        const [x1, y1, x2, y2] = page.mediaBox;
        let before: [number, number] = [-1, -1];
        for (const { rect, width, height } of placed) {
          expect(rect[0] >= x1 && rect[1] >= y1 && rect[2] <= x2 && rect[3] <= y2).toBe(true);
          const [left, top] = seenCorner(page, rect);
          const inRow = Math.abs(top - before[1]) < 1e-6 && left > before[0];
          const newRow = top > before[1] && (before[0] < 0 || left < before[0] + 1e-6);
          expect(inRow || newRow).toBe(true);
          expect(width).toBeGreaterThan(4);
          expect(height).toBeGreaterThan(4);
          before = [left, top];
        }
        const overlaps = placed.flatMap(({ rect: a }, i) =>
          placed
            .slice(i + 1)
            .filter(({ rect: b }) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]),
        );
        expect(overlaps).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });

  test.each<[Rotation, number]>([
    [0, 5],
    [90, 8],
    [180, 5],
    [270, 8],
  ])('on A4 with rotation %i have %i in a row', (rotation, columns) => {
    const page: StampPage = { mediaBox: a4, rotation };
    const topOf = (index: number): number =>
      seenCorner(page, placeStamp(page, { kind: 'flow', index }).rect)[1];
    const first = topOf(0);
    const inFirstRow = Array.from({ length: slotsPerPage }, (_, index) => topOf(index)).filter(
      (top) => Math.abs(top - first) < 1,
    );
    expect(inFirstRow).toHaveLength(columns);
  });
});

describe('an invalid position', () => {
  const page: StampPage = { mediaBox: a4, rotation: 90 };
  test.each<[string, StampPosition, string]>([
    ['right of the page', { kind: 'rect', rect: [800, 10, 900, 60] }, 'seal.rect.invalid'],
    ['above the page', { kind: 'rect', rect: [10, 590, 60, 640] }, 'seal.rect.invalid'],
    ['left of the page', { kind: 'rect', rect: [-10, 10, 60, 60] }, 'seal.rect.invalid'],
    ['no width', { kind: 'rect', rect: [10, 10, 10, 60] }, 'seal.rect.invalid'],
    ['too flat', { kind: 'rect', rect: [10, 10, 100, 12] }, 'seal.rect.invalid'],
    ['no number', { kind: 'rect', rect: [Number.NaN, 10, 60, 60] }, 'seal.rect.invalid'],
    ['no end', { kind: 'rect', rect: [0, 0, Number.POSITIVE_INFINITY, 9] }, 'seal.rect.invalid'],
    [
      'a corner without size',
      { kind: 'corner', corner: 'top-left', width: 0, height: 9 },
      'seal.rect.invalid',
    ],
    ['slot 81', { kind: 'flow', index: 80 }, 'seal.page.full'],
    ['the whole page', { kind: 'rect', rect: [0, 0, 842, 595] }, 'placed'],
    ['slot 80', { kind: 'flow', index: 79 }, 'placed'],
  ])('is rejected: %s', (_, request, code) => {
    expect(codeOf(page, request)).toBe(code);
  });

  test('is any slot on a page without space', () => {
    expect(codeOf({ mediaBox: [0, 0, 3, 3], rotation: 0 }, { kind: 'flow', index: 0 })).toBe(
      'seal.rect.invalid',
    );
  });
});

describe('the boxes of a page', () => {
  const read = (pages: string, page: string): StampPage => {
    const builder = new PdfBuilder()
      .object(1, '<</Type/Catalog/Pages 2 0 R>>')
      .object(2, `<</Type/Pages/Kids[3 0 R]/Count 1${pages}>>`)
      .object(3, `<</Type/Page${page.includes('/Parent') ? '' : '/Parent 2 0 R'}${page}>>`)
      .object(4, '[0 0 300 400]');
    const { bytes } = builder.end(builder.table());
    const file = openPdf(memorySource(bytes));
    return readStampPage(file, firstPage(file).dict);
  };
  test.each<[string, string, StampPage]>([
    ['/MediaBox[0 0 100 200]', '', { mediaBox: [0, 0, 100, 200], rotation: 0 }],
    ['/MediaBox 4 0 R/Rotate 90', '', { mediaBox: [0, 0, 300, 400], rotation: 90 }],
    ['/Rotate 90', '/MediaBox 4 0 R/Rotate -90', { mediaBox: [0, 0, 300, 400], rotation: 270 }],
    ['', '/Rotate 45', { mediaBox: [0, 0, 612, 792], rotation: 0 }],
    ['/MediaBox[0 0 0 9]', '/Rotate 540', { mediaBox: [0, 0, 612, 792], rotation: 180 }],
    [
      '/MediaBox[0 0 9 9]/CropBox[1 1 8 8]',
      '/Parent 3 0 R',
      { mediaBox: [0, 0, 612, 792], rotation: 0 },
    ],
    [
      '/CropBox[1 1 8 8]',
      '/MediaBox[0 0 9 9]',
      { mediaBox: [0, 0, 9, 9], cropBox: [1, 1, 8, 8], rotation: 0 },
    ],
  ])('are inherited and normalised: tree %s, page %s', (pages, page, expected) => {
    expect(read(pages, page)).toEqual(expected);
  });

  test('are swapped in the view of a rotated page', () => {
    expect(pageView({ mediaBox: a4, rotation: 270 })).toEqual({ width: 842, height: 595 });
  });
});
