import { describe, expect, test } from 'vitest';
import { printBudget } from '../../../src/formats/pdf/index.ts';
import { codesOf } from '../../../src/formats/pdf/printed/character-codes.ts';
import { Coverage } from '../../../src/formats/pdf/printed/coverage.ts';
import { spend } from '../../../src/formats/pdf/printed/work.ts';
import type { PdfBuilder } from '../../support/pdf-builder.ts';
import { look, type Parts, pdfWith, printedBox } from '../../support/printed-pdf.ts';

/** The additional cost of a page compared with a blank one. */
function costOf(content: string, parts?: Parts) {
  const cost = (bytes: Uint8Array) => {
    const budget = printBudget();
    const before = { ...budget };
    const result = look(bytes, budget);
    const steps = before.steps - budget.steps;
    return { result, steps, decodedBytes: before.decodedBytes - budget.decodedBytes };
  };
  const blank = cost(pdfWith(''));
  const own = cost(pdfWith(content, parts));
  return { ...own, steps: own.steps - blank.steps };
}

/** Finite, but twice its value is not. */
const huge = `1${'7'.repeat(308)}`;
const text = 'BT /F 1 Tf 1 0 0 1 100 100 Tm (A) Tj ET';

describe('extreme numbers', () => {
  test.each<[string, string, string]>([
    ['infinitely high', `0 -${huge} 612 ${huge}`, 'costly'],
    ['infinitely wide', `-${huge} 0 ${huge} 792`, 'costly'],
    ['wider than the maximum', '0 0 14401 300', 'costly'],
    ['as wide as the maximum', '0 0 14400 300', 'blank'],
  ])('are bounded on a page that is %s', (_, mediaBox, expected) => {
    expect(printedBox(look(pdfWith('0 0 1 1 re n', { mediaBox })))).toBe(expected);
  });

  test.each([Number.NaN, Infinity])('a cost of %s uses up the budget', (steps) => {
    const budget = printBudget();
    expect(() => spend(budget, steps)).toThrow('exceeds a limit');
    expect(() => spend(budget, 0)).toThrow('exceeds a limit');
  });

  test('a line from far away takes no more steps than the page has cells', () => {
    const budget = printBudget();
    const coverage = new Coverage(400, 300, budget);
    const before = budget.steps;
    for (let count = 0; count < 200; count++) {
      const far = 10 ** (16 + count / 40);
      coverage.strokeLine(-far, 10, 1.7 * far + count, 250, 1, coverage.view);
    }
    expect(before - budget.steps).toBeLessThan(200 * 20 * 800);
  });
});

describe('the cost of reading fonts', () => {
  const composite = (descendant: number, entries = '/Encoding/Identity-H'): string =>
    `<</Type/Font/Subtype/Type0${entries}/DescendantFonts[${descendant} 0 R]>>`;
  const cidFont = (widths: string) => (builder: PdfBuilder) => {
    builder.object(20, `<</Type/Font/Subtype/CIDFontType2/W[${widths}]>>`);
    builder.object(21, `[${'1 '.repeat(65_535)}]`);
  };
  const cmap = (program: string) => (builder: PdfBuilder) => {
    builder.stream(22, '', program);
    builder.object(20, '<</Type/Font/Subtype/CIDFontType2>>');
  };
  const encoded = composite(20, '/Encoding 22 0 R');
  const unicode = '<</Type/Font/Subtype/Type1/ToUnicode 22 0 R>>';
  const many = 'begincodespacerange '.repeat(3_449);
  const short = `1 begincodespacerange ${'<00><80>'.repeat(8_000)} <8100><ffff> endcodespacerange`;
  test.each<[string, string, (builder: PdfBuilder) => void, number, number]>([
    ['ranges of widths', composite(20), cidFont('0 4096 500 '.repeat(200)), 200_000, 400_000],
    ['a shared array', composite(20), cidFont('0 21 0 R '.repeat(100)), 200_000, 400_000],
    ['unterminated code ranges', encoded, cmap(many), 45_000, 80_000],
    ['many code ranges', encoded, cmap(short), 45_000, 80_000],
    ['character codes', unicode, cmap(many), 45_000, 80_000],
  ])('is proportional to the data: %s', (_, font, more, least, most) => {
    const { steps } = costOf(text, { font, more });
    expect(steps).toBeGreaterThan(least);
    expect(steps).toBeLessThan(most);
  });

  test.each<[string, string, (builder: PdfBuilder) => void, number, number]>([
    ['widths', composite(20), cidFont('0 4096 500 '.repeat(200)), 200_000, 400_000],
    ['code ranges', encoded, cmap(many), 55_000, 100_000],
    ['character codes', unicode, cmap(many), 55_000, 100_000],
  ])('is paid once for %s shared by many fonts', (_, font, more, least, most) => {
    const fonts = Array.from({ length: 20 }, (_, index) => `/F${index} ${30 + index} 0 R`).join('');
    const page = `/Resources<</Font<<${fonts}>>>>`;
    const content = Array.from({ length: 20 }, (_, index) => `/F${index} 1 Tf`).join(' ');
    const all = (builder: PdfBuilder): void => {
      more(builder);
      for (let index = 0; index < 20; index++) builder.object(30 + index, font);
    };
    const { steps } = costOf(content, { page, more: all, resources: '' });
    expect(steps).toBeGreaterThan(least);
    expect(steps).toBeLessThan(most);
  });

  test('allows one stream as encoding and as ToUnicode map', () => {
    const entries = '/Encoding 22 0 R/ToUnicode 22 0 R';
    const { result } = costOf(text, { font: composite(20, entries), more: cmap(many) });
    expect(printedBox(result)).toBe('blank');
  });

  test('allows overlapping and excessive code ranges of one and two bytes', () => {
    const program = 'begincodespacerange <00><40> <30><50> <ffff><ff> <f0><fFF> <8100><ffff> end';
    const codes: string[] = [];
    const bytes = Uint8Array.of(0x41, 0x50, 0x51, 0x52, 0xf1, 0x81);
    codesOf('', Buffer.from(`${program}codespacerange`))(bytes, (code, lengthBytes) =>
      codes.push(`${code.toString(16)}/${lengthBytes}`),
    );
    expect(codes).toEqual(['41/1', '50/1', '5152/2', 'f1/1', '81/1']);
  });
});

describe('damaged or overlong page content', () => {
  const formDict = (entries: string): string => `/BBox[0 0 50 50]${entries}`;
  test('costs once if a form fails to decode', () => {
    const form = 'x'.repeat(1_000);
    const parts = { formDict: formDict('/Filter/FlateDecode'), form };
    const [once, often] = ['/Form Do ', '/Form Do '.repeat(50)].map((each) => costOf(each, parts));
    expect(once?.decodedBytes).toBe(64 * 1_000 + '/Form Do '.length);
    expect(often?.decodedBytes).toBe(64 * 1_000 + 50 * '/Form Do '.length);
  });

  const long = (builder: PdfBuilder): void => {
    builder.object(20, `[${'6 0 R '.repeat(20_000)}]`);
  };
  const type3 = '<</Type/Font/Subtype/Type3/FontMatrix 20 0 R/FontBBox 20 0 R>>';
  test.each<[string, string, Parts]>([
    ['the box of a form', '/Form Do', { formDict: '/BBox 20 0 R' }],
    ['the matrix of a form', '/Form Do', { formDict: '/Matrix 20 0 R/BBox[0 0 1 1]' }],
    ['matrix and box of a font', text, { font: type3 }],
    ['the rectangle of an annotation', '', { page: '/Annots[<</Rect 20 0 R>>]' }],
  ])('%s with 20,000 elements is not read', (_, content, parts) => {
    expect(costOf(content, { ...parts, more: long }).steps).toBeLessThan(20_000);
  });

  test('is too costly if one stream is repeated in /Contents', () => {
    const page = `/Contents[${'4 0 R '.repeat(20_000)}]`;
    const content = ' '.repeat(20_000);
    expect(look(pdfWith(content, { page, contents: '' }))).toBe('costly');
  });

  test.each<[string, string, string]>([
    ['an unterminated array', '[ 10 20 30 40 re f', 'damaged'],
    ['operators in an array', `[ ${'10 20 30 40 re f '.repeat(20)} ]`, 'damaged'],
    ['an unterminated array without an operator', '10 20 30 40 re f [ 1 2 (x)', '10 20 40 60'],
  ])('ends the evaluation: %s', (_, content, expected) => {
    expect(printedBox(look(pdfWith(content)))).toBe(expected);
  });
});

test.each<[string, string, string]>([
  ['higher than its size', '[0 0 20 20]', '100 100 120 120'],
  ['as high as the page', '[0 0 20 300]', '100 100 120 300'],
  ['higher than the page', '[0 -9999 20 9999]', '100 99 120 101'],
  ['without height', '[0 0 20 0]', '100 99 120 101'],
])('a Type 3 font with a box %s covers the expected area', (_, box, expected) => {
  const font =
    `<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]/FontBBox${box}` +
    '/FirstChar 65/Widths[20]>>';
  expect(printedBox(look(pdfWith(text, { font })))).toBe(expected);
});
