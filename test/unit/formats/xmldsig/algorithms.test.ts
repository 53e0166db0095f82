import { createPrivateKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DigestAlgorithm, SignatureAlgorithm } from '../../../../src/formats/x509/index.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import {
  curveLengthBytes,
  digestUri,
  ecdsaDerFromRaw,
  ecdsaRawFromDer,
  findDigest,
  namespaces,
  readSignatureMethod,
  signatureUri,
} from '../../../../src/formats/xmldsig/index.ts';
import { fc } from '../../../support/property.ts';

const digests: readonly DigestAlgorithm[] = [
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
];

function readMethod(uri: string, inside = ''): SignatureAlgorithm | undefined {
  const text = `<ds:SignatureMethod xmlns:ds="${namespaces.dsig}" Algorithm="${uri}">${inside}</ds:SignatureMethod>`;
  return readSignatureMethod(parseXml(Buffer.from(text)).root);
}

describe('algorithm identifiers', () => {
  test.each(digests)('digest %s survives a round trip', (digest) => {
    expect(findDigest(digestUri(digest))).toBe(digest);
  });

  const algorithms: readonly SignatureAlgorithm[] = [
    { scheme: 'rsa-pkcs1', digest: 'sha256' },
    { scheme: 'rsa-pkcs1', digest: 'sha512' },
    { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 },
    { scheme: 'rsa-pss', digest: 'sha3-384', saltLengthBytes: 48 },
    { scheme: 'ecdsa', digest: 'sha384' },
    { scheme: 'ecdsa', digest: 'sha3-512' },
    { scheme: 'ed25519', digest: 'sha512' },
    { scheme: 'ed448', digest: 'sha512' },
  ];
  test.each(algorithms)('signature $scheme with $digest survives a round trip', (algorithm) => {
    expect(readMethod(signatureUri(algorithm))).toEqual(algorithm);
  });

  test.each([
    ['rsa-sha256', { scheme: 'rsa-pkcs1', digest: 'sha256' }],
    ['sha256-rsa-MGF1', { scheme: 'rsa-pss', digest: 'sha256' }],
    ['ecdsa-sha256', { scheme: 'ecdsa', digest: 'sha256' }],
    ['eddsa-ed25519', { scheme: 'ed25519', digest: 'sha256' }],
  ] as const)('%s is written for its algorithm', (name, algorithm) => {
    expect(signatureUri(algorithm).split('#')[1]).toBe(name);
  });

  test.each<SignatureAlgorithm>([
    { scheme: 'rsa-pkcs1', digest: 'sha3-256' },
    { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 20 },
  ])('do not exist for %j', (algorithm) => {
    expect(() => signatureUri(algorithm)).toThrowError(
      expect.objectContaining({ code: 'algorithm.unsupported' }),
    );
  });

  test.each(['rsa-whirlpool', 'hmac-sha256'])('%s is unsupported', (name) => {
    expect(readMethod(`http://www.w3.org/2001/04/xmldsig-more#${name}`)).toBeUndefined();
  });
});

describe('RSA-PSS parameters', () => {
  const uri = 'http://www.w3.org/2007/05/xmldsig-more#rsa-pss';
  const wrap = (inside: string) =>
    readMethod(
      uri,
      `<p:RSAPSSParams xmlns:p="${namespaces.moreAlgorithms}">${inside}</p:RSAPSSParams>`,
    );
  const digestOf = (name: string) => `<ds:DigestMethod Algorithm="${name}"/>`;
  const sha512 = digestOf('http://www.w3.org/2001/04/xmlenc#sha512');
  const mask = (inside: string) => `<p:MaskGenerationFunction>${inside}</p:MaskGenerationFunction>`;

  test.each([
    ['', { digest: 'sha256', saltLengthBytes: 32 }],
    [sha512, { digest: 'sha512', saltLengthBytes: 64 }],
    [
      `${sha512}${mask(sha512)}<p:SaltLength> 20 </p:SaltLength>`,
      { digest: 'sha512', saltLengthBytes: 20 },
    ],
    ['<p:TrailerField>1</p:TrailerField>', { digest: 'sha256', saltLengthBytes: 32 }],
  ])('are read: %s', (inside, expected) => {
    expect(wrap(inside)).toEqual({ scheme: 'rsa-pss', ...expected });
  });

  test.each([
    digestOf('urn:unknown'),
    mask(sha512),
    mask(digestOf('urn:unknown')),
    '<p:TrailerField>2</p:TrailerField>',
    '<p:Other/>',
  ])('are rejected: %s', (inside) => {
    expect(wrap(inside)).toBeUndefined();
  });

  test('with a negative salt length are malformed', () => {
    expect(() => wrap('<p:SaltLength>-1</p:SaltLength>')).toThrow(/salt length/);
  });
});

describe('ECDSA values', () => {
  const curves = [
    ['P-256', 32],
    ['P-384', 48],
    ['P-521', 66],
    ['brainpoolP256r1', 32],
    ['secp256k1', 32],
  ] as const;
  test.each(curves)(
    '%s: DER and concatenated form are distinguished and converted',
    (name, size) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', {
        namedCurve: name,
        privateKeyEncoding: { type: 'pkcs8', format: 'der' },
        publicKeyEncoding: { type: 'spki', format: 'der' },
      });
      expect(curveLengthBytes(publicKey)).toBe(size);
      const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
      const data = Buffer.from(name);
      for (let round = 0; round < 20; round++) {
        const raw = ecdsaRawFromDer(sign('sha256', data, key), size);
        expect(raw).toHaveLength(2 * size);
        expect(verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true);
        expect(verify('sha256', data, key, ecdsaDerFromRaw(raw) ?? Buffer.of())).toBe(true);
      }
    },
  );

  test('survive a round trip for any r and s', () => {
    const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(bytes, (raw) => {
        const der = ecdsaDerFromRaw(raw);
        expect(der && ecdsaRawFromDer(der, 32)).toEqual(raw);
      }),
      { numRuns: 300 },
    );
  });

  test('have no curve for an Ed25519 key', () => {
    const { publicKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    expect(curveLengthBytes(publicKey)).toBeUndefined();
  });

  test.each([0, 1, 63, 266])('of %i bytes are not in concatenated form', (count) => {
    expect(ecdsaDerFromRaw(new Uint8Array(count))).toBeUndefined();
  });

  test.each([
    ['one number', '3003020101', 32],
    ['three numbers', '3009020101020101020101', 32],
    ['too long', '300602010102020100', 1],
    ['not a sequence', '020101', 32],
  ])('in DER are rejected: %s', (_, hex, size) => {
    expect(() => ecdsaRawFromDer(Buffer.from(hex, 'hex'), size)).toThrowError(
      expect.objectContaining({ code: 'asn1.invalid' }),
    );
  });
});
