import { describe, expect, test } from 'vitest';
import { parseMailbox } from '../../../src/base/mailbox.ts';
import { formatMailbox, isMailAddress, singleLine } from '../../../src/domain/message/index.ts';
import { dialledPhone } from '../../../src/domain/person/index.ts';
import { fc } from '../../support/property.ts';

/** Any UTF-16, with special characters more often than by chance. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x40 })))
  .map((units) => String.fromCharCode(...units));

describe('isMailAddress', () => {
  test.each([
    'a@example.org',
    'first.last+tag@mail.example.org',
    "o'brien@example.org",
    'a@localhost',
    'a@þjónn.example.is',
    'A_b-c@1x.example',
    `${'a'.repeat(64)}@example.org`,
  ])('accepts %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  test.each([
    '',
    '@',
    'a',
    'a@',
    '@example.org',
    'a@host',
    'a b@example.org',
    'a@example.org ',
    'a@example..org',
    'a@-example.org',
    '.a@example.org',
    'a..b@example.org',
    'a.@example.org',
    '"a b"@example.org',
    'a@example.org,b@example.org',
    'a@example.org;b@example.org',
    'Name <a@example.org>',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\n',
    'a\u0000@example.org',
    'a@b@example.org',
    'a@[127.0.0.1]',
    'þ@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'x'.repeat(64)}.org`,
    `a@${'x.'.repeat(130)}org`,
  ])('rejects %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});

describe('dialledPhone', () => {
  test.each([
    ['+3545550101', '+3545550101'],
    ['+354 555-0101', '+3545550101'],
    ['00354 555 0101', '+3545550101'],
    ['555 0101', '5550101'],
    ['5550101', '5550101'],
    ['+1 (555) 010.1234', '+15550101234'],
    ['', undefined],
    ['555010', undefined],
    ['55501011', undefined],
    ['+0354555', undefined],
    ['+123456', undefined],
    ['+1234567890123456', undefined],
    ['+354x5550101', undefined],
    ['٥٥٥٠١٠١', undefined],
    ['+'.repeat(100), undefined],
  ])('turns %j into %j', (text, number) => {
    expect(dialledPhone(text)).toBe(number);
  });
});

describe('formatMailbox', () => {
  test.each([
    ['Acme', '"Acme" <a@example.org>'],
    ['Þórður ehf.', '"Þórður ehf." <a@example.org>'],
    ['A "B" <c@d>, e;', '"A \\"B\\" <c@d>, e;" <a@example.org>'],
    ['a\r\nBcc: x', '"a Bcc: x" <a@example.org>'],
    ['', 'a@example.org'],
    [' \n', 'a@example.org'],
    ['\\', '"\\\\" <a@example.org>'],
  ])('writes %j as %s', (name, mailbox) => {
    expect(formatMailbox({ name, address: 'a@example.org' })).toBe(mailbox);
  });

  test('keeps any name inside its quotes', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const written = formatMailbox({ name, address: 'a@b.is' });
        expect(written).toMatch(/^("([^"\\\p{Cc}]|\\["\\])+" <a@b\.is>|a@b\.is)$/u);
        const { name: read, address } = parseMailbox(written) ?? {};
        expect(address).toBe('a@b.is');
        expect(read ?? '').toBe(singleLine(name).slice(0, 120).trim());
      }),
    );
  });
});

describe('parseMailbox', () => {
  test.each([
    ['a@example.org', { address: 'a@example.org' }],
    [' <a@example.org> ', { address: 'a@example.org' }],
    ['Undirritun <sign@x.is>', { name: 'Undirritun', address: 'sign@x.is' }],
    ['Þjónusta ehf. <sign@x.is>', { name: 'Þjónusta ehf.', address: 'sign@x.is' }],
    ["O'Brien & Co <sign@x.is>", { name: "O'Brien & Co", address: 'sign@x.is' }],
    ['"Acme, Inc." <sign@x.is>', { name: 'Acme, Inc.', address: 'sign@x.is' }],
    ['"A \\"B\\" \\\\ <c@d>" <sign@x.is>', { name: 'A "B" \\ <c@d>', address: 'sign@x.is' }],
    ['""<sign@x.is>', { address: 'sign@x.is' }],
  ])('parses %s', (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox);
  });

  test.each([
    '',
    'nobody',
    'Name',
    'Name <>',
    'Name <nobody>',
    'Name <a@example.org',
    'Name a@example.org',
    'Acme, Inc. <a@example.org>',
    'a@example.org, b@example.org',
    'A <a@example.org>, B <b@example.org>',
    'Group: a@example.org;',
    'Name (comment) <a@example.org>',
    '"Name <a@example.org>',
    'Na"me <a@example.org>',
    'a@b.is <a@example.org>',
    'Name <a@example.org>\r\nBcc: <b@example.org>',
    'Na\r\nBcc: b@example.org\r\nme <a@example.org>',
    '"Na\nme" <a@example.org>',
    '"Na\u0000me" <a@example.org>',
    '"\u202Eevil" <a@example.org>',
    `"${'x'.repeat(121)}" <a@example.org>`,
  ])('rejects %j', (text) => {
    expect(parseMailbox(text)).toBeUndefined();
  });

  test('never throws, and any address it returns is valid', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, rest) => {
        const mailbox = parseMailbox(`${name}<${rest}>`);
        expect(mailbox === undefined || isMailAddress(mailbox.address)).toBe(true);
      }),
    );
  });
});

test('singleLine keeps words and removes line breaks and directional marks', () => {
  expect(singleLine(' a\r\n\tb\u2029c\u202Ed ')).toBe('a b c d');
});
