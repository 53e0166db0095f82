import { expect, test } from 'vitest';
import { dsig, first } from '../unit/verify/xml/sealed-xml.ts';
import { exclusive, sha256Uri } from '../unit/verify/xml/sign-xml.ts';

const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#';

test('thousands of references to the same megabytes are verified in bounded time', () => {
  const big = `<inv><big Id="b">${'<a/>'.repeat(100_000)}</big>`;
  // Each reference needs a different form: equal ones are computed once.
  const form = (i: number) =>
    exclusive.replace(
      '/>',
      `><e:InclusiveNamespaces xmlns:e="${excC14n}" PrefixList="p${i}"/></ds:Transform>`,
    );
  const reference = (i: number) =>
    `<ds:Reference URI="#b"><ds:Transforms>${form(i)}</ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${sha256Uri}"/><ds:DigestValue>AAAA</ds:DigestValue>` +
    '</ds:Reference>';
  const text =
    `${big}<ds:Signature xmlns:ds="${dsig}"><ds:SignedInfo><ds:CanonicalizationMethod ` +
    `Algorithm="${excC14n}"/><ds:SignatureMethod Algorithm=` +
    `"urn:x"/>${Array.from({ length: 5_000 }, (_, i) => reference(i)).join('')}</ds:SignedInfo>` +
    '<ds:SignatureValue/></ds:Signature></inv>';
  const { intact, references } = first(text);
  expect(intact).toBe(false);
  const refused = references.filter(({ status }) => status === 'refused');
  expect(refused.length).toBeGreaterThan(4_000);
  expect(refused[0]?.message).toMatch(/more bytes/);
}, 60_000);
