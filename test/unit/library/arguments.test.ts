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
import { takeRevocation } from '../../../src/wire/library/take-ports.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture } from '../../support/sealing.ts';

const pdf = fixture('agreement.pdf');
// As plain JavaScript calls them.
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
    'the name of a file for a document',
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
    'the name of a file for an anchor',
    () => verify(pdf, { trust: ['root.pem'] }),
    'x509.invalid',
    /expected a certificate in PEM or DER, found "root.pem"$/,
    'pass PEM (-----BEGIN CERTIFICATE-----) or DER: content, not a name',
  ],
  [
    'a key for an anchor',
    () => verify(pdf, { trust: ['-----BEGIN PRIVATE KEY-----'] }),
    'x509.invalid',
    /expected a certificate in PEM or DER$/,
    'pass PEM (-----BEGIN CERTIFICATE-----) or DER',
  ],
])('%s: the error says what to give', async (_, done, code, message, hint) => {
  await expect(call(done)()).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
    hint,
  });
});

describe('arguments that are not what they should be', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['no options', () => seal(pdf), /options: expected an object/],
    ['no signer', () => seal(pdf, { level: 'B-B' }), /signer: expected/],
    ['a path', () => seal('x.pdf', { level: 'B-B', signer }), /expected bytes/],
    [
      'a level in small letters',
      () => seal(pdf, { level: 'b-b', signer }),
      /B-B, B-T, B-LT, B-LTA/,
    ],
    [
      'an authority that is none',
      () => seal(pdf, { level: 'B-T', signer, timestampAuthority: {} }),
      /timestampAuthority/,
    ],
    ['a revocation source that is none', () => archive(pdf, { revocation: 'x' }), /revocation/],
    [
      'a mode in place of a source',
      () => verify(pdf, { revocation: 'ignore' }),
      /revocation: expected an object with find, found "ignore"/,
    ],
    [
      'trust an object',
      () => verify(pdf, { trust: {} }),
      /trust: expected an array, found an object$/,
    ],
    [
      'trust a number',
      () => verify(pdf, { trust: 5 }),
      /trust: expected an array, found a number$/,
    ],
    ['trust a function', () => verify(pdf, { trust: verify }), /found a function$/],
    ['trust no array', () => verify(pdf, { trust: 'root.pem' }), /trust: expected an array/],
    ['null', () => verify(null), /expected bytes/],
    [
      'a password that is none',
      () => verify(pdf, { password: 7 }),
      /password: expected text, found a number$/,
    ],
    ['a word for a permission', () => seal(pdf, { signer, certify: 'p1' }), /certify: expected 1/],
    ['a PEM signer of nothing', call(pemSigner), /options: expected an object, found undefined/],
    [
      'a PEM signer without certificate',
      call(pemSigner, { key: 'x' }),
      /certificate: expected PEM/,
    ],
    ['a PKCS #12 signer of a path', call(p12Signer, { p12: 'seal.p12' }), /p12: expected bytes/],
    ['a signer without key', call(keyObjectSigner, {}), /privateKey: expected a KeyObject/],
    [
      'a signer with a key as text, which is not shown',
      call(keyObjectSigner, { privateKey: '-----BEGIN PRIVATE KEY-----\nMIIE' }),
      /a KeyObject, found text$/,
    ],
    ['an authority without certificate', call(localTimestampAuthority, {}), /certificate/],
    ['authorities that are no list', call(failoverTimestampAuthority, {}), /authorities/],
    ['an authority at no address', call(httpTimestampAuthority), /options: expected an object/],
  ])('%s: usage.invalid', async (_, call, message) => {
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

test('what a revocation source has at hand is taken with it, as a copy', () => {
  const answer = Uint8Array.of(0x30, 0);
  const source = {
    find: async () => ({ ocsp: [], crls: [] }),
    atHand: { ocsp: [], crls: [answer] },
  };
  const taken = takeRevocation(source).atHand;
  answer[1] = 1;
  expect(taken).toEqual({ ocsp: [], crls: [Uint8Array.of(0x30, 0)] });
  expect(() => takeRevocation({ ...source, atHand: { ocsp: 'x' } as never })).toThrow(
    expect.objectContaining({ code: 'usage.invalid' }),
  );
});
