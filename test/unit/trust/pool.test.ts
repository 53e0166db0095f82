import { describe, expect, test } from 'vitest';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root');
const ca = pki.member('ca');
const signer = pki.member('signer');

describe('a certificate pool', () => {
  test('returns one instance for the same bytes, even across pools', () => {
    const pool = createCertificatePool([signer.der, ca.der, signer.der.slice()]);
    expect(pool.all).toHaveLength(2);
    expect(pool.add(signer.der.slice())).toBe(pool.all[0]);
    expect(createCertificatePool([signer.der]).all[0]).toBe(pool.all[0]);
  });

  test('does not change when the caller overwrites the bytes', () => {
    const bytes = signer.der.slice();
    const pool = createCertificatePool([bytes]);
    bytes.fill(0);
    expect(Buffer.from(pool.all[0]?.der ?? []).equals(signer.der)).toBe(true);
  });

  test('skips anything that is not a certificate', () => {
    const pool = createCertificatePool([new Uint8Array(), Uint8Array.of(1, 2, 3), pki.crl()]);
    expect(pool.all).toHaveLength(0);
    expect(pool.add(Uint8Array.of(0x30, 0))).toBeUndefined();
  });

  test('finds issuers by name, those with the matching key identifier first', () => {
    const other = pki.issue({ name: 'other', subjectDer: ca.certificate.subjectDer, issuer: root });
    const pool = createCertificatePool([other.der, root.der, ca.der]);
    const found = pool
      .issuersOf(signer.certificate)
      .map(({ der }) => Buffer.from(der).toString('hex'));
    expect(found).toEqual([ca, other].map(({ der }) => Buffer.from(der).toString('hex')));
    expect(pool.issuersOf(root.certificate)).toHaveLength(1);
  });
});
