import { describe, expect, test } from 'vitest';
import {
  buildNameIndex,
  type ListedIdentity,
  nearTo,
  type PersonQuery,
} from '../../../src/domain/screening/index.ts';

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

/** Places of those who are near. */
function findNearPersons(persons: readonly ListedIdentity[], queries: readonly PersonQuery[]) {
  const isNear = nearTo(persons);
  return queries.flatMap((query, at) => (isNear(query) ? [at] : []));
}

const others = ['Anna Lindqvist', 'Pedro Gomes Silva', 'Jón Jónsson', 'Li Wei'];

describe('persons near those who were listed anew or changed', () => {
  test.each([
    ['the same name', 'Viktor Drakmenov', 'Viktor Drakmenov'],
    ['another spelling', 'Wiktor Drakmenof', 'Viktor Drakmenov'],
    ['family name first', 'Drakmenov Viktor', 'Viktor Drakmenov'],
    ['two words for one', 'Abdul Rahman', 'Abdelrahman'],
    ['two words for one of two', 'Abdul Jalil', 'Abou Abdeljalil'],
    ['another script', 'Виктор Дракменов', 'Viktor Drakmenov'],
  ])('%s', (_, name, onList) => {
    const queries = [...others, name].map((originalName) => ({ originalName }));
    expect(findNearPersons([listed('Kim Il Song'), listed(onList)], queries)).toEqual([4]);
  });

  test('whoever a screening finds among all who are listed is near', () => {
    const list = ['Viktor Drakmenov', 'Abdelrahman', 'Abou Abdeljalil', 'Ahmad Haji', 'Sheik Omar'];
    const persons = list.map((name) => listed(name));
    const names = ['Abdul Rahman', 'Abdul Jalil', 'Mr Omari', 'Sheikh Ahmed', ...others, ...list];
    const queries = names.map((originalName) => ({ originalName }));
    const whole = buildNameIndex(persons);
    persons.forEach((person, number) => {
      const near = new Set(findNearPersons([person], queries));
      queries.forEach((query, at) => {
        const found = whole.search(query, { leastRate: 75, limit: 100 });
        if (found.some((match) => match.number === number)) expect(near).toContain(at);
      });
    });
  });

  test('every name of a listed person counts, and parts of a name are one name', () => {
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

  test('nobody is near when nothing has changed', () => {
    expect(findNearPersons([], [{ originalName: 'Viktor Drakmenov' }])).toEqual([]);
  });
});
