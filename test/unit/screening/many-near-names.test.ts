import { expect, test } from 'vitest';
import { buildNameIndex } from '../../../src/domain/screening/index/name-index.ts';
import { BLOCK } from '../../../src/domain/screening/index/search/read-ahead.ts';

/**
 * More than are read in one block, and not a multiple of it; fewer than the limit of comparisons.
 */
const COUNT = 3 * BLOCK + 1;

/** Numbers of the persons that a query finds from rate 75 on. */
function found(query: string, near: string, far: string): readonly number[] {
  const person = (text: string) => {
    return { names: [{ text, kind: 'primary' as const }], births: [], countries: [] };
  };
  const persons = Array.from({ length: COUNT }, () => [person(near), person(far)]).flat();
  const matches = buildNameIndex(persons).search(
    { originalName: query },
    { leastRate: 75, limit: persons.length },
  );
  return matches.map(({ number }) => number);
}

const everySecond = Array.from({ length: COUNT }, (_, at) => 2 * at);

test.each([
  ['in their words', 'Anna Lindkvist', 'Anna Lindqvist', 'Anna Olsen'],
  ['in two words that are one of the query', 'PiNilsson', 'Pia Nilsson', 'Bo Olsen'],
  ['in their consonants', 'محمود حسن', 'Mahmoud Hassan', 'Peter Olsen'],
])('all of many names similar %s are found, and no others', (_, query, near, far) => {
  expect(found(query, near, far)).toEqual(everySecond);
});
