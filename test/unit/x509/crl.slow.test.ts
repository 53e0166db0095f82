import { describe, expect, test } from 'vitest';
import { der } from '../../../src/formats/asn1/index.ts';
import { buildCrl, parseCrl } from '../../../src/formats/x509/index.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, signWith } from '../../support/pki.ts';

const pki = makeTestPki();
const ca = pki.member('ca');

function crlWith(serials: readonly Uint8Array[], reasonCode?: number): Uint8Array {
  return buildCrl(
    {
      issuerDer: ca.certificate.subjectDer,
      thisUpdateMs: pki.nowMs,
      nextUpdateMs: pki.nowMs + 86_400_000,
      crlNumber: 7,
      authorityKeyId: ca.certificate.extensions.subjectKeyId ?? new Uint8Array(),
      algorithm: ca.algorithm,
      revoked: serials.map((serialNumber, index) => ({
        serialNumber,
        revokedAtMs: pki.nowMs - index * 1000,
        ...(reasonCode === undefined ? {} : { reasonCode }),
      })),
    },
    (tbsDer) => signWith(ca, tbsDer),
  );
}

describe('parseCrl', () => {
  test('finds entries by serial number', () => {
    const serials = [1, 2, 127, 3].map((octet) => Uint8Array.of(octet, octet));
    const crl = parseCrl(crlWith(serials, 1));
    for (const [index, serial] of serials.entries()) {
      const revokedAtMs = pki.nowMs - index * 1000;
      expect(crl.findRevoked(serial)).toEqual({ revokedAtMs, reason: 'keyCompromise' });
    }
    expect(crl.findRevoked(Uint8Array.of(1))).toBeUndefined();
    expect(crl.findRevoked(Uint8Array.of(2, 1))).toBeUndefined();
    expect(crl).toMatchObject({
      thisUpdateMs: pki.nowMs,
      baseCrlNumber: undefined,
      unknownCritical: [],
    });
  });

  test('reads an empty list and entries without a reason', () => {
    expect(parseCrl(crlWith([])).findRevoked(Uint8Array.of(1))).toBeUndefined();
    expect(parseCrl(crlWith([Uint8Array.of(9)])).findRevoked(Uint8Array.of(9))).toEqual({
      revokedAtMs: pki.nowMs,
    });
  });

  test('searches 200,000 entries in under half a second', () => {
    const serials = Array.from({ length: 200_000 }, (_, index) => {
      const serial = Buffer.alloc(8, 0x11);
      serial.writeUInt32BE(index, 4);
      return serial;
    });
    const crl = parseCrl(crlWith(serials));
    const last = serials[serials.length - 1] as Buffer;
    const start = performance.now();
    expect(crl.findRevoked(last)).toBeDefined();
    expect(crl.findRevoked(Uint8Array.of(0x11, 0, 0, 0, 0, 0, 0, 0))).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(500);
  });

  test('reports a damaged entry when the search reaches it', () => {
    const bytes = Buffer.from(crlWith([Uint8Array.of(0x21, 0x22, 0x23), Uint8Array.of(0x31)]));
    bytes[bytes.indexOf(Buffer.of(2, 3, 0x21, 0x22, 0x23)) - 1] = 0x7f;
    const crl = parseCrl(bytes);
    expect(() => crl.findRevoked(Uint8Array.of(0x31))).toThrow(
      expect.objectContaining({ code: 'x509.invalid' }),
    );
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a certificate', ca.der],
    ['a number', der.smallInteger(1)],
  ])('rejects %s', (_title, bytes) => {
    expect(() => parseCrl(bytes)).toThrow(expect.objectContaining({ code: 'x509.invalid' }));
  });
});

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  test('verifies our CRL and finds the revoked certificate', () => {
    const { text } = openssl(
      ['crl', '-inform', 'DER', '-in', '{ca.crl}', '-noout', '-text', '-CAfile', '{ca.pem}'],
      {
        'ca.crl': pki.crl(ca),
        'ca.pem': pem('CERTIFICATE', ca.der, pki.member('root').der),
      },
    );
    const serial = Buffer.from(pki.member('revoked').certificate.serialNumber).toString('hex');
    expect(text).toMatch(/verify OK/);
    expect(text).toContain(serial.toUpperCase());
    expect(text).toMatch(/Key Compromise/);
  });

  test.each([
    ['signer', /: OK/],
    ['revoked', /certificate revoked/],
  ] as const)('checks %s against our CRLs', (name, expected) => {
    const { text } = openssl(
      [
        'verify',
        '-crl_check_all',
        '-attime',
        String(pki.nowMs / 1000),
        '-purpose',
        'any',
        '-CAfile',
        '{root.pem}',
        '-untrusted',
        '{ca.pem}',
        '-CRLfile',
        '{crls.pem}',
        '{leaf.pem}',
      ],
      {
        'root.pem': pem('CERTIFICATE', pki.member('root').der),
        'ca.pem': pem('CERTIFICATE', ca.der),
        'crls.pem': pem('X509 CRL', pki.crl(ca), pki.crl(pki.member('root'))),
        'leaf.pem': pem('CERTIFICATE', pki.member(name).der),
      },
    );
    expect(text).toMatch(expected);
  });
});
