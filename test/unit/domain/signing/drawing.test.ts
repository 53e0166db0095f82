import { describe, expect, test } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { parseDrawing, requireDrawing } from '../../../../src/domain/signing/index.ts';

const line = [0, 0, 900, 300];
const many = (count: number) => Array.from({ length: count }, (_, at) => at % 300);

describe('a drawn signature', () => {
  test('consists of lines of integers, with single points between them', () => {
    const strokes = [line, [450, 150]];
    expect(parseDrawing(JSON.stringify(strokes))).toEqual({ strokes });
  });

  test('with the maximum number of points fits the byte limit', () => {
    const stroke = Array.from({ length: 2 * limits.drawingPoints }, (_, at) => 200 + (at % 100));
    expect(parseDrawing(JSON.stringify([stroke])).strokes[0]).toHaveLength(stroke.length);
  });

  test.each([
    ['no text', ''],
    ['invalid JSON', '[[1,2'],
    ['a different value', '{"strokes":[]}'],
    ['null', 'null'],
    ['no lines', '[]'],
    ['an empty line', '[[]]'],
    ['half a point', '[[1,2,3]]'],
    ['text', '[["0",0,900,300]]'],
    ['a fraction', '[[0.5,0,900,300]]'],
    ['not a number', '[[NaN,0,900,300]]'],
    ['null as a number', '[[null,0,900,300]]'],
    ['infinity', '[[1e999,0,900,300]]'],
    ['a negative number', '[[-1,0,900,300]]'],
    ['outside to the right', '[[0,0,901,300]]'],
    ['outside at the bottom', '[[0,0,900,301]]'],
    ['nested lists', '[[[0],0,900,300]]'],
    ['an object as a line', '[{"length":4}]'],
    ['a single dot', '[[450,150]]'],
    ['a tiny stroke', '[[450,150,460,160]]'],
    [
      'too many lines',
      JSON.stringify(Array.from({ length: limits.drawingStrokes + 1 }, () => line)),
    ],
    ['too many points', JSON.stringify([many(2 * limits.drawingPoints + 2)])],
    ['a million points', `[[${'1,'.repeat(2_000_000)}1]]`],
    ['deeply nested lists', '['.repeat(20_000)],
  ])('is rejected: %s', (_, text) => {
    expect(() => parseDrawing(text)).toThrow(
      expect.objectContaining({
        code: 'validation.error',
        message: expect.stringMatching(/^drawing/),
      }),
    );
  });

  test.each([
    ['lines', Object.assign(new Array(3), { 0: line, 2: line })],
    ['numbers of a line', [Object.assign(new Array(6), { 0: 0, 1: 0, 2: 900, 4: 5, 5: 5 })]],
    ['all numbers of a line', [line, new Array(4)]],
  ])('is rejected with holes among the %s', (_, strokes) => {
    expect(() => requireDrawing({ strokes })).toThrow(/^drawing: expected/);
  });

  test('passed as an object is copied and validated', () => {
    const given = { strokes: [[...line]] };
    const own = requireDrawing(given);
    given.strokes[0]?.push(Number.NaN, 1);
    expect(own.strokes).toEqual([line]);
    expect(() => requireDrawing(given)).toThrow('whole numbers');
  });
});
