import { expect, test } from 'vitest';
import { sectionLookup } from '../../../src/formats/pdf/xref/section-lookup.ts';
import type { ObjectRange, XrefEntry, XrefSection } from '../../../src/formats/pdf/xref/xref.ts';
import { fc } from '../../support/property.ts';

/** A section that lists its objects as used or as free. */
function section(place: number, ranges: readonly ObjectRange[], isFree: boolean): XrefSection {
  const entry: XrefEntry = isFree
    ? { kind: 'free' }
    : { kind: 'offset', offsetBytes: place, generation: 0 };
  const find = (objectNumber: number) =>
    ranges.some(({ first, count }) => objectNumber >= first && objectNumber < first + count)
      ? entry
      : undefined;
  return { offsetBytes: place, kind: 'table', trailer: new Map(), ranges, find };
}

const range = fc.record({
  first: fc.nat(40),
  // Values around the size up to which the numbers of a section are indexed, and empty ranges.
  count: fc.oneof(fc.nat(3), fc.constantFrom(255, 256, 257)),
});
const sections = fc
  .array(fc.tuple(fc.array(range, { maxLength: 3 }), fc.boolean()), { maxLength: 40 })
  .map((all) => all.map(([ranges, isFree], place) => section(place, ranges, isFree)));

test('the newest section that lists an object decides, however many sections there are', () => {
  fc.assert(
    fc.property(sections, (all) => {
      const find = sectionLookup(all);
      for (let number = 0; number < 320; number++) {
        const inOrder = all.map((each) => each.find(number)).find((entry) => entry !== undefined);
        expect(find(number)).toBe(inOrder);
      }
    }),
  );
});

test('sections that do not list an object are not searched', () => {
  const asked: number[] = [];
  const all = Array.from({ length: 100 }, (_, place) => {
    const { find, ...rest } = section(place, [{ first: place, count: 1 }], false);
    const count = (number: number) => {
      asked.push(place);
      return find(number);
    };
    return { ...rest, find: count };
  });
  expect(sectionLookup(all)(70)).toMatchObject({ offsetBytes: 70 });
  expect(asked).toEqual([70]);
});
