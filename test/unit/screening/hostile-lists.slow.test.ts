import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/domain/screening/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const read = (text: string) => readList([{ name: 'list', content: Buffer.from(text) }]);
const popolo = (person: string) => `{"persons":[${person}]}`;
const ftm = (more: string) => `{"id":"a","schema":"Person",${more}}`;

describe('malformed JSON lists are rejected with their code', () => {
  test.each([
    ['other names that are not an array', popolo('{"id":"a","name":"A B","other_names":5}')],
    ['an alternative name that is null', popolo('{"id":"a","name":"A B","other_names":[null]}')],
    ['a name that is an array', popolo('{"id":"a","name":["A B"]}')],
    ['a given name that is an object', popolo('{"id":"a","name":"A B","given_name":{}}')],
    ['a nationality that is an array', popolo('{"id":"a","name":"A","national_identity":[]}')],
    ['an ID that is an object', popolo('{"id":{"a":1},"name":"A B"}')],
    ['a person that is an array', popolo('["A B"]')],
    ['properties that are null', ftm('"properties":null')],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrowError(
      expect.objectContaining({ code: 'screening.list.invalid' }),
    );
  });

  test('for null in place of a list', () => {
    const files = [{ name: 'list', content: Buffer.from('null') }];
    for (const format of ['popolo-json', 'ftm-json'] as const) {
      expect(() => readList(files, format)).toThrowError(
        expect.objectContaining({ code: 'screening.list.invalid' }),
      );
    }
  });
});

test('null means unknown, and numbers are accepted as values', () => {
  const [person] = read(
    popolo('{"id":7,"name":"A B","other_names":null,"birth_date":1960,"death_date":null}'),
  ).entries;
  expect(person).toMatchObject({ key: '7', births: [{ from: '1960' }] });
  expect(person?.isDeceased).toBeUndefined();
});

test('names of Object.prototype are not a schema, topic or data set', () => {
  const one = ftm('"datasets":[{"toString":1}],"properties":{"name":["A B"],"topics":["TOPIC"]}}');
  for (const topic of ['constructor', '__proto__', 'toString.x']) {
    const [person] = read(one.slice(0, -1).replace('TOPIC', topic)).entries;
    expect(person?.categories).toEqual(['POI']);
  }
  const other = '{"id":"a","schema":"constructor","properties":{"name":["A B"]}}';
  expect(() => read(other)).toThrow('found none');
  const head = 'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions';
  const { entries } = read(`${head}\n1,constructor,A B,,,,,,x\n`);
  expect(entries).toMatchObject([{ subject: 'other' }]);
});

test('a key that occurs 100 000 times takes linear time', () => {
  const one = '<INDIVIDUAL><DATAID>7</DATAID><FIRST_NAME>A</FIRST_NAME></INDIVIDUAL>';
  const all = `<INDIVIDUALS>${one.repeat(100_000)}</INDIVIDUALS>`;
  const { entries } = read(`<CONSOLIDATED_LIST>${all}</CONSOLIDATED_LIST>`);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(100_000);
  expect(entries.slice(0, 3).map(({ key }) => key)).toEqual(['7', '7#2', '7#3']);
}, 20_000);

test('a long text instead of a date is ignored in linear time', () => {
  const date = `1960${' '.repeat(50_000)}x`;
  const startMs = cpuMs();
  const [person] = read(popolo(`{"id":"a","name":"A B","birth_date":"${date}"}`)).entries;
  expect(person?.births).toEqual([]);
  expect(cpuMs() - startMs).toBeLessThan(1_000);
});

describe("a list in the project's CSV format", () => {
  const own = (cells: string) => `category,last_name,date_of_birth,aliases\n${cells}`;

  test('distinguishes two persons with the same name and birth date', () => {
    const { entries } = read(own('PEP,A,1960\nPEP,A,1960\n'));
    expect(entries.map(({ key }) => key)).toEqual(['A/1960', 'A/1960#2']);
  });

  test('rejects too many aliases and overlong ones instead of dropping them', () => {
    const aliases = (count: number) => Array.from({ length: count }, (_, at) => `b${at}`).join(';');
    expect(read(own(`PEP,A,,${aliases(20)}`)).entries[0]?.names).toHaveLength(21);
    expect(() => read(own(`PEP,A,,${aliases(21)}`))).toThrow('aliases: expected at most 20');
    expect(() => read(own(`PEP,A,,${'b'.repeat(401)}`))).toThrow('aliases: expected at most 400');
  });
});
