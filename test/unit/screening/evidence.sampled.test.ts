import { expect, test } from 'vitest';
import {
  buildNameIndex,
  type ListedIdentity,
  type PersonQuery,
} from '../../../src/domain/screening/index.ts';
import { sampleOf } from '../../support/sample.ts';

type Births = ListedIdentity['births'];

const originalName = 'Anna Maria Drakmenova';
/** One letter differs, so that neither end of the scale is reached. */
const listedName = 'Anna Maria Drakmenowa';

function rateOf(births: Births, query: PersonQuery, gender?: ListedIdentity['gender']): number {
  const index = buildNameIndex([
    {
      names: [{ text: listedName, kind: 'primary' }],
      births,
      countries: [],
      ...(gender === undefined ? {} : { gender }),
    },
  ]);
  const [found] = index.search({ originalName, ...query }, { leastRate: 1, limit: 1 });
  return found?.rate ?? 0;
}

/** Adjacent pairs in a series that increase. */
function rises(rates: readonly number[]): readonly number[] {
  return rates.flatMap((rate, at) => (at > 0 && rate > (rates[at - 1] as number) ? [at] : []));
}

const padded = (number: number) => String(number).padStart(2, '0');
const days = [1, 2, 9, 12, 13, 28].flatMap((day) =>
  [1, 2, 6, 12].flatMap((month) => (day === month ? [] : [{ day, month }])),
);
const born = days.map(({ day, month }) => ({
  day,
  month,
  text: `${padded(month)}-${padded(day)}`,
}));

test.each(sampleOf(born, 5))(
  'the rate falls the less a birth date on $text agrees',
  ({ day, month, text }) => {
    const births = [{ from: `1970-${text}` }];
    const rate = (dateOfBirth: string) => rateOf(births, { dateOfBirth });
    const isSwapped = day <= 12;
    const swapped = isSwapped ? [rate(`1970-${padded(day)}-${padded(month)}`)] : [];
    const line = [rate(`1970-${text}`), rateOf(births, {}), ...swapped, rate(`1971-${text}`)];
    expect(rises(line), line.join(' ')).toEqual([]);
    expect(line[0]).toBeGreaterThan(line[1] as number);
    const other = `${padded((month % 12) + 1)}-${padded((day % 27) + 2)}`;
    const away = [0, 1, 2, 3, 4, 7, 11, 25].map((years) => rate(`${1970 + years}-${other}`));
    const back = [0, 1, 2, 3, 4, 7, 11, 25].map((years) => rate(`${1970 - years}-${other}`));
    expect(rises(away), away.join(' ')).toEqual([]);
    expect(back).toEqual(away);
    expect(away[0]).toBeGreaterThan((away[3] as number) + 5);
    expect(line.at(-1)).toBeGreaterThanOrEqual(away[1] as number);
  },
);

test.each<[string, Births]>([
  ['a year', [{ from: '1970' }]],
  ['a month', [{ from: '1970-05' }]],
  ['an approximate year', [{ from: '1970', isApproximate: true }]],
  ['a range of years', [{ from: '1968', to: '1972' }]],
  ['an approximate range', [{ from: '1968', to: '1972', isApproximate: true }]],
])('the rate for a birth in %s never rises with distance', (_, births) => {
  for (const step of [1, -1]) {
    const rates = Array.from({ length: 30 }, (_year, years) =>
      rateOf(births, { dateOfBirth: `${1970 + step * years}-05-07` }),
    );
    expect(rises(rates), rates.join(' ')).toEqual([]);
    expect(rates[0]).toBeGreaterThan((rates[29] as number) + 20);
  }
});

test('of several birth dates the best match counts', () => {
  const births = [{ from: '1970-05-06' }, { from: '1968' }, { from: '1950', to: '1952' }];
  for (const dateOfBirth of [
    '1970-05-06',
    '1968-02-03',
    '1969-01-05',
    '1951-05-06',
    '1999-01-02',
  ]) {
    const each = births.map((birth) => rateOf([birth], { dateOfBirth }));
    expect(rateOf(births, { dateOfBirth })).toBe(Math.max(...each));
  }
});

test('a less exact birth date contradicts less', () => {
  for (let years = 0; years < 12; years++) {
    const query = { dateOfBirth: `${1970 + years}-05-07` };
    const [day, about, range] = [
      rateOf([{ from: '1970-09-11' }], query),
      rateOf([{ from: '1970', isApproximate: true }], query),
      rateOf([{ from: '1968', to: '1972', isApproximate: true }], query),
    ];
    expect(rises([range, about, day]), `${years} years: ${[range, about, day]}`).toEqual([]);
  }
});

test.each([
  ['1970-01-01', '1970-05-07', 'a query without a day'],
  ['1970-05-07', '1970-01-01', 'a list without a day'],
])('%s and %s do not contradict each other: %s', (dateOfBirth, from) => {
  expect(rateOf([{ from }], { dateOfBirth })).toBe(rateOf([{ from }], {}));
  expect(rateOf([{ from: '1970-05-07' }], { dateOfBirth: '1970-01-02' })).toBeLessThan(
    rateOf([{ from }], { dateOfBirth }),
  );
});

// The listed date in every form against the query date in every form: it does not matter which side
// lacks day or month.
test.each([
  ['1970', '1970-05-07'],
  ['1970-05', '1970-05-07'],
  ['1970', '1970-05'],
  ['1970-06', '1970-05-07'],
  ['1970-06', '1970-05'],
  ['1971', '1970-05-07'],
  ['1971', '1970'],
  ['1972', '1970-05-07'],
  ['1980', '1970-05-07'],
  ['1980', '1970'],
  ['1971-05', '1970-05'],
])('%s against %s is rated symmetrically, between an equal and a different birth date', (a, b) => {
  const rate = rateOf([{ from: b }], { dateOfBirth: a });
  expect(rateOf([{ from: a }], { dateOfBirth: b })).toBe(rate);
  const whole = [{ from: '1970-05-07' }];
  expect(rate).toBeLessThan(rateOf(whole, { dateOfBirth: '1970-05-07' }));
  expect(rate).toBeGreaterThanOrEqual(rateOf(whole, { dateOfBirth: '1998-11-20' }));
  const isSameYear = a.slice(0, 4) === b.slice(0, 4);
  const isWithin = a.startsWith(b) || b.startsWith(a);
  if (isWithin) expect(rate).toBeGreaterThan(rateOf([], { dateOfBirth: a }));
  else if (!isSameYear) expect(rate).toBeLessThan(rateOf([], { dateOfBirth: a }));
});

test('one wrong digit in the year costs less than a different birth date', () => {
  const births = [{ from: '1970-05-07' }];
  const rate = (dateOfBirth: string) => rateOf(births, { dateOfBirth });
  expect(rate('1980-05-07')).toBeGreaterThan(rate('1980-05-08') + 10);
  expect(rate('1980-05-07')).toBeLessThan(rate('1971-05-07'));
  expect(rate('1987-05-07')).toBe(rate('1987-05-08'));
});

test('gender can lower the rate but never raises it', () => {
  const of = (gender: 'Male' | 'Female' | undefined, listed: ListedIdentity['gender']) =>
    rateOf([], gender === undefined ? {} : { gender }, listed);
  const none = of(undefined, undefined);
  expect([of('Male', 'Male'), of('Female', undefined), of(undefined, 'Female')]).toEqual([
    none,
    none,
    none,
  ]);
  expect(of('Male', 'Female')).toBe(of('Female', 'Male'));
  expect(of('Male', 'Female')).toBeLessThan(none - 5);
});
