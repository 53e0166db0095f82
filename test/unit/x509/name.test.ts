import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import {
  buildName,
  commonNameOf,
  comparableRdns,
  describeName,
  emailAddressesOf,
  equalNames,
  maskName,
} from '../../../src/formats/x509/index.ts';
import { fc } from '../../support/property.ts';

function nameOf(...rdns: (readonly [string, Uint8Array])[]): Uint8Array {
  return der.sequence(
    ...rdns.map(([type, value]) => der.setOf(der.sequence(der.oid(type), value))),
  );
}

const EMAIL = '1.2.840.113549.1.9.1';

describe('describeName', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'most specific part first',
      buildName({ countryName: 'IS', organizationName: 'Dæmi ehf.', commonName: 'Seal' }),
      'CN=Seal,O=Dæmi ehf.,C=IS',
    ],
    [
      'special characters',
      buildName({ commonName: '#a, "b" + c; <d> \\ e ' }),
      'CN=\\#a\\, \\"b\\" \\+ c\\; \\<d\\> \\\\ e\\ ',
    ],
    ['a leading blank', buildName({ commonName: ' a' }), 'CN=\\ a'],
    ['one blank alone', buildName({ commonName: ' ' }), 'CN=\\ '],
    ['control characters', buildName({ commonName: 'a\u001b[31m\u0000' }), 'CN=a\\1b[31m\\00'],
    ['direction overrides', buildName({ commonName: 'a\u202eb' }), 'CN=a\\e2\\80\\aeb'],
    [
      'an unknown type',
      nameOf(['1.3.6.1.4.1.99999.1', der.utf8String('x')]),
      '1.3.6.1.4.1.99999.1=#0c0178',
    ],
    [
      'attributes of addresses and companies by name',
      nameOf(
        ['2.5.4.17', der.printableString('101')],
        ['2.5.4.20', der.printableString('555 1234')],
        ['2.5.4.15', der.utf8String('Private Organization')],
        ['1.3.6.1.4.1.311.60.2.1.3', der.printableString('IS')],
      ),
      'jurisdictionCountryName=IS,businessCategory=Private Organization,telephoneNumber=555 1234,postalCode=101',
    ],
    [
      'a known type whose value is not a string',
      nameOf(['2.5.4.17', der.smallInteger(5)]),
      'postalCode=#020105',
    ],
    ['a value that is not a string', nameOf([oids.commonName, der.smallInteger(5)]), 'CN=#020105'],
    ['the empty name', der.sequence(), ''],
    ['garbage', Uint8Array.of(0x30, 0x05, 0x00), '#300500'],
  ])('shows %s', (_title, name, expected) => {
    expect(describeName(name)).toBe(expected);
  });

  test('joins the attributes of one RDN with a plus sign', () => {
    const both = der.sequence(
      der.setOf(
        der.sequence(der.oid(oids.commonName), der.utf8String('A')),
        der.sequence(der.oid(oids.serialNumber), der.printableString('7')),
      ),
    );
    expect(describeName(both).split('+').sort()).toEqual(['CN=A', 'serialNumber=7']);
  });

  test('never outputs a control character', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x2100 })), (codes) => {
        const text = String.fromCodePoint(...codes);
        const shown = describeName(buildName({ commonName: text }));
        return [...shown].every((character) => character >= ' ' && character !== '\u007f');
      }),
    );
  });
});

describe('commonNameOf', () => {
  test('returns the most specific common name', () => {
    const name = nameOf(
      [oids.commonName, der.utf8String('outer')],
      [oids.commonName, der.utf8String('inner')],
    );
    expect(commonNameOf(name)).toBe('inner');
  });

  test('returns undefined without a common name, and for malformed input', () => {
    expect(commonNameOf(buildName({ organizationName: 'O' }))).toBeUndefined();
    expect(commonNameOf(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });
});

describe('equalNames', () => {
  const plain = nameOf([oids.commonName, der.utf8String('Test Name')]);
  test.each<[string, Uint8Array, boolean]>([
    ['the same', plain, true],
    ['another kind of string', nameOf([oids.commonName, der.printableString('Test Name')]), true],
    ['letter case', nameOf([oids.commonName, der.utf8String('TEST name')]), true],
    ['runs of blanks', nameOf([oids.commonName, der.utf8String('  Test   Name ')]), true],
    ['another type', nameOf([oids.organizationName, der.utf8String('Test Name')]), false],
    ['another text', nameOf([oids.commonName, der.utf8String('Test Names')]), false],
    [
      'a longer name',
      nameOf(
        [oids.commonName, der.utf8String('Test Name')],
        [oids.countryName, der.printableString('IS')],
      ),
      false,
    ],
    ['garbage', Uint8Array.of(1, 2, 3), false],
  ])('compares names: %s', (_title, other, expected) => {
    expect(equalNames(plain, other)).toBe(expected);
    expect(equalNames(other, plain)).toBe(expected);
  });

  test('is not fooled by text that looks like a separator', () => {
    const one = nameOf([oids.commonName, der.utf8String('a|2.5.4.3:2:"b')]);
    const two = nameOf(
      [oids.commonName, der.utf8String('a')],
      [oids.commonName, der.utf8String('b')],
    );
    expect(equalNames(one, two)).toBe(false);
    expect(comparableRdns(two)).toHaveLength(2);
  });
});

test('emailAddressesOf finds e-mail attributes', () => {
  const name = nameOf(
    [EMAIL, der.ia5String('a@example.com')],
    [oids.commonName, der.utf8String('A')],
  );
  expect(emailAddressesOf(name)).toEqual(['a@example.com']);
});

test('maskName masks personal numbers in attributes of every name and keeps places', () => {
  const name = nameOf(
    ['2.5.4.17', der.printableString('101 Reykjavik')],
    ['2.5.4.20', der.printableString('555 1234')],
    ['2.5.4.46', der.printableString('IDC-010101-2345')],
  );
  expect(maskName(describeName(name))).toBe(
    'dnQualifier=IDC-…,telephoneNumber=…,postalCode=101 Reykjavik',
  );
});
