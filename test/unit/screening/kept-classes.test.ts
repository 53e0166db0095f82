import { expect, test } from 'vitest';
import { classKeeper } from '../../../src/domain/screening/index/kept-classes.ts';
import { buildNameIndex, nearTo } from '../../../src/domain/screening/index.ts';

test('a search in a list of one person is made once, when there were many searches', () => {
  const made: number[] = [];
  let searches = 0;
  const searched = classKeeper((person) => {
    made.push(searches);
    return person;
  });
  for (; searches < 1000; searches++) searched();
  expect(made).toEqual([199]);
});

test('the person has a name that is compared word by word, and one by its consonants', () => {
  const names: string[] = [];
  const searched = classKeeper((person) => {
    names.push(...person.names.map(({ text }) => text));
    const index = buildNameIndex([person]);
    const found = person.names.map(({ text: originalName }) => {
      return index.search({ originalName }, { leastRate: 75, limit: 9 }).length;
    });
    const isNear = nearTo([person], index.rarity);
    expect([...found, ...names.map((originalName) => isNear({ originalName }))]).toEqual([
      ...[1, 1, true, true],
    ]);
    return index;
  });
  for (let count = 0; count < 300; count++) searched();
  expect(names).toHaveLength(2);
});
