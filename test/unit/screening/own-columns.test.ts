import { expect, test } from 'vitest';
import { readList } from '../../../src/domain/screening/index.ts';

const file = (text: string) => [{ name: 'staff.csv', content: Buffer.from(text) }];

const staff = `Nr;Full Name;Born;Why;Land
1;Karel Bohumil Dvorsky;04/03/1962;SIP;cz
2;"Novotny, Jan";1961;;is;
`.replace(';\n', '\n');

test('columns can be mapped to those expected, and rows get the given category', () => {
  const columns = {
    ...{ name: 'Full Name', date_of_birth: 'born', category: 'Why', countries: 'Land' },
  };
  const { entries } = readList(file(staff), 'csv', { columns, category: 'Sanction/TER' });
  const facts = entries.map(({ firstName, lastName, births, categories, countries }) => ({
    ...{ firstName, lastName, births, categories, countries },
  }));
  expect(facts).toEqual([
    {
      ...{ firstName: 'Karel Bohumil', lastName: 'Dvorsky', births: [{ from: '1962-03-04' }] },
      ...{ categories: ['SIP'], countries: ['CZ'] },
    },
    {
      ...{ firstName: 'Jan', lastName: 'Novotny', births: [{ from: '1961' }] },
      ...{ categories: ['Sanction', 'TER'], countries: ['IS'] },
    },
  ]);
});

test('separate first and last names take precedence over those derived from the full name', () => {
  const csv = 'who,family\nJan van der Berg,van der Berg\n';
  const columns = { name: 'who', last_name: 'family' };
  const [entry] = readList(file(csv), 'csv', { columns, category: 'PEP' }).entries;
  expect(entry).toMatchObject({ firstName: 'Jan van der', lastName: 'van der Berg' });
});

test.each([
  ['an unknown target column', { born: 'Born' }, /column born: expected one of category, /],
  ['a column missing from the file', { name: 'Nom' }, /column Nom: .* nr, full name, born/],
  ['a mapping without a name', { gender: 'Land' }, /row 2: last_name/],
  ['an invalid date', { name: 'Full Name', date_of_birth: 'Why' }, /row 2: date_of_birth/],
])('%s is rejected', (_, columns, why) => {
  expect(() => readList(file(staff), 'csv', { columns, category: 'SIP' })).toThrow(why);
});

test('the hint suggests a similar column, of the format or of the file', () => {
  const read = (columns: Readonly<Record<string, string>>, text = staff) => {
    try {
      return readList(file(text), 'csv', { columns, category: 'SIP' });
    } catch (error) {
      return (error as { readonly hint?: string }).hint;
    }
  };
  expect(read({ naem: 'Full Name' })).toBe('did you mean name?');
  expect(read({ name: 'Ful Name' })).toBe('did you mean full name?');
  expect(read({ name: 'xyzzy' })).toBeUndefined();
  // A column name may be as long as the file.
  const long = `who ${'x'.repeat(1000)}`;
  expect(read({ name: 'who' }, `${long}\nA B\n`)).toBe(`did you mean ${long.slice(0, 80)}?`);
  expect(() => readList(file('category,lastname\nSIP,A\n'), 'csv')).toThrow(
    expect.objectContaining({ hint: 'did you mean last_name?' }),
  );
});

test.each(['1962-02-30', '1962-13', '1962-00-01', '62'])('a birth date %s is rejected', (born) => {
  const own = `category,last_name,date_of_birth\nSIP,Dvorsky,${born}\n`;
  expect(() => readList(file(own), 'csv')).toThrow(/row 2: date_of_birth: expected YYYY/);
});

test('an unknown category and rows without a category are rejected', () => {
  const own = { columns: { name: 'Full Name' } };
  expect(() => readList(file(staff), 'csv', { ...own, category: 'ROGUE' })).toThrow(/category/);
  expect(() => readList(file(staff), 'csv', own)).toThrow(/row 2: category: expected Sanction/);
});
