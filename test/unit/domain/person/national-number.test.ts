import { describe, expect, test } from 'vitest';
import { icelandicMobile, readKennitala } from '../../../../src/domain/person/index.ts';

const nowMs = Date.UTC(2026, 10, 26);

describe('kennitala', () => {
  test.each([
    ['120160-3389', '1960-01-12', 'person', 'match'],
    ['1201743399', '1974-01-12', 'person', 'match'],
    ['310896-2099', '1996-08-31', 'person', 'match'],
    ['010100-2080', '2000-01-01', 'person', 'match'],
    ['010100-2400', '2000-01-01', 'person', 'match'],
    ['601010-0890', '2010-10-20', 'organisation', 'match'],
    ['521000-2790', '2000-10-12', 'organisation', 'match'],
    ['892350-1739', undefined, 'system', 'none'],
    ['120160-3379', '1960-01-12', 'person', 'mismatch'],
    ['290200-2150', '2000-02-29', 'person', 'mismatch'],
    [' 120160 3389 ', '1960-01-12', 'person', 'match'],
  ])('%s', (text, date, kind, checkDigit) => {
    const digits = text.replace(/\D/g, '');
    const found = readKennitala(text, nowMs);
    expect(found).toEqual({
      ...{ digits, kind, checkDigit },
      ...(date === undefined ? {} : { date }),
    });
  });

  test('no check digit fits serial 33 of 1 January 2000', () => {
    const digits = Array.from({ length: 10 }, (_, check) => `010100-33${check}0`);
    const found = digits.map((text) => readKennitala(text, nowMs));
    expect(found.map((each) => typeof each === 'object' && each.checkDigit)).toEqual(
      digits.map(() => 'mismatch'),
    );
  });

  test.each([
    ['310260-3389', 'date'],
    ['290201-2150', 'date'],
    ['120160-3387', 'century'],
    ['010130-2070', 'future'],
    ['12016-3389', 'format'],
    ['120160-338X', 'format'],
    ['120160--3389', 'format'],
    ['', 'format'],
  ])('%s has the fault %s', (text, fault) => {
    expect(readKennitala(text, nowMs)).toBe(fault);
  });
});

describe('Icelandic mobile numbers', () => {
  test.each([
    ['6111234', '+3546111234'],
    ['611-1234', '+3546111234'],
    ['611 1234', '+3546111234'],
    ['+354 771 2345', '+3547712345'],
    ['003548981234', '+3548981234'],
    ['3546111234', '+3546111234'],
    ['(354) 611.1234', '+3546111234'],
    ['5512345', undefined],
    ['4201234', undefined],
    ['8001234', undefined],
    ['9001234', undefined],
    ['1234567', undefined],
    ['611123', undefined],
    ['61112345', undefined],
    ['+46701234567', undefined],
  ])('%s', (text, mobile) => {
    expect(icelandicMobile(text)).toBe(mobile);
  });
});
