import { expect, test } from 'vitest';
import { buildNameIndex, comparePerson } from '../../../src/domain/screening/index.ts';
import {
  familyNames,
  loneNames,
  ownNames,
  slavicNames,
} from '../../../src/domain/screening/names/tables/index.ts';

const named = (text: string) => ({
  names: [{ text, kind: 'primary' as const }],
  births: [],
  countries: [],
});

/** The rate of a comparison and of a search, which are equal. */
function rateOf(query: string, text: string): number {
  const rate = comparePerson({ originalName: query }, named(text));
  const index = buildNameIndex([named(text)]);
  const [found] = index.search({ originalName: query }, { leastRate: 60, limit: 1 });
  expect(found?.rate ?? 0, 'by the index').toBe(rate < 60 ? 0 : rate);
  return rate;
}

test.each([
  ['Hocine Draknour', 'Hussein Draknour'],
  ['Гусейн Дракнур', 'Hossein Draknur'],
  ['Osman Warsame', 'Cusmaan Warsame'],
  ['Nasser Jaafar', 'Naser Cafer'],
  ['Khadija Omar', 'Hatice Umar'],
  ['Volodymyr Hrytsenko', 'Vladimir Gritsenko'],
  ['Siarhei Prakop', 'Sergey Prokop'],
  ['Hsieh Drakmen', 'Xie Drakmen'],
  ['Шарль Дракмен', 'Charles Drakmen'],
  ['Джеймс Дракмен', 'James Drakmen'],
  ['Иржи Дракмен', 'Jiri Drakmen'],
])('%s and %s are one name in two spellings', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThan(80);
  expect(rateOf(listed, query)).toBeGreaterThan(80);
});

test.each([
  ['Ali Hassan', 'Ali Hussein'],
  ['Khalil Ibrahim', 'Khalid Ibrahim'],
  ['Mahmoud Draknour', 'Mohammed Draknour'],
  ['Ahmad Saleh', 'Hamad Saleh'],
  ['Michael Duffy', 'Michelle Duffy'],
  ['Evan Hernandez', 'Ivan Hernandez'],
  ['John Miller', 'Jane Miller'],
  ['Mario Rossi', 'Maria Rossi'],
  ['Олег Дракменов', 'Olga Drakmenova'],
  ['Rajesh Sharma', 'Ramesh Sharma'],
  ['Zhang Wei', 'Zheng Wei'],
  ['Kato Makoto', 'Goto Makoto'],
  ['Erik Hansen', 'Erik Jensen'],
])('%s and %s are two persons despite similar words', (query, listed) => {
  expect(rateOf(query, listed)).toBeLessThan(75);
  expect(rateOf(listed, query)).toBeLessThan(75);
});

test.each([
  ['Ali Hassan', 'Ali Hassam', 'a misspelt name'],
  ['Michael Duffy', 'Mikhail Duffy', 'forms of one name'],
  ['Alexander Drakmenov', 'Sandy Drakmenov', 'a short form'],
  ['Sasha Drakmenov', 'Aleksandr Drakmenov', 'a short form of Russian'],
  ['Kostas Drakmenis', 'Konstantinos Drakmenis', 'a short form of Greek'],
  ['Pepe Drakmeno', 'Jose Drakmeno', 'a short form of Spanish'],
  ['Ahmed Mohamud', 'Ahmad Mohammed', 'a spelling of two names'],
  ['Ahmed Mohamud', 'Ahmad Mahmoud', 'a spelling of two names'],
])('%s and %s are similar: %s', (query, listed) => {
  expect(rateOf(query, listed)).toBeGreaterThan(79);
});

test('forms of a name in different languages are less similar than spellings', () => {
  const [form, spelling] = [
    rateOf('Andreas Drakmen', 'Andres Drakmen'),
    rateOf('Andrei Drakmen', 'Andrey Drakmen'),
  ];
  expect(form).toBeLessThan(spelling - 3);
});

test('the tables of names contain only basic letters, and each word once per line', () => {
  for (const line of [...ownNames, ...familyNames, ...slavicNames, ...loneNames]) {
    expect(line).toMatch(/^[a-z]+(?:[ ,][a-z]+)*$/);
    const words = line.split(/[ ,]/);
    expect(words.length - new Set(words).size, line).toBe(0);
  }
});
