import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  compareLists,
  fictionalList,
  identityHash,
  listedEntry,
  parseList,
  parsePersons,
  personsNotIn,
  serializeList,
} from '../../../src/domain/screening/index.ts';

const persons = fictionalList.map(listedEntry);
const [first, second, ...others] = persons;
if (first === undefined || second === undefined) throw new Error('the list is too short');
const bulky = { ...first, furtherInformation: ['ó'.repeat(400_000)] };
const contentOf = (list: typeof persons) => parseList(serializeList(list));

test('a list survives serialization', () => {
  const content = contentOf(persons);
  expect(content.count).toBe(persons.length);
  expect(persons.map((_, at) => content.person(at))).toEqual(persons);
  const [found] = content.index.search(
    { originalName: first.names[0]?.text ?? '' },
    { leastRate: 90, limit: 1 },
  );
  expect(found?.number).toBe(0);
});

test('persons can be read without the index, and their bytes are their JSON', () => {
  const accented = { ...first, key: 'é😀', names: [{ text: 'Ó 金', kind: 'primary' as const }] };
  const list = [first, accented, ...Array.from({ length: 9 }, () => bulky)];
  const found = parsePersons(serializeList(list));
  expect(list.map((_, at) => found.person(at))).toEqual(list);
  expect(Buffer.from(found.bytes(1)).toString()).toBe(JSON.stringify(accented));
});

test('bytes truncated or changed in the index are rejected', () => {
  const bytes = serializeList(persons);
  for (const length of [0, 20, 200, bytes.length / 2]) {
    expect(() => parseList(bytes.slice(0, length))).toThrow('expected');
  }
  const changed = bytes.slice();
  const middle = 16 + 16 + 8 * (persons.length + 1) + 200;
  changed[middle] = (changed[middle] as number) ^ 1;
  expect(() => parseList(changed)).toThrow('expected an index');
});

test('a list with an index of a different engine is searched with a rebuilt index', () => {
  const bytes = Buffer.from(serializeList(persons));
  const index = 16 + 16 + 8 * (persons.length + 1);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(24, true);
  bytes.write('names-0', index + 48, 'latin1');
  const body = bytes.subarray(index + 48, index + length);
  createHash('sha256')
    .update(body)
    .digest()
    .copy(bytes, index + 16);
  const query = { originalName: first.names[0]?.text ?? '' };
  const options = { leastRate: 60, limit: 9 };
  const found = parseList(bytes).index.search(query, options);
  expect(found).toEqual(contentOf(persons).index.search(query, options));
  expect(found.length).toBeGreaterThan(0);
});

describe('the comparison of two versions of a list', () => {
  const more = { ...first, key: 'new' };
  const renamed = { ...second, names: [{ text: 'Quite Another', kind: 'primary' as const }] };
  const moved = { ...first, primaryLocation: 'elsewhere' };

  test('uses the keys of the persons', () => {
    const delta = compareLists(contentOf(persons), contentOf([moved, renamed, more]));
    expect(delta.added).toEqual([more]);
    expect(delta.changed).toEqual([
      { person: moved, isIdentityChanged: false },
      { person: renamed, isIdentityChanged: true },
    ]);
    expect(delta.removed).toEqual(others);
  });

  test('ignores the order of persons', () => {
    expect(compareLists(contentOf(persons), contentOf([...persons].reverse()))).toEqual({
      ...{ added: [], changed: [], removed: [] },
    });
  });

  test('copes with many equal persons', () => {
    const copies = Array.from({ length: 40 }, () => first);
    expect(compareLists(contentOf(copies), contentOf(copies)).changed).toEqual([]);
    expect(personsNotIn(contentOf(copies), contentOf([...copies, second]))).toEqual([]);
    expect(personsNotIn(contentOf([second, first]), contentOf(copies))).toEqual([0]);
  });

  test('ignores the order of names, dates and countries', () => {
    const births = [{ from: '1960' }, { from: '1961-02-03' }];
    const known = { ...first, births, countries: ['IS', 'NO'] };
    const turned = {
      ...known,
      names: [...known.names].reverse(),
      births: [...births].reverse(),
      countries: ['NO', 'IS'],
    };
    expect(identityHash(turned)).toBe(identityHash(known));
    expect(identityHash({ ...known, gender: 'Female' })).not.toBe(identityHash(known));
  });
});
