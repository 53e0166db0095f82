import { describe, expect, test } from 'vitest';
import {
  type Contact,
  digitsOf,
  isSameNumber,
  isSamePerson,
  normalPhone,
} from '../../../../src/domain/person/index.ts';

describe('phone and national numbers', () => {
  test.each([
    ['010130-2989', '0101302989'],
    ['5551234', '5551234'],
  ])('%s is reduced to its digits', (text, digits) => expect(digitsOf(text)).toBe(digits));

  test.each([
    ['+354 555 1234', '5551234'],
    ['00354 5551234', '5551234'],
    ['555-1234', '5551234'],
    ['+45 12 34 56 78', '+4512345678'],
    ['004512345678', '+4512345678'],
    ['(+354)5551234', '5551234'],
    ['(00354)5551234', '5551234'],
    ['.00354 555 1234', '5551234'],
    ['-+354-5551234', '5551234'],
    ['+(354)5551234', '5551234'],
    ['\u200b+354\u00a05551234', '5551234'],
    ['\uff0b354 \uff15551234', '5551234'],
    ['(0045) 12345678', '+4512345678'],
  ])('%s is normalised to %s', (text, phone) => expect(normalPhone(text)).toBe(phone));

  test.each([
    ['+3545551234', '5551234', true],
    ['5551234', '5551235', false],
    [undefined, '5551234', false],
    [undefined, undefined, false],
  ])('%s and %s are the same number: %s', (a, b, same) => expect(isSameNumber(a, b)).toBe(same));
});

describe('isSamePerson', () => {
  const jon: Contact = { name: 'Jón Jónsson', email: 'jon@example.test' };
  const cases: readonly (readonly [string, Contact, Contact, boolean])[] = [
    [
      'equal national numbers',
      { name: 'A', ssn: '010130-2989' },
      { name: 'B', ssn: '0101302989' },
      true,
    ],
    [
      'different national numbers, all else equal',
      { ...jon, ssn: '1' },
      { ...jon, ssn: '2' },
      false,
    ],
    [
      'equal e-mail and phone number',
      { ...jon, phoneNumber: '5551234' },
      { ...jon, name: 'J.', phoneNumber: '+354 5551234' },
      true,
    ],
    [
      'equal e-mail, different phone numbers',
      { ...jon, phoneNumber: '5551234' },
      { ...jon, phoneNumber: '5551235' },
      false,
    ],
    ['equal e-mail and name', jon, { name: ' jón  JÓNSSON ', email: 'JON@example.test' }, true],
    ['equal e-mail and name, one phone number', jon, { ...jon, phoneNumber: '5551234' }, true],
    ['equal e-mail, one phone number', jon, { ...jon, name: 'J.', phoneNumber: '5551234' }, false],
    ['an e-mail address that two persons share', jon, { ...jon, name: 'Anna Jónsdóttir' }, false],
    ['only a name', { name: 'Jón' }, { name: 'Jón' }, false],
  ];
  test.each(cases)('compares the contacts: %s', (_, a, b, same) => {
    expect(isSamePerson(a, b)).toBe(same);
    expect(isSamePerson(b, a)).toBe(same);
  });
});
