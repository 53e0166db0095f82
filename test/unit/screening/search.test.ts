import { describe, expect, test } from 'vitest';
import { parseNameIndex, serializeNames } from '../../../src/domain/screening/index/name-index.ts';
import {
  buildNameIndex,
  comparePerson,
  fictionalList,
  joinNameIndexes,
  type ListedIdentity,
  listedEntry,
  type PersonQuery,
} from '../../../src/domain/screening/index.ts';
import { anyCharacter, fc } from '../../support/property.ts';

const persons = fictionalList.map(listedEntry);
const index = buildNameIndex(persons);
const options = { leastRate: 75, limit: 10 };

/** The rate of a query against a person with one name. */
function rate(originalName: string, text: string): number {
  const names = [{ text, kind: 'primary' }] as const;
  return comparePerson({ originalName }, { names, births: [], countries: [] });
}

describe('the rate of two names', () => {
  test.each([
    ['the same', 'Ólafur Njálsson', 'Ólafur Njálsson', 100, 100],
    ['without marks', 'Olafur Njalsson', 'Ólafur Njálsson', 100, 100],
    ['family name first', 'Njálsson Ólafur', 'Ólafur Njálsson', 90, 99],
    ['family name before a comma', 'NJÁLSSON, Ólafur', 'Ólafur Njálsson', 100, 100],
    ['a middle name left out', 'Karel Dvorsky', 'Karel Bohumil Dvorsky', 80, 99],
    ['an additional middle name', 'Karel Bohumil Dvorsky', 'Karel Dvorsky', 75, 95],
    ['a typing error', 'Karel Dvorskz', 'Karel Dvorsky', 85, 99],
    ['swapped letters', 'Krael Dvorsky', 'Karel Dvorsky', 80, 99],
    ['an initial', 'K Dvorsky', 'Karel Dvorsky', 75, 97],
    ['initials without spaces', 'KB Dvorsky', 'Karel Bohumil Dvorsky', 75, 97],
    ['a short form', 'Bill Thorne', 'William Thorne', 80, 97],
    ['two words joined', 'Annamaria Benko', 'Anna Maria Benko', 90, 99],
    ['one word split', 'Anna Maria Benko', 'Annamaria Benko', 90, 99],
    ['a hyphen', 'Anna-Maria Benko', 'Anna Maria Benko', 100, 100],
    ['a title', 'Dr. Karel Dvorsky', 'Karel Dvorsky', 100, 100],
    ['Cyrillic', 'Виктор Драгунов', 'Viktor Dragunov', 95, 100],
    ['Greek', 'Γιώργος Παππάς', 'Giorgos Pappas', 85, 100],
    ['Arabic with its article', 'خالد المنصوري', 'Khaled al-Mansouri', 75, 99],
    ['another spelling of Arabic', 'Khalid el Mansoury', 'Khaled al-Mansouri', 80, 99],
    ['son of', 'Omar bin Tariq', 'Omar ibn Tariq', 90, 100],
    ['digits instead of letters', 'K4rel Dv0rsky', 'Karel Dvorsky', 100, 100],
    ['letters of a different alphabet', 'Каrel Dvоrsky', 'Karel Dvorsky', 100, 100],
    ['invisible characters', 'Ka\u200brel Dvor\u00adsky', 'Karel Dvorsky', 100, 100],
  ])('is within bounds for "%s": %s and %s', (_, query, name, least, most) => {
    const found = rate(query, name);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(most);
  });

  test.each([
    ['a different family name', 'Karel Novotny', 'Karel Dvorsky'],
    ['a different given name', 'Bedrich Dvorsky', 'Karel Dvorsky'],
    ['a different middle initial', 'Karel B. Dvorsky', 'Karel F. Dvorsky'],
    ['only one of three words', 'Karel Hora', 'Karel Bohumil Dvorsky'],
    ['father and son swapped', 'Tariq bin Omar al-Mansouri', 'Omar bin Tariq al-Mansouri'],
    ['one word in common', 'Antonia Ruiz', 'Antonio Perez'],
    ['different syllables', '김영수', '김철민'],
  ])('is low for %s: %s and %s', (_, query, name) => {
    expect(rate(query, name)).toBeLessThan(80);
  });

  test('suffers more from a contradiction than from an omission', () => {
    const left = rate('Karel Dvorsky', 'Karel Bohumil Dvorsky');
    const other = rate('Karel Bedrich Dvorsky', 'Karel Bohumil Dvorsky');
    expect(other).toBeLessThan(left - 10);
  });

  test('counts a weak alias only if it is equal', () => {
    const names = [
      { text: 'Karel Dvorsky', kind: 'primary' },
      { text: 'Grey Wolf', kind: 'alias', isWeak: true },
    ] as const;
    const weak: ListedIdentity = { names, births: [], countries: [] };
    expect(comparePerson({ originalName: 'Grey Wolf' }, weak)).toBe(100);
    expect(comparePerson({ originalName: 'Grey Wolff' }, weak)).toBeLessThan(75);
  });
});

describe('birth, gender and country', () => {
  const person: ListedIdentity = {
    names: [{ text: 'Karel Bohumil Dvorsky', kind: 'primary' }],
    births: [{ from: '1962-03-04' }],
    gender: 'Male',
    countries: ['CZ'],
  };
  const at = (query: PersonQuery, births = person.births) => {
    const asked = { originalName: 'Karel Dvorsky', ...query };
    const one = buildNameIndex([{ ...person, births }]);
    const [match] = one.search(asked, { leastRate: 1, limit: 1 });
    return { rate: match?.rate ?? 0, fields: match?.matchedFields ?? [] };
  };
  const plain = at({}).rate;

  test.each([
    ['the day of birth', [{ from: '1962-03-04' }], 'dateOfBirth'],
    ['the year of birth', [{ from: '1962' }], 'yearOfBirth'],
    ['a range of years', [{ from: '1960', to: '1965' }], 'yearOfBirth'],
    ['an approximate date', [{ from: '1963', isApproximate: true as const }], 'yearOfBirth'],
    ['one of several dates', [{ from: '1950' }, { from: '1962-03-04' }], 'dateOfBirth'],
  ] as const)('raise the rate when %s agrees', (_, births, field) => {
    const found = at({ dateOfBirth: '1962-03-04' }, births);
    expect(found.rate).toBeGreaterThan(plain);
    expect(found.fields).toContain(field);
  });

  test('lower the rate the farther a date is off', () => {
    const dates = ['1962-03-04', '1962-04-03', '1962-11-20', '1964-03-04', '1990-01-01'];
    const rates = dates.map((dateOfBirth) => at({ dateOfBirth }).rate);
    expect(rates).toEqual([...rates].sort((a, b) => b - a));
    expect(new Set(rates).size).toBe(rates.length);
  });

  test('lower the rate for a different gender, but not for a different country', () => {
    expect(at({ gender: 'Female' }).rate).toBeLessThan(plain);
    expect(at({ countryCode: 'IS' }).rate).toBe(plain);
    expect(at({ countryCode: 'cz' }).fields).toContain('country');
  });

  test('yield 100 only if nothing contradicts', () => {
    const name = { originalName: 'Karel Bohumil Dvorsky' };
    expect(comparePerson({ ...name, dateOfBirth: '1962-03-04' }, person)).toBe(100);
    expect(comparePerson({ ...name, dateOfBirth: '1962-04-03' }, person)).toBeLessThan(100);
  });
});

describe('the name index', () => {
  const search = (query: string, ...names: readonly string[]) => {
    const listed = names.map((text): ListedIdentity => {
      return { names: [{ text, kind: 'primary' }], births: [], countries: [] };
    });
    const found = buildNameIndex(listed).search(
      { originalName: query },
      { ...options, limit: 300 },
    );
    return found.map(({ number, rate }) => [names[number], rate] as const);
  };

  test.each([
    ['two words as one, the second misspelt', 'TarwatSelah Abdallah', 'Tarwat Salah Abdallah'],
    ['two words as one, the first misspelt', 'Stefanniaprestigiacomo', 'Stefania Prestigiacomo'],
    [
      'two words as one, one by its sound',
      'Lidya MikhailovnaYermoshyina',
      'Lidya Mikhailovna Yarmoshina',
    ],
    ['a much shorter short form', 'Liz Smith', 'Elizabeth Smith'],
    ['a vowel written with several letters', 'Slih Latif', 'Saleh Latif'],
    ['vowels around a single consonant', 'Hameiah Jamil', 'Hamiyyah Jamil'],
    ['two equal consonants in a script without vowels', 'محمد Gatwech', 'Muhammad Gatwech'],
  ])('finds %s', (_, query, name) => {
    expect(search(query, 'Pedro Gomes', name).map(([found]) => found)).toEqual([name]);
    expect(search(query, name)[0]?.[1]).toBe(rate(query, name));
  });

  test('finds a word written as two whatever the script of the list', () => {
    const found = search('GalinaBalmos', 'Галина Петрова', 'Anna Balmos', 'Galina Balmos');
    expect(found).toEqual([['Galina Balmos', 98]]);
  });

  test('compares names with a frequent word if an initial fits', () => {
    const names = Array.from({ length: 400 }, (_, at) => `Viktor Drak${'bcdfgh'[at % 6]}en`);
    const found = search('Viktor M', ...names, 'Viktor Mober');
    expect(found.map(([name]) => name)).toEqual(['Viktor Mober']);
  });

  test('does not match on initials alone', () => {
    expect(search('Murshid', 'El M', 'Tarik M')).toEqual([]);
    expect(rate('B S', 'Abubaker Shariff')).toBeLessThan(72);
    expect(rate('J K', 'J K')).toBe(100);
  });

  test('finds every person by each name, in any order and case', () => {
    for (const [number, person] of persons.entries()) {
      for (const { text } of person.names) {
        const [same] = index.search({ originalName: text }, options);
        expect(same).toMatchObject({ number, rate: 100 });
        const originalName = text.toUpperCase().split(' ').reverse().join(' ');
        const found = index.search({ originalName }, options);
        expect(found.some((match) => match.number === number && match.rate >= 80)).toBe(true);
      }
    }
  });

  test('reports the matching name and how its parts match', () => {
    const [alias] = index.search({ originalName: 'Wiktor Drakmenof' }, options);
    const name = persons[alias?.number ?? 0]?.names[alias?.nameNumber ?? 0];
    expect(name?.text).toMatch(/Drakmeno/);
    expect(alias?.parts).toHaveLength(2);
    expect(alias?.matchedFields[0]).toMatch(/alias|name/);
    const [more] = index.search({ originalName: 'Viktor Xaver Drakmenov' }, options);
    expect(more?.parts).toContainEqual({ query: 'xaver', how: 'unmatched', likeness: 0 });
  });

  test('returns rates from the minimum to 100 in descending order for any text', () => {
    const least = fc.integer({ min: 1, max: 100 });
    const binary = fc.string({ unit: anyCharacter, maxLength: 300 });
    const text = fc.oneof(binary, fc.string({ unit: 'grapheme', maxLength: 60 }));
    fc.assert(
      fc.property(text, least, (originalName, leastRate) => {
        const rates = index.search({ originalName }, { leastRate, limit: 5 }).map((m) => m.rate);
        expect(rates).toEqual([...rates].sort((a, b) => b - a));
        for (const each of rates) expect(each >= leastRate && each <= 100).toBe(true);
      }),
    );
  });

  test.each([
    ['a name of 10 KB', 'Karel '.repeat(2000)],
    ['one word of 10 KB', 'x'.repeat(10_000)],
    ['ten thousand marks', `a${'\u0301'.repeat(10_000)}`],
    ['half of a surrogate pair', 'Karel \ud800 Dvorsky'],
    ['only punctuation', '\u202e\u200f ,.;()[]'],
    ['an empty text', ''],
  ])('copes with %s', (_, originalName) => {
    expect(index.search({ originalName }, options).length).toBeLessThanOrEqual(10);
  });

  test('survives serialization', () => {
    const other = parseNameIndex(serializeNames(persons));
    for (const { names } of persons) {
      const query = { originalName: names[0]?.text ?? '', dateOfBirth: '1970-01-01' };
      expect(other.search(query, options)).toEqual(index.search(query, options));
    }
  });

  test('rejects changed or truncated bytes', () => {
    const bytes = serializeNames(persons);
    const refused = (changed: Uint8Array) =>
      expect(() => parseNameIndex(changed)).toThrow('expected an index');
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ 1;
      refused(changed);
    }
    for (const length of [0, 10, 100, bytes.length - 1]) refused(bytes.slice(0, length));
  });

  test('joins several indexes with consecutive person numbers', () => {
    const parts = [persons.slice(0, 3), persons.slice(3)].map(buildNameIndex);
    const whole = joinNameIndexes(parts);
    expect(whole.personCount).toBe(persons.length);
    for (const [number, { names }] of persons.entries()) {
      const [found] = whole.search({ originalName: names[0]?.text ?? '' }, options);
      expect(found).toMatchObject({ number, rate: 100 });
    }
  });

  test('finds a name among many that share more words or contradict', () => {
    const named = (text: string) => ({
      ...{ names: [{ text, kind: 'primary' as const }], births: [], countries: [] },
    });
    const syllables = ['bor', 'kel', 'mir', 'tas', 'vun', 'dag', 'hol'];
    const rare = syllables.flatMap((a) =>
      syllables.flatMap((b) => syllables.map((c) => `${a}${b}${c}`)),
    );
    const many = rare.map((text) => named(`Anna Sofia Maria ${text}`));
    const found = buildNameIndex([...many, named('Anna Lind')]).search(
      { originalName: 'Anna Sofia Maria Lind' },
      options,
    );
    expect(found.map(({ number }) => number)).toEqual([many.length]);
  });
});
