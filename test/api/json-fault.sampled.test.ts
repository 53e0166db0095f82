import { expect, test } from 'vitest';
import { jsonFault, lineAndColumn } from '../../src/api/plugins/bodies/json-text.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one character removed, inserted or replaced. */
const damaged = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('"', '\\', '{', ']', ',', ':', '1', 'e', '\n', ''))
  .chain(([text, at, mark]) =>
    fc.constantFrom(0, 1).map((taken) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + mark + text.slice(place + taken);
    }),
  );

test('jsonFault finds a fault in every invalid text and none in valid JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
      if (text.trim() === '') return;
      expect(jsonFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: runs(3000) },
  );
});

test('lineAndColumn counts lines and columns from 1', () => {
  expect(lineAndColumn('{', 0)).toBe('line 1, column 1');
  expect(lineAndColumn('ab\n\ncd', 1)).toBe('line 1, column 2');
  expect(lineAndColumn('ab\n\ncd', 2)).toBe('line 1, column 3');
  expect(lineAndColumn('ab\n\ncd', 3)).toBe('line 2, column 1');
  expect(lineAndColumn('ab\n\ncd', 5)).toBe('line 3, column 2');
  expect(lineAndColumn('ab\n\ncd', 6)).toBe('line 3, column 3');
});
