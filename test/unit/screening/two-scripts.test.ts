import { expect, test } from 'vitest';
import { comparePerson } from '../../../src/domain/screening/index.ts';
import { phonesOf } from '../../../src/domain/screening/names/phones.ts';

const rateOf = (originalName: string, text: string) =>
  comparePerson(
    { originalName },
    { names: [{ text, kind: 'primary' }], births: [], countries: [] },
  );

test.each([
  ['Джон Леннон', 'John Lennon'],
  ['Чарльз Дарвин', 'Charles Darwin'],
  ['Хиллари Клинтон', 'Hillary Clinton'],
  ['Хо Ши Мин', 'Ho Shi Min'],
  ['박찬호', 'Park Chan Ho'],
  ['طارق رمضان', 'Tariq Ramadan'],
])('%s matches %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThan(77);
  expect(rateOf(listed, query)).toBeGreaterThan(77);
});

test.each([
  ['Джейн Остин', 'Ian Stone'],
  ['Чарльз Дарвин', 'Carlos Moreno'],
  ['박찬호', 'Kim Chan Woo'],
  ['طارق رمضان', 'Tamer Ramzi'],
])('%s does not match %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeLessThan(75);
});

test.each([
  ['dzhuli', 'Juli'],
  ['schmidt', 'Smidt'],
  ['khalid', 'xalid'],
  ['woo', 'wu'],
])('%s sounds like %s', (word, phones) => {
  expect(phonesOf(word)).toBe(phones);
});
