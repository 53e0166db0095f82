import { describe, expect, test } from 'vitest';
import { buildName, comparableName } from '../../../src/formats/x509/index.ts';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { verifyTimestampToken } from '../../../src/trust/timestamp.ts';
import { caExtensions, tokenBy } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root');
const atMs = pki.nowMs;
const LIMIT_MS = 2_000;
const many = 10_000;

/** Copies that differ in a byte of the signature: cheap to create, and all invalid. */
function forged(member: TestMember, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const der = Uint8Array.from(member.der);
    const end = der.length;
    for (const place of [1, 2, 3]) der[end - place] = (index >> (8 * (place - 1))) & 0xff;
    return der;
  });
}

/** Measures processor time, which is independent of the machine's load. */
function timed<T>(run: () => T): T {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
  return result;
}

describe(`${many} forged certificates are processed in time`, () => {
  const ca = pki.member('ca');
  const signer = pki.member('signer');

  test('with the name of the issuer', () => {
    const ders = forged(ca, many);
    const result = timed(() => {
      const pool = createCertificatePool(ders);
      return findPath({
        certificate: signer.certificate,
        pool,
        anchors: [root.certificate],
        atMs,
      });
    });
    expect(result.valid).toBe(false);
  });

  test('as trust anchors', () => {
    const anchors = forged(root, many).flatMap((der) => createCertificatePool([der]).all);
    const pool = createCertificatePool([ca.der]);
    const result = timed(() =>
      findPath({
        certificate: signer.certificate,
        pool,
        anchors: [...anchors, root.certificate],
        atMs,
      }),
    );
    expect(result.valid).toBe(true);
  });

  test('with the name of a time-stamp authority', () => {
    const ders = forged(pki.member('tsa'), many);
    const data = Buffer.from('data');
    const token = tokenBy(pki, pki.member('tsa'), atMs)(data);
    const verdict = timed(() =>
      verifyTimestampToken({ token, imprint: data, pool: createCertificatePool(ders) }),
    );
    expect(verdict.valid).toBe(true);
  });

  test('with the name of a CRL issuer', () => {
    const pool = createCertificatePool(forged(ca, many));
    const verdict = timed(() =>
      checkRevocation({
        certificate: signer.certificate,
        issuer: ca.certificate,
        data: { ocsp: [], crls: Array.from({ length: 200 }, () => pki.crl()) },
        pool,
        anchors: [root.certificate],
        atMs,
      }),
    );
    expect(verdict.status).toBe('good');
  });
});

test('paths among CAs that certify each other are searched in bounded time', () => {
  const keys = Array.from({ length: 12 }, (_, index) =>
    pki.issue({ name: `ring ${index}`, extensions: caExtensions }),
  );
  const ring = keys.flatMap((issuer) =>
    keys.map((keyOf) => pki.issue({ name: keyOf.name, keyOf, issuer, extensions: caExtensions })),
  );
  const leaf = pki.issue({ name: 'ring leaf', issuer: keys[0] as TestMember });
  const pool = createCertificatePool(ring.map(({ der }) => der));
  const result = timed(() =>
    findPath({ certificate: leaf.certificate, pool, anchors: [root.certificate], atMs }),
  );
  expect(result.valid).toBe(false);
});

test('names of a megabyte are compared and built into paths in time', () => {
  const commonName = 'n'.repeat(1_000_000);
  const subjectDer = buildName({ commonName });
  const issuer = pki.issue({ name: 'long', issuer: root, subjectDer, extensions: caExtensions });
  const leaf = pki.issue({ name: 'below', issuer });
  const pool = createCertificatePool([issuer.der]);
  const anchors = [root.certificate];
  const result = timed(() => {
    expect(comparableName(subjectDer)).toContain(commonName);
    return findPath({ certificate: leaf.certificate, pool, anchors, atMs });
  });
  expect(result.valid).toBe(true);
});
