import { expect, test } from 'vitest';
import { comparePerson } from '../../../src/domain/screening/index.ts';
import { wordsOf } from '../../../src/domain/screening/names/words.ts';

const rateOf = (originalName: string, text: string) =>
  comparePerson(
    { originalName },
    { names: [{ text, kind: 'primary' }], births: [], countries: [] },
  );

test.each([
  ['Abdurrahman', 'abdul rahman'],
  ['Abd al-Rahman', 'abdul rahman'],
  ['Abdelkrim', 'abdul krim'],
  ['عبدالكريم', 'abdul krym'],
  ['Abd Allah', 'abdullah'],
  ['عبد الله', 'abdullah'],
  ['Abdullayev', 'abdullayev'],
  ['Aboubacar', 'abu bacar'],
  ['Nasrullah', 'nasr ullah'],
  ['Nureddin', 'nur uddin'],
  ['Nur al-Din', 'nur uddin'],
  ['Borodin', 'borodin'],
  ['Jamilah', 'jamilah'],
])('%s is split into %s', (name, words) => {
  expect(
    wordsOf(name)
      .map(({ text }) => text)
      .join(' '),
  ).toBe(words);
});

test.each([
  ['نصر الله قادري', 'Nasrullah Qadiri'],
  ['عبد الكريم ظاهر', 'Abdul Karim Zahir'],
  ['Salahuddin Karimi', 'Salah al-Din Karimi'],
  ['John Smith, Baron Smith of Kent', 'John Smith'],
])('%s matches %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThan(84);
  expect(rateOf(listed, query)).toBeGreaterThan(84);
});

test.each([
  ['文 陈', 'Wayne Swan'],
  ['Arthur Haney', 'Arthur'],
  ['Abdul Karim', 'Abdul Latif'],
  ['اسرا زمانی', 'Usman Mohammed'],
])('%s does not match %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeLessThan(75);
});
