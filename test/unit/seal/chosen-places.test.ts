import { PDFDocument, type PDFPage, StandardFonts } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { sealPdf, type VisibleSeal } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const covers = 'the seal covers content on page 1 at the given position: choose a different one';

async function warningsOf(draw: (page: PDFPage) => void, visible: VisibleSeal, pages = 1) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let index = 0; index < pages; index++) {
    const page = document.addPage([595, 842]);
    page.setFont(font);
    draw(page);
  }
  const input = await document.save();
  return (await sealPdf(input, sealOptions(pki, { level: 'B-B', visible }))).warnings;
}

const words = (page: PDFPage) => page.drawText('Total 9,999', { x: 60, y: 780, size: 12 });
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

describe('a seal at a position named by the caller', () => {
  test.each<[string, (page: PDFPage) => void, VisibleSeal, readonly string[]]>([
    ['corner: empty', () => {}, { corner: 'top-left' }, []],
    ['corner: text', words, { corner: 'top-left' }, [covers]],
    ['corner: text in another corner', words, { corner: 'bottom-right' }, []],
    ['rectangle: text', words, { rect: [50, 740, 250, 800] }, [covers]],
    ['rectangle: text beside it', words, { rect: [300, 740, 500, 800] }, []],
    [
      'rectangle: a line',
      (page) => page.drawLine({ start: { x: 60, y: 770 }, end: { x: 240, y: 770 } }),
      { rect: [50, 740, 250, 800] },
      [covers],
    ],
    [
      'rectangle: a frame drawn for it',
      (page) =>
        page.drawRectangle({ x: 50, y: 740, width: 200, height: 60, opacity: 0, borderWidth: 1 }),
      { rect: [50, 740, 250, 800] },
      [],
    ],
    [
      'rectangle: a coloured page',
      (page) => page.drawRectangle({ x: 0, y: 0, width: 595, height: 842 }),
      { rect: [50, 740, 250, 800] },
      [],
    ],
  ])('comes with a warning about the content below: %s', async (_, draw, visible, expected) => {
    expect(await warningsOf(draw, visible)).toEqual(expected);
  });

  test('comes with one warning for all pages', async () => {
    const visible: VisibleSeal = { corner: 'top-left', page: 'all' };
    expect(await warningsOf(words, visible, 3)).toEqual([
      'the seal covers content on page 1 (and of 2 more) at the given position: choose a different one',
    ]);
  });

  test('on a page that is one picture comes without a warning', async () => {
    const draw = async (page: PDFPage) =>
      page.drawImage(await page.doc.embedPng(pixel), { x: 0, y: 0, width: 595, height: 842 });
    const document = await PDFDocument.create();
    await draw(document.addPage([595, 842]));
    const visible: VisibleSeal = { rect: [50, 740, 250, 800] };
    const options = sealOptions(pki, { level: 'B-B', visible });
    expect((await sealPdf(await document.save(), options)).warnings).toEqual([]);
  });
});

test.each([0, -1, 0.5, Number.NaN])('page %s is rejected as a page number', async (page) => {
  await expect(warningsOf(() => {}, { page }, 2)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: `page ${page}: expected a whole number from 1`,
  });
});
