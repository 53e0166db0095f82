import { expect, test } from 'vitest';
import { comparePerson } from '../../../src/domain/screening/index.ts';
import { alikeNames } from './alike-names.table.ts';
import { otherNames } from './other-names.table.ts';

/**
 * The rate of each pair in both directions: the lower one for the same person, the higher one for
 * two persons.
 */
function ratesOf(pairs: readonly string[], worse: (a: number, b: number) => number) {
  return pairs.map((pair) => {
    const [one = '', other = ''] = pair.split(' | ');
    const rate = (query: string, text: string) =>
      comparePerson(
        { originalName: query },
        { names: [{ text, kind: 'primary' }], births: [], countries: [] },
      );
    return { pair, rate: worse(rate(one, other), rate(other, one)) };
  });
}

const alike = ratesOf(alikeNames, Math.min);
const others = ratesOf(otherNames, Math.max);
const named = (rates: readonly { pair: string; rate: number }[]) =>
  rates.map(({ pair, rate }) => `${rate} ${pair}`).join('\n');

test('nine in ten pairs of names of one person match', () => {
  const missed = alike.filter(({ rate }) => rate < 75);
  expect(alike.length).toBeGreaterThan(200);
  expect(missed.length / alike.length, named(missed)).toBeLessThan(0.1);
});

test('four in five pairs of easily confused names do not match', () => {
  const taken = others.filter(({ rate }) => rate >= 75);
  expect(others.length).toBeGreaterThan(300);
  expect(taken.length / others.length, named(taken)).toBeLessThan(0.21);
});

test('names of one person are rated above those of two persons in most comparisons', () => {
  let above = 0;
  for (const one of alike) {
    for (const other of others) {
      above += one.rate > other.rate ? 1 : one.rate === other.rate ? 0.5 : 0;
    }
  }
  expect(above / (alike.length * others.length)).toBeGreaterThan(0.9);
});
