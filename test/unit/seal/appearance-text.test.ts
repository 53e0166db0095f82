import { describe, expect, test } from 'vitest';
import type { StampLine } from '../../../src/seal/appearance/index.ts';
import { cleanLines, layoutText, type Measure } from '../../../src/seal/appearance/text-layout.ts';
import { fc } from '../../support/property.ts';

/** Half the font size per character, a tenth more for bold. */
const measure: Measure = (text, strong) => [...text].length * (strong ? 0.55 : 0.5);
const line = (text: string, strong = false): StampLine => ({ text, strong });

function shown(lines: readonly StampLine[], width: number, height: number): string[] {
  return layoutText(lines, { width, height }, measure).lines.map(({ text }) => text);
}

describe('fitting text into a stamp', () => {
  test('keeps short text at the largest size', () => {
    const { lines, cut } = layoutText([line('short')], { width: 200, height: 50 }, measure);
    expect(lines.map(({ size }) => size)).toEqual([11]);
    expect(cut).toBe(false);
  });

  test('first shrinks longer text', () => {
    const { lines } = layoutText([line('a'.repeat(25))], { width: 100, height: 50 }, measure);
    expect(lines.map(({ size }) => size)).toEqual([8]);
  });

  test('then wraps between words', () => {
    expect(shown([line('one two three four five six seven')], 50, 30)).toEqual([
      'one two three',
      'four five six',
      'seven',
    ]);
  });

  test('then wraps inside words', () => {
    const rows = shown([line('x'.repeat(60))], 40, 50);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.join('')).toBe('x'.repeat(60));
  });

  test('then truncates with an ellipsis', () => {
    const lines = Array.from({ length: 20 }, (_, index) => line(`line ${index}`));
    const { lines: rows, cut } = layoutText(lines, { width: 60, height: 20 }, measure);
    expect(cut).toBe(true);
    expect(rows.at(-1)?.text).toMatch(/…$/);
  });

  test('never exceeds the area, whatever the text and the area', () => {
    const lines = fc.array(fc.record({ text: fc.string(), strong: fc.boolean() }), {
      maxLength: 8,
    });
    const side = fc.double({ min: 0.5, max: 300, noNaN: true });
    fc.assert(
      fc.property(lines, side, side, (text, width, height) => {
        const layout = layoutText(cleanLines(text), { width, height }, measure);
        expect(layout.height).toBeLessThanOrEqual(height + 1e-6);
        for (const row of layout.lines) {
          const own = measure(row.text, row.strong) * row.size * layout.stretch;
          expect(own).toBeLessThanOrEqual(width + 1e-6);
          expect(row.size).toBeGreaterThanOrEqual(6.5);
          expect(row.baseline).toBeLessThan(height);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('cleaning text', () => {
  test.each([
    ['e\u0301', 'é'],
    ['a\tb\u2003c\n d', 'a b c d'],
    ['a\u200bb\u202ec\ufeff', 'abc'],
    ['10\u00a0kr', '10\u00a0kr'],
    ['\ud800x', '\ufffdx'],
    ['  x  ', 'x'],
  ])('turns %j into %j', (text, expected) => {
    expect(cleanLines([line(text)])).toEqual([line(expected)]);
  });

  test('drops empty lines', () => {
    expect(cleanLines([line(' '), line('\u200b'), line('x')])).toEqual([line('x')]);
  });

  test.each([
    ['characters', [line('x'.repeat(2_049))]],
    ['lines', Array.from({ length: 65 }, () => line('x'))],
  ])('rejects too many %s with limit.exceeded', (_, lines) => {
    expect(() => cleanLines(lines)).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
  });

  test('accepts the longest permitted text, which is laid out quickly', () => {
    const lines = cleanLines([line('x y'.repeat(682))]);
    const layout = layoutText(lines, { width: 500, height: 20 }, measure);
    expect(layout.lines.length).toBeGreaterThan(0);
  });
});
