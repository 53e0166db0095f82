import { expect, test } from 'vitest';
import {
  buildNameIndex,
  comparePerson,
  type ListedIdentity,
} from '../../../src/domain/screening/index.ts';

const person = (...names: readonly string[]): ListedIdentity => ({
  names: names.map((text) => ({ text, kind: 'primary' })),
  births: [],
  countries: [],
});

/** The rate of a comparison and of an index, which are equal. */
function rateOf(originalName: string, ...names: readonly string[]): number {
  const alone = comparePerson({ originalName }, person(...names));
  const index = buildNameIndex([person(...names)]);
  const [match] = index.search({ originalName }, { leastRate: 1, limit: 1 });
  expect(match?.rate).toBe(alone);
  return alone;
}

test.each([
  ['Makki Kadhim', 'Makki Kazim'],
  ['Ahmed Tschataev', 'Ahmed Chatayev'],
  ['Karel Mahmood', 'Karel Mahmud'],
  ['Saeed Dikiy', 'Said Dykyy'],
])('spellings of one sound match: %s and %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThanOrEqual(80);
});

test.each([
  ['Karel Kovacs', 'Karel Kowalski'],
  ['Ahmed Tschataev', 'Ahmed Karataev'],
  ['Makki Kadhim', 'Makki Qasir'],
])('names that sound different do not match: %s and %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeLessThan(75);
});

test.each([
  ['J R', 'J Ross'],
  ['A B', 'Ahmed bin'],
  ['A B', 'Anna Bera'],
])('initials and particles alone do not match: %s and %s', (query, listed) => {
  expect(comparePerson({ originalName: query }, person(listed))).toBeLessThan(75);
});

test.each([
  ['J R', 'J R', 100],
  ['J Ross', 'Jane Ross', 85],
  ['Li R', 'Li Rong', 75],
])('an initial next to an equal name matches: %s and %s', (query, listed, least) => {
  expect(rateOf(query, listed)).toBeGreaterThanOrEqual(least);
});

test('a different script counts less if the person also has a Latin name', () => {
  const [query, other] = ['Sarah Newton', 'أنطوان زهرا'];
  expect(rateOf(query, other, 'Karim Bekri')).toBeLessThan(rateOf(query, other) - 4);
});

test('a name in two scripts keeps its rate for a query in either script', () => {
  expect(rateOf('Tariq Ramadan', 'طارق رمضان', 'Tariq Ramadan')).toBe(100);
  expect(rateOf('طارق رمضان', 'طارق رمضان', 'Tariq Ramadan')).toBe(100);
});

test('a name only in a different script keeps its full rate', () => {
  const [query, other] = ['Khaled Mansouri', 'خالد المنصوري'];
  expect(rateOf(query, other)).toBe(rateOf(query, other, 'حسن الكردي'));
  expect(rateOf(query, other)).toBeGreaterThanOrEqual(85);
});

test('different syllables cost more than different letters', () => {
  const same = rateOf('김성훈', 'Kim Seong Hun');
  const other = rateOf('김성훈', 'Kim Sang Hoon');
  expect(same - other).toBeGreaterThan(5);
  expect(same).toBeGreaterThanOrEqual(90);
});

const many = buildNameIndex(
  [
    ...['Tariq Aziz', 'Fawzia Koofi', 'Amir Abdullah', 'Yar Mohammad Rahimi', 'Hidayatullah'],
    ...['Hasan Ilyaz', 'Heidi Hautala', 'Roger Price', 'Makki Kazim', 'Ramadhan Karimi'],
  ].map((text) => person(text)),
);

test.each([
  ['طارق عزيز', 0],
  ['فوزیه کوفی', 1],
  ['امیر عبد الله', 2],
  ['یار محمد رحیمی', 3],
  ['هدايت الله', 4],
])('the index finds words of few consonants without vowels: %s', (originalName, number) => {
  const [match] = many.search({ originalName }, { leastRate: 75, limit: 3 });
  expect(match?.number).toBe(number);
});

test.each([
  ['Хасан Илияз', 5],
  ['Хейди Хаутала', 6],
  ['Роджер Прайс', 7],
  ['Makki Kadhim', 8],
  ['Ramazan Karimi', 9],
])('the index finds words by alternative readings of letters: %s', (originalName, number) => {
  const [match] = many.search({ originalName }, { leastRate: 75, limit: 3 });
  expect(match?.number).toBe(number);
});

test.each(['طاهر كريم', 'Петър Стоянов', 'Makki Qasir'])(
  'the index finds no one for %s',
  (name) => {
    expect(many.search({ originalName: name }, { leastRate: 75, limit: 3 })).toEqual([]);
  },
);
