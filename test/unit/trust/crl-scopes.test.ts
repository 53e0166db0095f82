import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { crlWith, deltaOf, scope, type TestCrl } from '../../support/crl.ts';
import { caExtensions, dayMs } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root');
const ca = pki.member('ca');
const signer = pki.member('signer');
const now = pki.nowMs;
const url = signer.certificate.extensions.crlUrls[0] ?? '';
const hold = 6;
const removeFromCrl = 8;
const keyCompromise = 1;

const fresh = { thisUpdateMs: now - dayMs, nextUpdateMs: now + dayMs };
const listing = (reasonCode: number, member = signer) => ({
  entries: [{ member, revokedAtMs: now - 3 * dayMs, reasonCode }],
});
const by = (issuer: TestMember, crl: Partial<TestCrl> = {}) =>
  crlWith(issuer, { ...fresh, ...crl });
const base = (crl: Partial<TestCrl> = {}) => by(ca, { crlNumber: 10, ...crl });
const delta = (crl: Partial<TestCrl> = {}) =>
  by(ca, { crlNumber: 11, ...crl, extensions: [deltaOf(10), ...(crl.extensions ?? [])] });

function check(...crls: readonly Uint8Array[]) {
  return checkRevocation({
    certificate: signer.certificate,
    issuer: ca.certificate,
    data: { ocsp: [], crls },
    pool: createCertificatePool([ca.der, root.der]),
    anchors: [root.certificate],
    atMs: now,
  });
}

describe('a delta CRL', () => {
  test.each<[string, readonly Uint8Array[], 'good' | 'revoked' | 'unknown']>([
    ['that is empty leaves the base unchanged', [base(), delta()], 'good'],
    ['that revokes counts', [base(), delta(listing(keyCompromise))], 'revoked'],
    ['that revokes counts without its base, too', [delta(listing(keyCompromise))], 'revoked'],
    ['without its base does not prove a good status', [delta()], 'unknown'],
    ['lifts a hold', [base(listing(hold)), delta(listing(removeFromCrl))], 'good'],
    ['leaves a hold', [base(listing(hold)), delta()], 'revoked'],
    ['lifts only a hold', [base(listing(keyCompromise)), delta(listing(removeFromCrl))], 'revoked'],
    [
      'for a later base lifts nothing',
      [base({ ...listing(hold), crlNumber: 9 }), delta(listing(removeFromCrl))],
      'revoked',
    ],
    [
      'older than the base lifts nothing',
      [base({ ...listing(hold), crlNumber: 12 }), delta(listing(removeFromCrl))],
      'revoked',
    ],
    [
      'that is stale lifts nothing',
      [
        base({ ...listing(hold), thisUpdateMs: now - 4 * dayMs }),
        delta({
          ...listing(removeFromCrl),
          thisUpdateMs: now - 3 * dayMs,
          nextUpdateMs: now - 2 * dayMs,
        }),
      ],
      'revoked',
    ],
    [
      'of another scope lifts nothing',
      [base(listing(hold)), delta({ ...listing(removeFromCrl), extensions: [scope({ url })] })],
      'revoked',
    ],
    [
      'of an unrelated issuer with the same name is ignored',
      [
        base(),
        crlWith(pki.issue({ name: 'stranger', extensions: caExtensions }), {
          ...fresh,
          ...listing(keyCompromise),
          issuerDer: ca.certificate.subjectDer,
          extensions: [deltaOf(1)],
        }),
      ],
      'good',
    ],
  ])('%s', (_, crls, status) => {
    expect(check(...crls).status).toBe(status);
    expect(check(...crls.toReversed()).status).toBe(status);
  });

  test('is reported beside its base', () => {
    const [complete, changes] = [base(listing(hold)), delta(listing(removeFromCrl))];
    const verdict = check(complete, changes);
    expect(verdict.der).toBe(complete);
    expect(verdict.further).toEqual([changes]);
  });
});

test('removeFromCRL in a complete CRL does not lift a revocation', () => {
  expect(check(base(listing(removeFromCrl))).status).toBe('revoked');
});

describe('CRLs limited to some reasons', () => {
  const some = 0b110;
  const others = 0x1fe & ~some;
  const part = (reasons: number, crl: Partial<TestCrl> = {}) =>
    by(ca, { extensions: [scope({ reasons })], ...crl });
  test.each<[string, readonly Uint8Array[], 'good' | 'revoked' | 'unknown']>([
    ['alone do not prove a good status for the rest', [part(some)], 'unknown'],
    ['that together cover all', [part(some), part(others)], 'good'],
    ['that omit one reason', [part(some), part(others & ~(1 << 8))], 'unknown'],
    [
      'of which one is stale',
      [part(some), part(others, { nextUpdateMs: now - dayMs / 2 })],
      'unknown',
    ],
    ['of which one revokes', [part(some, listing(keyCompromise)), part(others)], 'revoked'],
    ['that revoke beside a complete one', [part(some, listing(keyCompromise)), base()], 'revoked'],
  ])('are combined: %s', (_, crls, status) => {
    expect(check(...crls).status).toBe(status);
  });
});

describe('a CRL for a distribution point', () => {
  test.each<[string, Uint8Array, 'good' | 'revoked' | 'unknown']>([
    ['of the certificate', by(ca, { extensions: [scope({ url })] }), 'good'],
    [
      'of other certificates',
      by(ca, { extensions: [scope({ url: 'http://127.0.0.1/other' })] }),
      'unknown',
    ],
    [
      'of other certificates that lists it nevertheless',
      by(ca, { ...listing(keyCompromise), extensions: [scope({ url: 'http://127.0.0.1/o' })] }),
      'revoked',
    ],
  ])('is used according to its scope: %s', (_, crl, status) => {
    expect(check(crl).status).toBe(status);
  });
});

describe('indirect CRLs', () => {
  const authority = pki.issue({ name: 'crl authority', issuer: root, extensions: caExtensions });
  const general = (nameDer: Uint8Array) => der.sequence(der.element(0xa4, [nameDer]));
  const issuedBy = (member: TestMember) =>
    [oids.certificateIssuer, general(member.certificate.subjectDer), true] as const;
  const entry = (...extensions: readonly (readonly [string, Uint8Array, boolean])[]) => ({
    entries: [{ member: signer, revokedAtMs: now - dayMs, extensions }],
  });
  const indirect = [scope({ isIndirect: true })];

  test('of an authority that the certificate does not name are ignored', () => {
    const crl = by(authority, { ...entry(issuedBy(ca)), extensions: indirect });
    expect(check(crl).status).toBe('unknown');
    expect(check(crl, base()).status).toBe('good');
  });

  test('of the issuer do not apply to entries of another issuer', () => {
    const own = (member: TestMember) =>
      check(by(ca, { ...entry(issuedBy(member)), extensions: indirect })).status;
    expect(own(ca)).toBe('revoked');
    expect(own(authority)).toBe('good');
  });

  test('apply the certificate issuer of an entry to the following ones', () => {
    const other = pki.member('rsa');
    const entries = [
      { member: other, revokedAtMs: now - dayMs, extensions: [issuedBy(authority)] },
      { member: signer, revokedAtMs: now - dayMs },
    ];
    expect(check(by(ca, { entries, extensions: indirect })).status).toBe('good');
  });
});

describe('critical extensions of CRLs', () => {
  const unknown = ['1.2.3.4.5', der.nil(), true] as const;
  const other = { member: pki.member('rsa'), revokedAtMs: now - dayMs };
  test.each<[string, Uint8Array]>([
    ['of the list', by(ca, { extensions: [unknown] })],
    ['of an entry', by(ca, { entries: [{ ...other, extensions: [unknown] }] })],
    [
      'of an entry that names another issuer in a direct list',
      by(ca, {
        entries: [{ ...other, extensions: [[oids.certificateIssuer, der.sequence(), true]] }],
      }),
    ],
  ])('that are unknown prevent a good status: %s', (_, crl) => {
    expect(check(crl)).toMatchObject({
      status: 'unknown',
      message: expect.stringContaining('unknown critical extension'),
    });
  });

  test('that are known, and non-critical unknown ones, change nothing', () => {
    const known = [oids.invalidityDate, der.generalizedTime(now), true] as const;
    const harmless = ['1.2.3.4.5', der.nil(), false] as const;
    const crl = by(ca, { entries: [{ ...other, extensions: [known, harmless] }] });
    expect(check(crl).status).toBe('good');
  });
});
