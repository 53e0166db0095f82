import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import {
  buildOcspRequest,
  describeName,
  parseCertificate,
  parseCrl,
  parseOcspRequest,
  parseOcspResponse,
} from '../../../src/formats/x509/index.ts';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { makeTestPki, ocspId } from '../../support/pki.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const pki = makeTestPki();
const ca = pki.member('ca');
const root = pki.member('root');
const { certificate } = pki.member('signer');

const subjects: [string, Uint8Array, (bytes: Uint8Array) => unknown][] = [
  [
    'certificates',
    pki.member('signer').der,
    (bytes) => describeName(parseCertificate(bytes).subjectDer),
  ],
  ['CRLs', pki.crl(), (bytes) => parseCrl(bytes).findRevoked(certificate.serialNumber)],
  ['OCSP responses', pki.ocsp(certificate), parseOcspResponse],
  ['OCSP requests', buildOcspRequest([ocspId(certificate, ca.certificate)]), parseOcspRequest],
];

/** Replaced bytes, truncation and removed runs: enough to reach every branch of a parser. */
const damage = fc.record({
  edits: fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  }),
  cut: fc.option(fc.nat(4000), { freq: 4 }),
  drop: fc.option(fc.tuple(fc.nat(4000), fc.nat(40)), { freq: 4 }),
});

function apply(bytes: Uint8Array, wounds: typeof damage extends fc.Arbitrary<infer T> ? T : never) {
  let copy = Buffer.from(bytes);
  for (const [at, octet] of wounds.edits) copy[at % copy.length] = octet;
  if (wounds.drop !== null) {
    const [at, count] = wounds.drop;
    const start = at % copy.length;
    copy = Buffer.concat([copy.subarray(0, start), copy.subarray(start + count)]);
  }
  return wounds.cut === null ? copy : copy.subarray(0, wounds.cut % copy.length);
}

describe('damaged X.509 input', () => {
  test.each(subjects)('%s: fails only with an InnsigliError', (_title, bytes, parse) => {
    let refused = 0;
    fc.assert(
      fc.property(damage, (wounds) => {
        try {
          parse(apply(bytes, wounds));
        } catch (error) {
          if (!isInnsigliError(error)) throw error;
          refused++;
        }
      }),
      { numRuns: runs(3000) },
    );
    expect(refused).toBeGreaterThan(runs(100));
  });

  test('is never trusted, as a certificate, OCSP response or CRL', () => {
    const anchors = [root.certificate];
    const [signerDer, ocsp, crl] = [certificate.der, pki.ocsp(certificate), pki.crl()];
    fc.assert(
      fc.property(damage, (wounds) => {
        const pool = createCertificatePool([ca.der, root.der]);
        const damaged = pool.add(apply(signerDer, wounds));
        const atMs = pki.nowMs;
        if (damaged !== undefined && !Buffer.from(damaged.der).equals(signerDer)) {
          expect(findPath({ certificate: damaged, pool, anchors, atMs }).valid).toBe(false);
        }
        const answers = [apply(ocsp, wounds)].filter((one) => !one.equals(ocsp));
        const lists = [apply(crl, wounds)].filter((one) => !one.equals(crl));
        const data = { ocsp: answers, crls: lists };
        const issuer = ca.certificate;
        const verdict = checkRevocation({ certificate, issuer, data, pool, anchors, atMs });
        // Unsigned parts of an OCSP response may change: its certificates are only helpers.
        if (verdict.status !== 'unknown')
          expect(verdict).toMatchObject({ status: 'good', source: 'ocsp' });
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('a certificate with extensions that is not of version 3', () => {
  test.each([0, 1])('is rejected, encoded version %i', (version) => {
    const bytes = Buffer.from(pki.member('signer').der);
    expect(parseCertificate(bytes).version).toBe(3);
    bytes[bytes.indexOf('a003020102', 0, 'hex') + 4] = version;
    expect(() => parseCertificate(bytes)).toThrow('extensions, and not of version 3');
  });
});
