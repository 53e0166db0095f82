import { expect, test } from 'vitest';
import { knownPlaces } from '../../../src/wire/service/known/known-companies.ts';

/**
 * A sequence `q` of three documents and four persons, with the document `in`, and a document
 * `alone`.
 */
function open() {
  const asked: string[] = [];
  const rows: Record<string, object> = { in: { sequenceKey: 'q' }, alone: {} };
  const q = { processKeys: ['in', 'b', 'c'], persons: [1, 2, 3, 4] };
  const processes = {
    find: async (key: string) => {
      asked.push(key);
      return rows[key];
    },
  };
  const sequences = { find: async (key: string) => (key === 'q' ? q : undefined) };
  const store = { read: (work: (unit: object) => unknown) => work({ processes, sequences }) };
  return { places: knownPlaces(store as never), asked, rows };
}

test.each([
  ['q', 12],
  ['in', 12],
  ['alone', 0],
  ['none', 0],
])('the key %s counts %i pairs of a document and a person in its sequence', async (key, count) => {
  expect(await open().places(key)).toBe(count);
});

test('found keys are cached, missing ones are looked up again', async () => {
  const { places, asked, rows } = open();
  for (const key of ['q', 'q', 'in', 'in', 'late', 'late']) await places(key);
  expect(asked).toEqual(['q', 'in', 'late', 'late']);
  rows['late'] = { sequenceKey: 'q' };
  expect(await places('late')).toBe(12);
});
