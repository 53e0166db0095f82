import { expect, test } from 'vitest';
import { TokenTable } from '../../../src/domain/screening/index/near/token-table.ts';
import { partPlain, plainParts } from '../../../src/domain/screening/index/words/plain-names.ts';

test('each of many words has its own value, and unknown words have none', () => {
  const table = new TokenTable<number>();
  const words = Array.from({ length: 60_000 }, (_, at) => {
    return `w${at.toString(36).replace(/\d/g, 'É')}`;
  });
  const distinct = [...new Set(words)];
  // More than half of the initial slots.
  expect(distinct.length).toBeGreaterThan(2 ** 14);
  const before = distinct.filter((word, value) => {
    const name = `Anna ${word}-Li`;
    const isKnown = partPlain(name) !== 3 || table.find(name, 1) !== undefined;
    table.add(word, plainParts[5] as number, value);
    return isKnown;
  });
  expect(before).toEqual([]);
  expect(table.size).toBe(distinct.length);
  const others = distinct.filter((word, value) => {
    const name = `${word}, Olga`;
    partPlain(name);
    return table.find(name, 1) !== value || table.find(name, 0) !== undefined;
  });
  expect(others).toEqual([]);
  table.clear();
  partPlain(distinct[0] as string);
  expect(table.find(distinct[0] as string, 0)).toBeUndefined();
});
