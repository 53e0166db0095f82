import { describe, expect, test } from 'vitest';
import { parseCertificate } from '../../../src/formats/x509/index.ts';
import {
  augmentPdf,
  failoverTimestampAuthority,
  httpRevocationSource,
  httpTimestampAuthority,
  keyObjectSigner,
  localTimestampAuthority,
  p12Signer,
  pemSigner,
  sealPdf,
  verifyDocument,
} from '../../../src/index.ts';
import { wrapRevocationSource } from '../../../src/wire/library/take-ports.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture } from '../../support/sealing.ts';

const pdf = fixture('agreement.pdf');
// As called from plain JavaScript.
const seal = sealPdf as (...args: unknown[]) => Promise<unknown>;
const archive = augmentPdf as (...args: unknown[]) => Promise<unknown>;
const verify = verifyDocument as (...args: unknown[]) => Promise<unknown>;
const signer = { sign: () => undefined };
const certificates = () => {
  const pki = makeTestPki();
  const [certificate, issuer] = ['signer', 'ca'].map((name) =>
    parseCertificate(pki.member(name as 'ca').der),
  );
  return { certificate, issuer };
};
const call =
  (make: unknown, ...args: unknown[]) =>
  async () =>
    (make as (...given: unknown[]) => unknown)(...args);

test.each<[string, () => Promise<unknown>, string, RegExp, string | undefined]>([
  [
    'a file name in place of a document',
    () => seal('agreement.pdf', { signer, level: 'B-B' }),
    'usage.invalid',
    /found "agreement.pdf"$/,
    'pass the content, not a name',
  ],
  [
    'the whole result of a seal',
    () => verify({ bytes: pdf, keptBytes: 1 }),
    'usage.invalid',
    /expected bytes/,
    'pass its member bytes',
  ],
  ['another object', () => verify({ bytes: 'text' }), 'usage.invalid', /expected bytes/, undefined],
  [
    'a file name in place of a trust anchor',
    () => verify(pdf, { trust: ['root.pem'] }),
    'x509.invalid',
    /expected a certificate in PEM or DER, found "root.pem"$/,
    'pass PEM (-----BEGIN CERTIFICATE-----) or DER: content, not a name',
  ],
  [
    'a key in place of a trust anchor',
    () => verify(pdf, { trust: ['-----BEGIN PRIVATE KEY-----'] }),
    'x509.invalid',
    /expected a certificate in PEM or DER$/,
    'pass PEM (-----BEGIN CERTIFICATE-----) or DER',
  ],
])('%s: the hint says what to pass instead', async (_, done, code, message, hint) => {
  await expect(call(done)()).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
    hint,
  });
});

describe('an invalid argument', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['no options', () => seal(pdf), /options: expected an object/],
    ['no signer', () => seal(pdf, { level: 'B-B' }), /signer: expected/],
    ['a path', () => seal('x.pdf', { level: 'B-B', signer }), /expected bytes/],
    ['a level in lower case', () => seal(pdf, { level: 'b-b', signer }), /B-B, B-T, B-LT, B-LTA/],
    [
      'an invalid authority',
      () => seal(pdf, { level: 'B-T', signer, timestampAuthority: {} }),
      /timestampAuthority/,
    ],
    ['an invalid revocation source', () => archive(pdf, { revocation: 'x' }), /revocation/],
    [
      'a mode in place of a source',
      () => verify(pdf, { revocation: 'ignore' }),
      /revocation: expected an object with find, found "ignore"/,
    ],
    [
      'an object as trust',
      () => verify(pdf, { trust: {} }),
      /trust: expected an array, found an object$/,
    ],
    [
      'a number as trust',
      () => verify(pdf, { trust: 5 }),
      /trust: expected an array, found a number$/,
    ],
    ['a function as trust', () => verify(pdf, { trust: verify }), /found a function$/],
    ['text as trust', () => verify(pdf, { trust: 'root.pem' }), /trust: expected an array/],
    ['null', () => verify(null), /expected bytes/],
    [
      'an invalid password',
      () => verify(pdf, { password: 7 }),
      /password: expected text, found a number$/,
    ],
    ['a keyword as permission', () => seal(pdf, { signer, certify: 'p1' }), /certify: expected 1/],
    ['an empty PEM signer', call(pemSigner), /options: expected an object, found undefined/],
    [
      'a PEM signer without certificate',
      call(pemSigner, { key: 'x' }),
      /certificate: expected PEM/,
    ],
    ['a PKCS #12 signer with a path', call(p12Signer, { p12: 'seal.p12' }), /p12: expected bytes/],
    ['a signer without key', call(keyObjectSigner, {}), /privateKey: expected a KeyObject/],
    [
      'a signer with a key as text, which is not shown',
      call(keyObjectSigner, { privateKey: '-----BEGIN PRIVATE KEY-----\nMIIE' }),
      /a KeyObject, found text$/,
    ],
    ['an authority without certificate', call(localTimestampAuthority, {}), /certificate/],
    ['authorities that are not an array', call(failoverTimestampAuthority, {}), /authorities/],
    [
      'an authority with an invalid URL',
      call(httpTimestampAuthority),
      /options: expected an object/,
    ],
  ])('is rejected with usage.invalid: %s', async (_, call, message) => {
    await expect(call()).rejects.toMatchObject({
      code: 'usage.invalid',
      message: expect.stringMatching(message),
    });
  });
});

test('a revocation source has defaults', async () => {
  const found = httpRevocationSource({}).find as (...args: unknown[]) => Promise<unknown>;
  const extensions = { ocspUrls: [], crlUrls: ['http://127.0.0.1:9/x.crl'] };
  const { certificate, issuer } = certificates();
  await expect(found({ ...certificate, extensions }, issuer)).rejects.toMatchObject({
    code: 'network.blocked',
  });
});

test('takeRevocation copies the supplied revocation data and validates it', () => {
  const answer = Uint8Array.of(0x30, 0);
  const source = {
    find: async () => ({ ocsp: [], crls: [] }),
    atHand: { ocsp: [], crls: [answer] },
  };
  const taken = wrapRevocationSource(source).atHand;
  answer[1] = 1;
  expect(taken).toEqual({ ocsp: [], crls: [Uint8Array.of(0x30, 0)] });
  expect(() => wrapRevocationSource({ ...source, atHand: { ocsp: 'x' } as never })).toThrow(
    expect.objectContaining({ code: 'usage.invalid' }),
  );
});
