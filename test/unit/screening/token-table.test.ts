import { expect, test } from 'vitest';
import { TokenTable } from '../../../src/domain/screening/index/near/token-table.ts';
import { partPlain, plainParts } from '../../../src/domain/screening/index/words/plain-names.ts';

test('of many words in names each has its own value, and others have none', () => {
  const table = new TokenTable<number>();
  const words = Array.from({ length: 9000 }, (_, at) => `w${at.toString(36).replace(/\d/g, 'É')}`);
  const distinct = [...new Set(words)];
  distinct.forEach((word, value) => {
    const name = `Anna ${word}-Li`;
    expect(partPlain(name)).toBe(3);
    expect(table.find(name, 1)).toBeUndefined();
    table.add(word, plainParts[5] as number, value);
  });
  expect(table.size).toBe(distinct.length);
  distinct.forEach((word, value) => {
    partPlain(`${word}, Olga`);
    expect([word, table.find(`${word}, Olga`, 1)]).toEqual([word, value]);
    expect(table.find(`${word}, Olga`, 0)).toBeUndefined();
  });
  table.clear();
  partPlain(distinct[0] as string);
  expect(table.find(distinct[0] as string, 0)).toBeUndefined();
});
