import { createPrivateKey, generateKeyPairSync, getCurves } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Certificate, SignatureAlgorithm } from '../../../src/formats/x509/index.ts';
import {
  findWeakDigest,
  findWeakness,
  findWeakPath,
} from '../../../src/trust/algorithms/algorithm-policy.ts';
import { algorithmTable } from '../../../src/trust/algorithms/algorithm-suites.table.ts';
import { caExtensions, keyHolder } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const ecdsa: SignatureAlgorithm = { scheme: 'ecdsa', digest: 'sha256' };
const rsa: SignatureAlgorithm = { scheme: 'rsa-pkcs1', digest: 'sha256' };
const rsaKey = (bits: number) =>
  keyHolder(generateKeyPairSync('rsa', { modulusLength: bits }).privateKey, rsa);
const short = rsaKey(1024);

function holderOf(keyOf: TestMember): Certificate {
  return pki.issue({ name: 'holder', keyOf }).certificate;
}

describe('RSA keys', () => {
  test.each([512, 768, 1024, 1536, 1896])('of %i bits are weak', (bits) => {
    expect(findWeakness(rsa, holderOf(rsaKey(bits)))).toMatch(`RSA key of ${bits} bits`);
  });

  test('of 2048 bits are accepted', () => {
    expect(findWeakness(rsa, pki.member('rsa').certificate)).toBeUndefined();
    expect(findWeakness(pki.member('pss').algorithm, pki.member('pss').certificate)).toBe(
      undefined,
    );
  });

  test('restricted to PSS are measured too', () => {
    const { privateKey } = generateKeyPairSync('rsa-pss', { modulusLength: 1024 });
    const pss: SignatureAlgorithm = { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 };
    expect(findWeakness(pss, holderOf(keyHolder(privateKey, pss)))).toMatch('1024 bits');
  });

  test('with exponent 1, under which a signature is mere padding, are weak', () => {
    const jwk = pki.member('rsa').privateKey.export({ format: 'jwk' });
    const one = { e: 'AQ', d: 'AQ', dp: 'AQ', dq: 'AQ' };
    const privateKey = createPrivateKey({ key: { ...jwk, ...one }, format: 'jwk' });
    expect(findWeakness(rsa, holderOf(keyHolder(privateKey, rsa)))).toMatch('exponent 1');
  });
});

describe('elliptic curves', () => {
  const curveKey = (namedCurve: string, paramEncoding: 'named' | 'explicit' = 'named') =>
    keyHolder(generateKeyPairSync('ec', { namedCurve, paramEncoding }).privateKey, ecdsa);
  const possible = new Set(getCurves());

  // Algorithms omitted from an OpenSSL build cannot be verified either, so there is nothing to
  // test.
  test.each(
    [
      'secp112r1',
      'secp128r1',
      'secp160r1',
      'secp192k1',
      'prime192v1',
      'brainpoolP160r1',
      'brainpoolP192r1',
      'sect113r1',
      'sect163k1',
      'sect193r1',
      'c2pnb208w1',
      'secp224r1',
      'brainpoolP224r1',
      'sect233k1',
      'wap-wsg-idm-ecid-wtls1',
      'wap-wsg-idm-ecid-wtls8',
      'wap-wsg-idm-ecid-wtls9',
    ].filter((curve) => possible.has(curve)),
  )('include the weak %s', (curve) => {
    expect(findWeakness(ecdsa, holderOf(curveKey(curve)))).toMatch('is too weak');
    const explicit = holderOf(curveKey(curve, 'explicit'));
    expect(findWeakness(ecdsa, explicit)).toMatch('is too weak');
  });

  test('include small ones in this OpenSSL', () => {
    expect(possible.has('prime192v1') || possible.has('secp192k1')).toBe(true);
  });

  test.each(
    [
      'prime256v1',
      'secp256k1',
      'secp384r1',
      'secp521r1',
      'brainpoolP256r1',
      'brainpoolP512t1',
      'sect283k1',
      'sect571r1',
    ].filter((curve) => possible.has(curve)),
  )('include the accepted %s', (curve) => {
    expect(findWeakness(ecdsa, holderOf(curveKey(curve)))).toBeUndefined();
  });
});

describe('digests', () => {
  const signer = pki.member('signer').certificate;
  test.each(['md5', 'ripemd160', 'sha1', 'sha3-224'])('include the weak %s', (digest) => {
    expect(findWeakDigest(digest)).toMatch(digest);
    for (const scheme of ['ecdsa', 'rsa-pkcs1', 'rsa-pss'] as const) {
      const algorithm = { scheme, digest } as SignatureAlgorithm;
      expect(findWeakness(algorithm, signer), scheme).toMatch(digest);
    }
  });

  test.each(['sha224', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const)(
    'include the accepted %s',
    (digest) => {
      expect(findWeakDigest(digest)).toBeUndefined();
      expect(findWeakness({ scheme: 'ecdsa', digest }, signer)).toBeUndefined();
    },
  );

  test('are irrelevant for Ed25519, which has its own', () => {
    const { certificate } = pki.member('ed25519');
    expect(findWeakness({ scheme: 'ed25519', digest: 'sha1' }, certificate)).toBeUndefined();
  });
});

describe('a certificate path (leaf first)', () => {
  const root = pki.member('root');
  const shortCa = pki.issue({ name: 'short ca', keyOf: short, extensions: caExtensions });
  const rsaRoot = makeTestPki({ caKey: 'RSA-2048' });
  const sha1: SignatureAlgorithm = { scheme: 'rsa-pkcs1', digest: 'sha1' };
  const ecdsaSha1: SignatureAlgorithm = { scheme: 'ecdsa', digest: 'sha1' };
  const byShort = pki.issue({ name: 'by short', issuer: shortCa });
  const bySha1 = rsaRoot.issue({ name: 'by SHA-1', signedWith: sha1 });
  const byEcdsaSha1 = pki.issue({ name: 'by ECDSA with SHA-1', signedWith: ecdsaSha1 });
  const caBySha1 = pki.issue({
    name: 'ca by SHA-1',
    issuer: root,
    signedWith: ecdsaSha1,
    extensions: caExtensions,
  });
  const belowIt = pki.issue({ name: 'below', issuer: caBySha1 });
  const pathOf = (member: TestMember, ...above: readonly TestMember[]) =>
    [member, ...above].map(({ certificate }) => certificate);

  test.each<[string, readonly Certificate[], RegExp]>([
    ['a short key of the issuer', pathOf(byShort, shortCa, pki.member('ca'), root), /1024 bits/],
    ['a short key of the anchor', pathOf(byShort, shortCa), /1024 bits/],
    ['a leaf signed with SHA-1', pathOf(bySha1, rsaRoot.member('ca')), /sha1/],
    ['a leaf signed with ECDSA and SHA-1', pathOf(byEcdsaSha1, pki.member('ca')), /sha1/],
    ['an issuer signed with SHA-1', pathOf(belowIt, caBySha1, root), /sha1/],
  ])('is weak because of %s', (_, path, reason) => {
    expect(findWeakPath(path)).toMatch(reason);
  });

  test.each<[string, readonly Certificate[]]>([
    ['a strong path', pathOf(pki.member('signer'), pki.member('ca'), root)],
    ['an anchor alone', pathOf(byShort)],
    ['an anchor that was signed with SHA-1', pathOf(belowIt, caBySha1)],
  ])('is accepted: %s', (_, path) => {
    expect(findWeakPath(path)).toBeUndefined();
  });
});

describe('algorithms by date', () => {
  const at = (date: string) => ({ atMs: Date.parse(`${date}T00:00:00Z`) });
  const holders = {
    'RSA-1024': holderOf(short),
    'RSA-2048': pki.member('rsa').certificate,
    'P-256': pki.member('signer').certificate,
  };

  test.each([
    ['sha1', '2012-07-31', true],
    ['sha1', '2012-08-01', false],
    ['sha224', '2028-12-31', true],
    ['sha224', '2029-01-01', false],
    ['sha3-224', '2012-01-01', false],
    ['sha256', '2099-01-01', true],
  ])('include the digest %s on %s: %s', (digest, date, holds) => {
    expect(findWeakDigest(digest, at(date)) === undefined).toBe(holds);
  });

  test.each([
    ['RSA-1024', '2019-09-30', true],
    ['RSA-1024', '2019-10-01', false],
    ['RSA-2048', '2026-12-31', true],
    ['RSA-2048', '2027-01-01', false],
  ] as const)('include a key %s on %s: %s', (name, date, holds) => {
    expect(findWeakness(rsa, holders[name], at(date)) === undefined).toBe(holds);
  });

  test('follow a custom table', () => {
    const table = { ...algorithmTable, name: 'ours', digests: { sha256: '2020-01-01' } };
    const when = { ...at('2026-06-01'), table };
    expect(findWeakDigest('sha256', when)).toMatch('since 2020-01-01');
    expect(findWeakDigest('sha512', when)).toMatch('ours does not list it');
  });
});
