import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { keyUsageBits, parseCertificate } from '../../../src/formats/x509/index.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, memberVariants, type TestMemberName } from '../../support/pki.ts';

const pki = makeTestPki();
const names = ['root', 'ca', ...Object.keys(memberVariants)] as TestMemberName[];

describe('a built certificate', () => {
  test.each(names)('%s: node reads the same values and verifies it', (name) => {
    const { der: bytes, certificate, privateKey } = pki.member(name);
    const seen = new X509Certificate(bytes);
    const issuer = name === 'root' || name === 'ca' ? pki.member('root') : pki.member('ca');
    expect(seen.verify(new X509Certificate(issuer.der).publicKey)).toBe(true);
    expect(seen.checkPrivateKey(privateKey)).toBe(true);
    expect(seen.serialNumber.toLowerCase()).toBe(
      Buffer.from(certificate.serialNumber).toString('hex'),
    );
    expect(new Date(seen.validFrom).getTime()).toBe(certificate.notBeforeMs);
    expect(new Date(seen.validTo).getTime()).toBe(certificate.notAfterMs);
    expect(seen.ca).toBe(certificate.extensions.basicConstraints?.ca);
  });

  test('parses to the extensions it was built from', () => {
    const { extensions } = pki.issue({
      name: 'all',
      extensions: {
        basicConstraints: { ca: true, pathLength: 3 },
        keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign | keyUsageBits.digitalSignature,
        extendedKeyUsage: [oids.timeStamping, oids.ocspSigning],
        extendedKeyUsageCritical: true,
        policies: ['1.2.3.4'],
        ocspNoCheck: true,
        ocspUrls: ['http://o.example/1', 'http://o.example/2'],
        caIssuerUrls: ['http://i.example'],
        crlUrls: ['http://c.example/1', 'http://c.example/2'],
        others: [{ name: '1.2.3.5', critical: true, value: der.nil() }],
      },
    }).certificate;
    expect(extensions).toMatchObject({
      basicConstraints: { ca: true, pathLength: 3 },
      keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign | keyUsageBits.digitalSignature,
      extendedKeyUsage: [oids.timeStamping, oids.ocspSigning],
      extendedKeyUsageCritical: true,
      ocspNoCheck: true,
      ocspUrls: ['http://o.example/1', 'http://o.example/2'],
      caIssuerUrls: ['http://i.example'],
      crlUrls: ['http://c.example/1', 'http://c.example/2'],
      unknownCritical: ['1.2.3.5'],
    });
    expect(extensions.policies.certificatePolicies).toBeDefined();
  });

  test('supports dates after 2049', () => {
    const notAfterMs = Date.UTC(2051, 0, 1);
    expect(pki.issue({ name: 'late', notAfterMs }).certificate.notAfterMs).toBe(notAfterMs);
  });
});

describe('parseCertificate', () => {
  const { der: good } = pki.member('signer');

  test('rejects an extension that appears twice', () => {
    const twice = { name: '1.2.3.5', critical: false, value: der.nil() };
    expect(() => pki.issue({ name: 'twice', extensions: { others: [twice, twice] } })).toThrow(
      expect.objectContaining({ code: 'x509.invalid' }),
    );
  });

  test('rejects two different signature algorithms', () => {
    const outer = Buffer.from(good);
    const oid = Buffer.from(der.oid('1.2.840.10045.4.3.2'));
    outer[outer.lastIndexOf(oid) + oid.length - 1] = 3;
    expect(() => parseCertificate(outer)).toThrow(/two different signature algorithms/);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['an empty sequence', der.sequence()],
    ['a truncated certificate', good.subarray(0, good.length - 1)],
    ['an excess byte', Buffer.concat([good, Buffer.of(0)])],
  ])('rejects %s', (_title, bytes) => {
    expect(() => parseCertificate(bytes)).toThrow(
      expect.objectContaining({ code: 'x509.invalid' }),
    );
  });
});

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  const at = String(Math.floor(pki.nowMs / 1000));
  const good = ['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519', 'tsa', 'ocsp'] as const;
  test.each(good)('verifies the path of %s', (name) => {
    const { status, text } = openssl(
      [
        'verify',
        '-x509_strict',
        '-attime',
        at,
        '-purpose',
        'any',
        '-CAfile',
        '{root.pem}',
        '-untrusted',
        '{ca.pem}',
        '{leaf.pem}',
      ],
      {
        'root.pem': pem('CERTIFICATE', pki.member('root').der),
        'ca.pem': pem('CERTIFICATE', pki.member('ca').der),
        'leaf.pem': pem('CERTIFICATE', pki.member(name).der),
      },
    );
    expect(text).toMatch(/: OK/);
    expect(status).toBe(0);
  });

  test('prints the extensions of a time-stamp authority', () => {
    const { text } = openssl(['x509', '-inform', 'DER', '-in', '{tsa.der}', '-noout', '-text'], {
      'tsa.der': pki.member('tsa').der,
    });
    expect(text).toMatch(/X509v3 Extended Key Usage: critical\s+Time Stamping\n/);
    expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature, Non Repudiation\n/);
    expect(text).toMatch(/OCSP - URI:http:\/\/127\.0\.0\.1:8318\/ocsp/);
  });
});
