import { expect, test } from 'vitest';
import { createMemo } from '../../../src/base/memo.ts';

const keys: readonly (readonly [string, () => object])[] = [
  ['an object', () => ({ a: 1 })],
  ['a frozen object', () => Object.freeze({ a: 1 })],
  ['a byte array', () => new Uint8Array(3)],
  ['an object without a prototype', () => Object.create(null) as object],
  ['a function', () => () => 1],
];

test.each(keys)('a memo keeps the last value set for %s', (_, make) => {
  const [key, other] = [make(), make()];
  const memo = createMemo<object, number>();
  expect(memo.get(key)).toBeUndefined();
  memo.set(key, 1);
  memo.set(key, 2);
  expect(memo.get(key)).toBe(2);
  expect(memo.get(other)).toBeUndefined();
});

test('two memos keep separate values for one object, without visible properties', () => {
  const key = { a: 1 };
  const [one, two] = [createMemo<object, string>(), createMemo<object, string>()];
  one.set(key, 'one');
  expect(two.get(key)).toBeUndefined();
  two.set(key, 'two');
  expect([one.get(key), two.get(key)]).toEqual(['one', 'two']);
  expect(Reflect.ownKeys(key)).toEqual(['a']);
  expect(JSON.stringify({ ...key })).toBe('{"a":1}');
});

test('undefined is not a value', () => {
  const memo = createMemo<object, undefined>();
  const key = {};
  memo.set(key, undefined);
  expect(memo.get(key)).toBeUndefined();
});
