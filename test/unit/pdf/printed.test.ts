import { describe, expect, test } from 'vitest';
import { printBudget } from '../../../src/formats/pdf/index.ts';
import type { PdfBuilder } from '../../support/pdf-builder.ts';
import { look, type Parts, pdfWith, printedBox } from '../../support/printed-pdf.ts';
import { fc } from '../../support/property.ts';

describe('the printed area of a page', () => {
  const text = 'BT /W 10 Tf 1 0 0 1 100 100 Tm';
  test.each<[string, string, string, Parts?]>([
    ['nothing', '', 'blank'],
    ['a filled rectangle', '10 20 30 40 re f', '10 20 40 60'],
    ['a white rectangle', '1 g 10 20 30 40 re f', 'blank'],
    ['a white CMYK rectangle', '0 0 0 0 k 10 20 30 40 re f', 'blank'],
    ['a Separation colour', '/Ink cs 1 scn 10 20 30 40 re f', '10 20 40 60'],
    ['a Separation colour with tint 0', '/Ink cs 0 scn 10 20 30 40 re f', 'blank'],
    ['fully transparent content', '/None gs 10 20 30 40 re f', 'blank'],
    ['a colour behind everything', '.8 g 0 0 400 300 re f', 'blank'],
    ['a path that is not painted', '10 20 30 40 re n', 'blank'],
    ['a frame around the page', '9 9 382 282 re S', '8 8 392 292'],
    ['a clipped surface', '10 20 30 40 re W n 0 0 200 200 re f', '10 20 40 60'],
    ['a clip that ends with Q', 'q 1 1 5 5 re W n Q 10 20 30 40 re f', '10 20 40 60'],
    ['translated and scaled content', '2 0 0 2 100 50 cm 0 0 10 10 re f', '100 50 120 70'],
    ['a curve', '10 10 m 10 50 50 50 50 10 c h f', '10 10 50 40'],
    ['a line', '4 w 10 10 m 90 10 l S', '8 8 92 12'],
    ['a picture', 'q 40 0 0 30 100 100 cm /Image Do Q', '100 100 140 130'],
    ['an inline picture', 'q 40 0 0 30 9 9 cm BI /W 1 /H 1 ID \0EI\0 EI Q', '9 9 49 39'],
    ['a form', '1 0 0 1 100 100 cm /Form Do', '100 100 150 150'],
    ['a form with a box', '/Form Do', '10 10 20 20', { formDict: '/BBox[10 10 20 20]' }],
    ['letters', `${text} (AB) Tj ET`, '100 98 130 108'],
    ['text in invisible mode', `3 Tr ${text} (AB) Tj ET`, '100 98 130 108'],
    ['white text', `1 g ${text} (AB) Tj ET`, '100 98 130 108'],
    ['text with character spacing', `${text} 5 Tc (AB) Tj ET`, '100 98 135 108'],
    ['text moved back', `${text} [(A) 1000 (B)] TJ ET`, '100 98 120 108'],
    ['stretched text', `${text} 50 Tz (AB) Tj ET`, '100 98 115 108'],
    ['lines of text', `${text} 20 TL (A) Tj T* (B) Tj ET`, '100 78 120 108'],
    ['raised text', `${text} 5 Ts (A) Tj ET`, '100 103 120 113'],
    [
      'a wide glyph in a font without widths',
      'BT /F 10 Tf 100 100 Td <99> Tj ET',
      '100 96 110 110',
    ],
    ['text with two-byte codes', 'BT /Z 10 Tf 50 50 Td <00030004> Tj ET', '50 46 70 60'],
    ['an odd operator in an array', `${text} [(A) Tj (B)] TJ ET`, '100 98 130 108'],
    ['unknown operators', `foo >> ] ) ${text} (AB) Tj ET`, '100 98 130 108'],
    ['a rotated page', '10 20 30 40 re f', '20 360 60 390', { page: '/Rotate 90' }],
    ['a cropped page', '60 60 30 40 re f', '10 10 40 50', { page: '/CropBox[50 50 300 300]' }],
  ])('is found: %s', (_, content, expected, parts) => {
    expect(printedBox(look(pdfWith(content, parts)))).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    ['in the box of its font', '[0 0 10 10]', '0 0 10 10 re f', '100 50 110 60'],
    ['beyond the box of its font', '[0 0 1 1]', '100 90 50 50 re f', '100 50 250 190'],
    ['of a font without its name', '[0 0 0 0]', '0 0 50 50 re f', '100 49 150 100'],
    ['that draws itself', '[0 0 1 1]', 'BT /T 1 Tf (a) Tj ET 100 90 50 50 re f', '100 50 250 190'],
  ])('includes a glyph drawn by content: %s', (_, box, glyph, expected) => {
    const font =
      `<</Type/Font/Subtype/Type3/FontBBox${box}/FontMatrix[1 0 0 1 0 0]/FirstChar 97/Widths[1]` +
      '/Encoding<</Differences[97/a]>>/CharProcs<</a 20 0 R>>/Resources<</Font<</T 6 0 R>>>>>>';
    const more = (builder: PdfBuilder) => void builder.stream(20, '', `1 0 d0 ${glyph}`);
    const page = look(pdfWith('BT /F 1 Tf 100 50 Td (a) Tj ET', { font, more }));
    expect(printedBox(page)).toBe(expected);
  });

  test('distinguishes text from everything else', () => {
    const page = look(pdfWith('10 20 30 40 re f BT /W 10 Tf 100 100 Td (AB) Tj ET'));
    const boxes = [printedBox(page, 'words'), printedBox(page)];
    expect(boxes).toEqual(['100 98 130 108', '10 20 130 108']);
  });

  test('excludes the inside of a frame and of a surface with a hole', () => {
    const page = look(pdfWith('9 9 382 282 re S 20 20 200 200 re 30 30 180 180 re f*'));
    if (typeof page === 'string') throw new Error(page);
    expect(page.covered([40, 40, 200, 200], 'anything')).toBe(0);
    expect(page.covered([22, 40, 28, 200], 'anything')).toBeGreaterThan(0);
  });

  test.each<[string, string, boolean]>([
    ['all of the page', '400 0 0 300 0 0 cm /Image Do', true],
    ['half of it', '200 0 0 300 0 0 cm /Image Do', false],
  ])('classifies the page as a picture or not: a picture on %s', (_, content, isPicture) => {
    expect(look(pdfWith(content))).toMatchObject({ isPicture });
  });

  test.each<[string, string, string]>([
    ['an appearance', '/Rect[100 100 150 150]/AP<</N 5 0 R>>', '100 100 150 150'],
    ['a hidden appearance', '/F 2/Rect[100 100 150 150]/AP<</N 5 0 R>>', 'blank'],
    ['no appearance, drawn by viewers', '/Rect[100 100 150 150]', '100 100 150 150'],
  ])('accounts for an annotation with %s', (_, entries, expected) => {
    const page = `/Annots[<</Type/Annot/Subtype/FreeText${entries}>>]`;
    expect(printedBox(look(pdfWith('', { page })))).toBe(expected);
  });
});

describe('a page that is too costly or unreadable', () => {
  const endless = '0 0 1 1 re f '.repeat(400_000);
  test.each<[string, string, string, Parts?]>([
    ['damaged content', 'damaged', 'q Q', { filter: 'broken' }],
    ['endless content', 'costly', endless, { filter: 'flate' }],
    ['a surface repeated many times', 'costly', '0 0 300 200 re f '.repeat(3_000)],
    ['lines across the page', 'costly', `${'0 0 m 400 300 l '.repeat(6_000)} S`],
  ])('%s is reported as %s', (_, expected, content, parts) => {
    expect(look(pdfWith(content, parts))).toBe(expected);
  });

  test('a form inside itself paints nothing there', () => {
    const formDict = '/Resources<</XObject<</Form 5 0 R>>>>/BBox[0 0 400 300]';
    const bytes = pdfWith('/Form Do', { formDict, form: '/Form Do 10 20 30 40 re f' });
    expect(printedBox(look(bytes))).toBe('10 20 40 60');
  });

  test('nested forms that multiply end at the limit', () => {
    const dict = (next: number): string =>
      `/Resources<</XObject<</X ${next} 0 R>>>>/BBox[0 0 400 300]`;
    const form = '/X Do '.repeat(20);
    const more = (builder: PdfBuilder): void => {
      for (let level = 20; level < 30; level++) {
        builder.stream(level, `/Type/XObject/Subtype/Form${dict(level + 1)}`, form);
      }
    };
    expect(look(pdfWith('/Form Do', { formDict: dict(20), form, more }))).toBe('costly');
  });

  test('one budget applies to all pages of a document', () => {
    const budget = { ...printBudget(), steps: 200_000 };
    const bytes = pdfWith('10 20 30 40 re f');
    expect(printedBox(look(bytes, budget))).toBe('10 20 40 60');
    for (let count = 0; count < 4; count++) look(bytes, budget);
    expect(look(bytes, budget)).toBe('costly');
    expect(budget.steps).toBeGreaterThanOrEqual(0);
  });

  test('any content yields a result and no error', () => {
    const words = fc.constantFrom(
      ...'q Q cm re f S W n m l c v y h B* BT ET Tf Tj TJ Td Tm T* Do sh gs BI ID EI'.split(' '),
      ...'[ ] << >> ( ) < > /F /W /Form /Image /None 1e9 -5 .5 0 400 99999999999 %'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (content) => {
        const page = look(pdfWith(content.join(' ')));
        const isSound = typeof page === 'string' || page.covered([0, 0, 400, 300], 'anything') >= 0;
        expect(isSound).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
