import { describe, expect, test } from 'vitest';
import {
  buildNameIndex,
  compareLists,
  type ListContent,
  type ListedIdentity,
  type ListedPerson,
  nearTo,
  type PersonQuery,
  parseList,
  serializeList,
} from '../../../src/domain/screening/index.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

function listed(...texts: readonly string[]): ListedIdentity {
  const [first = '', ...aliases] = texts;
  return {
    names: [
      { text: first, kind: 'primary' },
      ...aliases.map((text) => ({ text, kind: 'alias' }) as const),
    ],
    births: [],
    countries: [],
  };
}

/** Positions of the near persons. */
function findNearPersons(
  persons: readonly ListedIdentity[],
  queries: readonly PersonQuery[],
  among = buildNameIndex(persons),
) {
  const isNear = nearTo(persons, among.rarity);
  return queries.flatMap((query, at) => (isNear(query) ? [at] : []));
}

const others = ['Anna Lindqvist', 'Pedro Gomes Silva', 'Jón Jónsson', 'Li Wei'];

describe('persons near an added or changed entry', () => {
  test.each([
    ['have the same name', 'Viktor Drakmenov', 'Viktor Drakmenov'],
    ['have a different spelling', 'Wiktor Drakmenof', 'Viktor Drakmenov'],
    ['have the family name first', 'Drakmenov Viktor', 'Viktor Drakmenov'],
    ['have two words for one', 'Abdul Rahman', 'Abdelrahman'],
    ['have two words for one of two', 'Abdul Jalil', 'Abou Abdeljalil'],
    ['have a name in a different script', 'Виктор Дракменов', 'Viktor Drakmenov'],
  ])('%s', (_, name, onList) => {
    const queries = [...others, name].map((originalName) => ({ originalName }));
    expect(findNearPersons([listed('Kim Il Song'), listed(onList)], queries)).toEqual([4]);
  });

  test('include everyone that a screening finds', () => {
    const list = ['Viktor Drakmenov', 'Abdelrahman', 'Abou Abdeljalil', 'Ahmad Haji', 'Sheik Omar'];
    const persons = list.map((name) => listed(name));
    const names = ['Abdul Rahman', 'Abdul Jalil', 'Mr Omari', 'Sheikh Ahmed', ...others, ...list];
    const queries = names.map((originalName) => ({ originalName }));
    const whole = buildNameIndex(persons);
    persons.forEach((person, number) => {
      const near = new Set(findNearPersons([person], queries, whole));
      queries.forEach((query, at) => {
        const found = whole.search(query, { leastRate: 75, limit: 100 });
        if (found.some((match) => match.number === number)) expect(near).toContain(at);
      });
    });
  });

  test('are found by each name of the entry, and parts of a name are one name', () => {
    const queries = [
      { firstName: 'Viktor', lastName: 'Drakmenov', dateOfBirth: '1990-01-01' },
      { firstName: 'Viktor', middleName: 'Ivan', lastName: 'Drakmenov' },
      { firstName: 'Anna', lastName: 'Lindqvist' },
      { originalName: 'Viktor Drakmenov' },
    ];
    expect(findNearPersons([listed('Petr Volkov', 'Viktor Drakmenov')], queries)).toEqual([
      0, 1, 3,
    ]);
  });

  test('are none if nothing has changed', () => {
    expect(findNearPersons([], [{ originalName: 'Viktor Drakmenov' }])).toEqual([]);
  });

  test('include everyone whose result changes, for random lists and names', () => {
    let found = 0;
    const list = fc.uniqueArray(fc.tuple(fc.nat(20), aName, aName), {
      ...{
        minLength: 12,
        maxLength: 21,
        selector: ([key]: readonly [number, string, string]) => key,
      },
    });
    fc.assert(
      fc.property(
        list,
        list,
        fc.array(aName, { minLength: 30, maxLength: 30 }),
        (before, after, names) => {
          const [from, to] = [before, after].map((rows) =>
            parseList(serializeList(rows.map(([key, ...texts]) => personOf(key, texts)))),
          ) as [ListContent, ListContent];
          const { added, changed, removed } = compareLists(from, to);
          const others = changed
            .filter((each) => each.isIdentityChanged)
            .map((each) => each.person);
          const isNear = nearTo([...added, ...others], to.index.rarity);
          const touched = new Set(
            [...changed.map(({ person }) => person), ...removed].map(({ key }) => key),
          );
          for (const originalName of names) {
            const [was, is] = [matchesOf(from, originalName), matchesOf(to, originalName)];
            const isTouched = was.some(({ key }) => touched.has(key));
            const hasChanged = JSON.stringify(was) !== JSON.stringify(is);
            found += hasChanged ? 1 : 0;
            const isConcerned = isTouched || isNear({ originalName });
            // A person who is not affected keeps the recorded result.
            if (!isConcerned) expect([originalName, is]).toEqual([originalName, was]);
          }
        },
      ),
      { numRuns: runs(120) },
    );
    expect(found).toBeGreaterThan(runs(300));
  });

  test('include everyone that a screening finds in lists of different words and scripts', () => {
    fc.assert(
      fc.property(fc.array(aName, { minLength: 30, maxLength: 60 }), aName, (names, query) => {
        const persons = names.map((name) => listed(name));
        const whole = buildNameIndex(persons);
        const found = whole.search({ originalName: query }, { leastRate: 70, limit: 100 });
        for (const { number } of found) {
          const near = findNearPersons([persons[number] as ListedIdentity], [q(query)], whole);
          expect([query, names[number], near]).toEqual([query, names[number], [0]]);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});

const q = (originalName: string): PersonQuery => ({ originalName });

const syllables = 'ab du ra hman vik tor ka rim jo hn mo ha med al bin li s na el j'.split(' ');
const aSpelling = fc
  .array(fc.constantFrom(...syllables), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const aWord = fc.oneof(
  { weight: 4, arbitrary: aSpelling },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...'Abdul Rahman Abdelrahman Abdulrahman Viktor Wiktor John Jon Johnny Mohamed'.split(' '),
      ...'Muhammad Mohammed al bin van Abu Bakr Abubakr J K Dr Catherine Kate Liz'.split(' '),
      ...['\u0645\u062d\u0645\u062f', '\u0639\u0628\u062f', '\u0412\u0438\u043a\u0442\u043e\u0440'],
      ...['J\u00f3n', 'Elizabeth', 'Rehman', 'Karim', 'Kareem', 'Abd', 'el', 'Rahmani'],
    ),
  },
);
const aName = fc.array(aWord, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

function personOf(key: number, texts: readonly string[]): ListedPerson {
  return {
    ...listed(...texts),
    ...{ key: String(key), subject: 'person', categories: [], firstName: '', lastName: '' },
  };
}

/** The part of a customer's screening that is stored. */
function matchesOf({ index, person }: ListContent, originalName: string) {
  return index
    .search({ originalName }, { leastRate: 75, limit: 500 })
    .map(({ number, rate }) => ({ key: person(number).key, rate }))
    .sort((a, b) => Number(a.key) - Number(b.key));
}
