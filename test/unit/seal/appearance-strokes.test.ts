import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { latin1Text, memorySource } from '../../../src/base/bytes.ts';
import { asStream, firstPage, openPdf } from '../../../src/formats/pdf/index.ts';
import { cutDrawing, drawStamp, type StampContent } from '../../../src/seal/appearance/index.ts';

const fonts = await readStampFonts();
const lines = [{ text: 'Anna', strong: true }];

async function operatorsOf(content: Partial<StampContent>): Promise<readonly string[]> {
  const stamp = await drawStamp({ width: 148, height: 42, lines, ...content }, fonts);
  const file = openPdf(memorySource(stamp.bytes));
  const stream = asStream(file.resolve(firstPage(file).dict.get('Contents')));
  return latin1Text(file.decode(stream as never)).split('\n');
}

const curvesOf = (operators: readonly string[]) => operators.filter((each) => / c$/.test(each));

describe('a drawn signature in a stamp', () => {
  const wave = Array.from({ length: 40 }, (_, at) => [at * 20, 150 + (at % 2 === 0 ? 40 : -40)]);
  const strokes = [wave.flat(), [850, 40]];

  test('is drawn once, as curves and dots in a device-independent colour', async () => {
    const operators = await operatorsOf({ drawing: cutDrawing(strokes) });
    expect(curvesOf(operators)).toHaveLength(39);
    expect(operators.filter((each) => each === 'S')).toHaveLength(1);
    expect(operators).toEqual(expect.arrayContaining(['/Rgb CS', '1 J', '1 j']));
    expect(operators.join()).not.toMatch(/NaN|Infinity|e-/);
    expect(await operatorsOf({ drawing: cutDrawing(strokes) })).toEqual(operators);
  });

  test('stays inside the stamp, left of the text', async () => {
    const operators = await operatorsOf({ drawing: cutDrawing(strokes) });
    const points = curvesOf(operators).map((each) => each.split(' ').map(Number).slice(4, 6));
    for (const [x = -1, y = -1] of points) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(148 * 0.5);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(42);
    }
  });

  test.each([
    ['a flat line', [[0, 150, 900, 150]]],
    ['an upright line', [[450, 0, 450, 300]]],
    ['the same point again and again', [[10, 10, 10, 10, 10, 10, 100, 10]]],
    ['the whole area', [[0, 0, 900, 300, 0, 300, 900, 0]]],
  ])('has finite coordinates: %s', async (_, given) => {
    const operators = await operatorsOf({ drawing: cutDrawing(given) });
    expect(operators.join()).not.toMatch(/NaN|Infinity/);
    expect(curvesOf(operators).length).toBeGreaterThan(0);
  });

  test('sets no line colour if it is absent', async () => {
    expect(await operatorsOf({})).not.toContain('/Rgb CS');
  });
});
