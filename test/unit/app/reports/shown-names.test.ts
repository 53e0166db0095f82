import { describe, expect, test } from 'vitest';
import { plain, sentencesOf } from '../../../../src/app/reports/sentences.ts';
import { nameOf, shownText } from '../../../../src/app/reports/shown-text.ts';
import { buildName, commonNameOf, describeName } from '../../../../src/formats/x509/index.ts';
import { fc } from '../../../support/property.ts';
import { someSignature } from './some-report.ts';

// Names in certificates, and /Name of a PDF, contain whatever their author wrote.

/** Attacks in names: text direction, invisible characters, escapes, templates, stacked marks. */
const tricks = [
  ...['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00ad', '\ue000'],
  ...['\u115f', '\u1160', '\u3164', '\uffa0', '\u034f', '\u180e', '\ufe0f', '\u{e0041}', '\u0301'],
  ...[',CN=Minister', '\\,CN=Minister', '\\', '+CN=Minister', '"', '#', ';', '=', 'CN=', '\\2c'],
  ...['{{signer}}', '{{time}}', '$&', '$1', '<b>', '\n', '\r\n', '\t', '\u0000', '\u2028', ' '],
  ...['\u0301'.repeat(40), '\ud83d\ude00', 'a'.repeat(400), '\ud83d\ude00'.repeat(200)],
  ...['Anna', 'J\u00f3nsd\u00f3ttir', '\u05d0\u05d1', '\u0634', '. It can be relied on.'],
] as const;
const attacked = fc
  .array(fc.oneof(fc.constantFrom(...tricks), fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

const isWellFormed = (text: string) => !/\p{Cs}/u.test(text);

describe('a name in a report', () => {
  test('is the most specific common name, whatever it contains or surrounds it', () => {
    fc.assert(
      fc.property(attacked, attacked, (commonName, organizationName) => {
        fc.pre(shownText(commonName) !== '' && organizationName !== '');
        fc.pre(isWellFormed(commonName + organizationName));
        const subject = buildName({ countryName: 'IS', organizationName, commonName });
        expect(nameOf(describeName(subject))).toBe(commonNameOf(subject));
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['CN=Anna,O=Example', 'Anna'],
    ['CN=\u200b\u3164,O=Example', 'Example'],
    ['CN=\\ \u2800,O=Example', 'Example'],
    ['CN=\u200b,O=\u2060,C=IS', 'CN=\u200b,O=\u2060,C=IS'],
    ['CN=\u200b', 'CN=\u200b'],
  ])('of %j is %j: an invisible value is skipped', (subject, name) => {
    expect(nameOf(subject)).toBe(name);
    expect(shownText(nameOf(subject))).not.toBe('');
  });

  test('contains nothing that hides, reorders or stacks characters, and is short', () => {
    fc.assert(
      fc.property(attacked, (name) => {
        const shown = shownText(name, 120);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u);
        expect(shown).not.toMatch(/\p{M}{5}/u);
        expect([...shown].length).toBeLessThanOrEqual(120);
        expect(shownText(shown, 120)).toBe(shown);
      }),
      { numRuns: 400 },
    );
  });

  test('leaves the sentence around it unchanged', () => {
    const actFor = (subject: string) => {
      const { signer } = someSignature();
      if (signer === undefined) throw new Error('a signer');
      return sentencesOf(someSignature({ signer: { ...signer, subject } }), 'en').act;
    };
    const [before = '', after = ''] = actFor('CN=@').split('@');
    fc.assert(
      fc.property(attacked, (commonName) => {
        fc.pre(shownText(commonName) !== '' && isWellFormed(commonName));
        const subject = buildName({ countryName: 'IS', commonName });
        const act = actFor(describeName(subject));
        expect(act).toBe(before + plain(commonNameOf(subject) ?? '') + after);
      }),
      { numRuns: 400 },
    );
  });
});
