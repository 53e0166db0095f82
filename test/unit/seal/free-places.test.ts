import { PDFDocument, type PDFPage, StandardFonts } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../src/app/documents/pdf/seal-places.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { asArray, asDict, asNumber, firstPage, openPdf } from '../../../src/formats/pdf/index.ts';
import { sealPdf, type VisibleSeal } from '../../../src/index.ts';
import { placeStamp } from '../../../src/seal/appearance/index.ts';
import { PdfBuilder } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const mediaBox = [0, 0, 595, 842] as const;

async function documentWith(draw: (page: PDFPage) => void, size = [595, 842] as [number, number]) {
  const document = await PDFDocument.create();
  const page = document.addPage(size);
  page.setFont(await document.embedFont(StandardFonts.Helvetica));
  draw(page);
  return document.save();
}

/** The position of the seal, in whole points, and the warnings about it. */
async function seal(input: Uint8Array, visible: VisibleSeal = {}) {
  const { bytes, warnings } = await sealPdf(input, sealOptions(pki, { level: 'B-B', visible }));
  const file = openPdf(memorySource(bytes));
  const annotations = asArray(file.resolve(firstPage(file).dict.get('Annots'))) ?? [];
  const widget = asDict(file.resolve(annotations.at(-1)));
  const rect = (asArray(file.resolve(widget?.get('Rect'))) ?? []).map(
    (each) => asNumber(each) ?? 0,
  );
  return { rect: rect.map(Math.round), warnings };
}

function slot(index: number, from: 'top' | 'bottom' = 'top'): number[] {
  const { rect } = placeStamp({ mediaBox, rotation: 0 }, { kind: 'flow', index, from });
  return rect.map(Math.round);
}

/** Lines of text over part of the page, from the top down. */
function fill(page: PDFPage, from: number, to: number, left = 10, size = 10): void {
  for (let y = from; y > to; y -= 12) page.drawText('x'.repeat(110), { x: left, y, size });
}

describe('an automatically placed seal', () => {
  test.each<[string, (page: PDFPage) => void, number, VisibleSeal?]>([
    ['a blank page: the first', () => {}, 0],
    ['a title at the top left', (page) => page.drawText('Title', { x: 60, y: 790, size: 24 }), 1],
    ['a full first row', (page) => page.drawText('m'.repeat(60), { x: 30, y: 800, size: 11 }), 5],
    [
      'a line across two rows',
      (page) => page.drawLine({ start: { x: 25, y: 820 }, end: { x: 80, y: 730 } }),
      1,
    ],
    ['a surface', (page) => page.drawRectangle({ x: 0, y: 700, width: 400, height: 142 }), 4],
    [
      'a page with a coloured background',
      (page) => page.drawRectangle({ width: 595, height: 842, x: 0, y: 0 }),
      0,
    ],
    [
      'text at the top, starting from the bottom',
      (page) => fill(page, 830, 500),
      0,
      { startAt: 'bottom' },
    ],
    ['text at the top', (page) => fill(page, 830, 500), 35],
  ])('takes the first free slot: %s', async (_, draw, index, visible) => {
    const { rect, warnings } = await seal(await documentWith(draw), visible);
    expect(rect).toEqual(slot(index, visible?.startAt));
    expect(warnings).toEqual([]);
  });

  test('takes a free rectangle between the 80 slots if all of them cover content', async () => {
    const input = await documentWith((page) => {
      fill(page, 842, 560);
      fill(page, 480, 0);
    });
    const { rect, warnings } = await seal(input);
    expect(rect[1]).toBeGreaterThan(488);
    expect(rect[3]).toBeLessThan(566);
    expect(warnings).toEqual([]);
  });

  test('covers lines and surfaces rather than text, with a warning', async () => {
    const input = await documentWith((page) => {
      page.drawRectangle({ x: 0, y: 0, width: 595, height: 400 });
      page.drawRectangle({ x: 0, y: 400, width: 595, height: 442 });
      fill(page, 842, 200);
    });
    const { rect, warnings } = await seal(input);
    expect(rect[3]).toBeLessThan(200);
    expect(warnings).toEqual([expect.stringContaining('the seal covers content')]);
  });

  test('takes the slot that covers least on a page full of text, with a warning', async () => {
    const { warnings } = await seal(await documentWith((page) => fill(page, 842, -12, 0)));
    expect(warnings).toEqual([
      'page 1 has no free space: the seal covers content; choose a position with --rect',
    ]);
  });

  test('respects content with an incorrect stream length, as viewers do', async () => {
    const content = 'BT /F 24 Tf 60 790 Td (Title) Tj ET';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
    const builder = new PdfBuilder()
      .object(1, '<</Type/Catalog/Pages 2 0 R>>')
      .object(2, '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>')
      .object(3, `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F ${font}>>>>>>`)
      .object(4, `<</Length /None>>\nstream\n${content}\nendstream`);
    const { rect } = await seal(builder.end(builder.table()).bytes);
    expect(rect).toEqual(slot(1));
  });

  test('takes the first slot, with a warning, if the content exceeds the limit', async () => {
    const input = await documentWith((page) => {
      for (let count = 0; count < 4_000; count++) {
        page.drawRectangle({ x: 0, y: 0, width: 300, height: 500 });
      }
    });
    const { rect, warnings } = await seal(input);
    expect(rect).toEqual(slot(0));
    expect(warnings).toEqual([expect.stringContaining('could not be read')]);
  });
});

describe('the content of damaged pages', () => {
  /** Pages whose content has an invalid length. */
  function damaged(count: number, content: string): Uint8Array {
    const numbers = Array.from({ length: count }, (_, index) => 10 + 2 * index);
    const builder = new PdfBuilder()
      .object(1, '<</Type/Catalog/Pages 2 0 R>>')
      .object(
        2,
        `<</Type/Pages/Kids[${numbers.map((each) => `${each} 0 R`).join(' ')}]` +
          `/Count ${count}/MediaBox[0 0 595 842]>>`,
      );
    for (const each of numbers) {
      builder
        .object(each, `<</Type/Page/Parent 2 0 R/Contents ${each + 1} 0 R>>`)
        .object(each + 1, `<</Length /None>>\nstream\n${content}\nendstream`);
    }
    return builder.end(builder.table()).bytes;
  }

  /** The number of reads of the file's start, and what the slots cover. */
  function placesIn(bytes: Uint8Array) {
    let headers = 0;
    const source = memorySource(bytes);
    const slice = (start: number, end: number): Uint8Array => {
      if (start === 0) headers++;
      return source.slice(start, end);
    };
    const file = openPdf({ lengthBytes: bytes.length, slice });
    const before = headers;
    const need = { width: 1, height: 1 };
    const places = placesOf(file, { name: 'Seal' }, { page: 'all' }, need);
    return { covered: places.map(({ covered }) => covered), reads: headers - before };
  }

  test.each<[string, string, string]>([
    ['can be repaired', '10 20 30 40 re f', 'nothing'],
    ['cannot be repaired', '[ 10 20 30 40 re f', 'unknown'],
  ])('that %s is repaired once per file', (_, content, expected) => {
    // For a file shorter than the window at its end, the end is read from the start.
    const some = placesIn(damaged(8, content));
    const many = placesIn(damaged(16, content));
    expect(many.covered).toEqual(Array.from({ length: 16 }, () => expected));
    expect(many.reads).toBe(some.reads);
  });

  test('is repaired for at most 100 pages', () => {
    const { covered } = placesIn(damaged(102, '10 20 30 40 re f'));
    expect(covered.lastIndexOf('nothing')).toBe(99);
    expect(covered.slice(100)).toEqual(['unknown', 'unknown']);
  });
});

describe('the area of a seal', () => {
  test('spans as many slots as its QR code needs to be readable', async () => {
    const { rect } = await seal(await documentWith(() => {}), { qr: true });
    expect(rect[0]).toBe(slot(0)[0]);
    expect(rect[3]).toBe(slot(0)[3]);
    expect(rect[2]).toBe(slot(1)[2]);
    expect(rect[1]).toBe(slot(5)[1]);
  });

  test('spans as many slots as its text needs on a small page', async () => {
    const { rect, warnings } = await seal(await documentWith(() => {}, [200, 150]));
    expect((rect[2] ?? 0) - (rect[0] ?? 0)).toBeGreaterThan(75);
    expect((rect[3] ?? 0) - (rect[1] ?? 0)).toBeGreaterThan(38);
    expect(warnings).toEqual([]);
  });

  test('comes with a warning if it is too small for its QR code', async () => {
    const visible: VisibleSeal = { qr: true, rect: [20, 20, 120, 60] };
    const { warnings } = await seal(await documentWith(() => {}), visible);
    expect(warnings).toContain('the QR code of the seal is too small to be scanned from paper');
  });
});
