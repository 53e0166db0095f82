import { expect, test } from 'vitest';
import { buildNameIndex, comparePerson, nearTo } from '../../../src/domain/screening/index.ts';
import {
  likenessOfSpellings,
  otherSpellings,
} from '../../../src/domain/screening/names/korean-in-latin.ts';

const listed = (text: string) => ({
  names: [{ text, kind: 'primary' as const }],
  births: [],
  countries: [],
});
const rateIn = (query: string, texts: readonly string[]) =>
  buildNameIndex(texts.map(listed))
    .search({ originalName: query }, { leastRate: 75, limit: 5 })
    .find(({ number }) => number === 0)?.rate ?? 0;

test.each([
  ['Roh Moo-hyun', 'No Mu Hyon', 'n and u'],
  ['Yoo Kwan-soon', 'Ryu Gwan Sun', 'an r that is not read'],
  ['Lim Kwon-taek', 'Im Gwon Taek', 'an l that is not read'],
  ['Woo Sang-ho', 'U Sang Ho', 'a word of one letter'],
  ['Kang Hee-gyu', 'Kang Hui Kyu', 'ui'],
])('%s matches %s in both directions: %s', (one, other) => {
  for (const [query, text] of [
    [one, other],
    [other, one],
  ] as const) {
    const rate = rateIn(query, [text]);
    expect(rate).toBeGreaterThan(75);
    expect(comparePerson({ originalName: query }, listed(text))).toBe(rate);
    const { rarity } = buildNameIndex([listed(text)]);
    expect(nearTo([listed(text)], rarity)({ originalName: query })).toBe(true);
  }
});

test.each([
  ['Kim Min-su', 'Kim Min-ho'],
  ['Park Ji-won', 'Pak Chi Hun'],
  ['Lee Sang-hee', 'Yi Sang Kyu'],
])('%s does not match %s', (one, other) => {
  expect(rateIn(one, [other])).toBe(0);
});

test('spellings of one syllable are similar in both directions, those of two are not', () => {
  expect(otherSpellings('roh')).toContain('no');
  expect(likenessOfSpellings('roh', 'no')).toBe(likenessOfSpellings('no', 'roh'));
  expect(likenessOfSpellings('roh', 'no')).toBeGreaterThan(0.9);
  expect(likenessOfSpellings('min', 'su')).toBe(0);
  expect(otherSpellings('margaret').size).toBe(0);
  expect(likenessOfSpellings('margaret', 'min')).toBe(0);
});

/** Many persons with the family name: persons without a further common word are not compared. */
const crowd = Array.from({ length: 300 }, (_, at) => {
  const letter = (each: number) => 'abcdefghij'.charAt(each % 10);
  return `Cao ${letter(at)}ol${letter(at / 10)}rem${letter(at / 100)}id`;
});

test.each([
  ['Cao Hai Bin', 'Cao Haibin'],
  ['Cao Jun De', 'Cao Junde'],
])('%s matches %s in a crowd, although its last word is often omitted', (query, text) => {
  expect(rateIn(query, [text, ...crowd])).toBeGreaterThan(75);
});

test('a name with initial y matches one with initial j and vice versa', () => {
  expect(rateIn('Rodion Yagudin', ['Rodion Jagudin'])).toBeGreaterThan(75);
  expect(rateIn('Rodion Jagudin', ['Rodion Yagudin'])).toBeGreaterThan(75);
});
