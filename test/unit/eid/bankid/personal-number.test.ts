import { expect, test } from 'vitest';
import { findPersonalNumber } from '../../../../src/adapters/eid/bankid-se/personal-number.ts';

const nowMs = Date.UTC(2026, 10, 26);

test.each([
  ['640823-3234', '196408233234', '1964-08-23'],
  ['19811218-9876', '198112189876', '1981-12-18'],
  ['199908072391', '199908072391', '1999-08-07'],
  ['900118+9811', '189001189811', '1890-01-18'],
  ['260101-1234', '202601011234', '2026-01-01'],
  ['261127-1234', '192611271234', '1926-11-27'],
  ['0001012384', '200001012384', '2000-01-01'],
  [' 199003102390 ', '199003102390', '1990-03-10'],
  // Coordination numbers. The last one has no known day of birth.
  ['640883-3231', '196408833231', '1964-08-23'],
  ['197010632391', '197010632391', '1970-10-03'],
  ['197010992391', '197010992391', undefined],
])('%s is the personal number %s', (text, digits, birthDate) => {
  expect(findPersonalNumber(text, nowMs)).toEqual({
    digits,
    ...(birthDate === undefined ? {} : { birthDate }),
  });
});

test.each([
  '640823323',
  '20010229-1234',
  '190000000000',
  '1990-03-10-2390',
  '0103901099a',
  '6408233-234',
  '',
  '１９９００３１０２３９０',
])('«%s» is not a personal number', (text) => {
  expect(findPersonalNumber(text, nowMs)).toBeUndefined();
});
