import { expect, test } from 'vitest';
import { choosePlace, placeAllowance } from '../../../src/seal/appearance/choose-place.ts';
import { type Box, placeStamp, type StampPage } from '../../../src/seal/appearance/placement.ts';

const page: StampPage = { mediaBox: [0, 0, 595, 842], rotation: 0 };
const [left, bottom, right, top] = placeStamp(page, { kind: 'flow', index: 0, from: 'top' }).rect;

/** Fields on the whole page except the first slot, after many fields elsewhere. */
const fields: readonly Box[] = [
  ...Array.from({ length: 20_000 }, (): Box => [9000, 9000, 9001, 9001]),
  [0, 0, left, 842],
  [right, 0, 595, 842],
  [left, 0, right, bottom],
  [left, top, right, 842],
];

test('the search for a position on a page with very many fields is bounded', () => {
  let looks = 0;
  const taken = Object.assign([...fields], {
    some(found: (area: Box) => boolean) {
      looks += fields.length;
      return fields.some(found);
    },
  });
  const printed = {
    cell: 1,
    isPicture: false,
    isPartial: false,
    covered: ([x]: Box) => (x === left ? 1 : 0),
  };
  const need = { width: 1, height: 1 };
  const allowance = placeAllowance();
  const { placement, covered } = choosePlace({
    ...{ page, from: 'top', need, taken, printed, allowance },
  });
  expect(placement.rect).toEqual([left, bottom, right, top]);
  expect(covered).toBe('print');
  expect(looks).toBeLessThan(25_000_000);
});
