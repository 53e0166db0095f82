import { describe, expect, test } from 'vitest';
import { buildNameIndex, comparePerson } from '../../../src/domain/screening/index.ts';
import { wordsOf } from '../../../src/domain/screening/names/words.ts';

const listed = (text: string) => ({
  names: [{ text, kind: 'primary' as const }],
  births: [],
  countries: [],
});
const rateIn = (query: string, text: string) =>
  buildNameIndex([listed(text)]).search({ originalName: query }, { leastRate: 75, limit: 5 })[0]
    ?.rate ?? 0;

describe('national spellings match in both directions', () => {
  test.each([
    ['Cabdiraxmaan Cumar', 'Abdirahman Omar', 'letters of Somalia'],
    ['Aleksandrs Petuhovs', 'Aleksandr Petuhov', 'endings of Latvia'],
    ['Viktoras Sidorovas', 'Viktor Sidorov', 'endings of Lithuania'],
    ['Juris Brodskis', 'Juris Brodski', 'an ending of Poland in Latvia'],
    ['Homa Rostamzadeh', 'Homa Rostam-zada', 'zadeh and zada'],
    ['Anwar Alokozay', 'Anwar Alokozai', 'zay and zai'],
    ['Zhukovsky Yu. M.', 'Yuri Maksimovich Zhukovsky', 'an initial of two letters'],
    ['Shch. Kh. Orlova', 'Shchedra Khristoforovna Orlova', 'initials of more letters'],
    ['Ritwik Mukhopadhyay', 'Ritwik Mukherjee', 'two forms of a family name of Bengal'],
    ['Haim Galanter', 'Chaim Galanter', 'het of Hebrew'],
  ])('%s and %s: %s', (one, other) => {
    expect(rateIn(one, other)).toBeGreaterThanOrEqual(75);
    expect(rateIn(other, one)).toBeGreaterThanOrEqual(75);
    expect(comparePerson({ originalName: one }, listed(other))).toBeGreaterThanOrEqual(75);
  });
});

test.each([
  ['Viktoras Sidorovas', ['viktor', 'sidorov']],
  // A word that is a name by itself keeps its ending, and so do names next to other family names.
  ['Thomas Sidorovs', ['thomas', 'sidorov']],
  ['Viktoras Olsen', ['viktoras', 'olsen']],
  ['Yu Li. Olsen', ['yu', 'li', 'olsen']],
  ['Yu. Olsen', ['y', 'olsen']],
  ['Camila Xavier', ['camila', 'xavier']],
])('%s is split into words', (name, words) => {
  expect(wordsOf(name).map(({ text }) => text)).toEqual(words);
});

test.each([
  ['Cali Warsame', 'Cumar Warsame'],
  ['Ivans Petuhovs', 'Igors Petuhovs'],
  ['Ritwik Mukherjee', 'Ritwik Banerjee'],
])('%s does not match %s', (one, other) => {
  expect(rateIn(one, other)).toBe(0);
});
