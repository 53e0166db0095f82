import { expect, test } from 'vitest';
import { parsedObjects } from '../../../src/formats/pdf/parsed-objects.ts';

const object = { objectNumber: 1, generation: 0, value: null, endBytes: 20 };

test('returns a stored object only if the byte after it is available', () => {
  const table = parsedObjects(0);
  table.keep(10, object);
  expect(table.find(10, 21)).toBe(object);
  expect(table.find(10, 20)).toBeUndefined();
  expect(table.find(11, 21)).toBeUndefined();
});

test('keeps stored objects after close, but accepts no more', () => {
  const table = parsedObjects(0);
  table.keep(10, object);
  table.close();
  table.keep(30, { ...object, endBytes: 31 });
  expect(table.find(10, 100)).toBe(object);
  expect(table.find(30, 100)).toBeUndefined();
});
