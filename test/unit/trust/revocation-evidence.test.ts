import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { serializeSignatureAlgorithm } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import {
  checkRevocation,
  type RevocationVerdict,
} from '../../../src/trust/revocation/revocation.ts';
import { caExtensions } from '../../support/hand-signed.ts';
import { makeTestPki, signWith, type TestMember } from '../../support/pki.ts';
import { weakMember } from '../../support/weak-keys.ts';

const pki = makeTestPki();
const [root, ca, signer] = [pki.member('root'), pki.member('ca'), pki.member('signer')];
const about = signer.certificate;
const DAY_MS = 24 * 3_600_000;
const responding = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };

interface Data {
  readonly ocsp?: readonly Uint8Array[];
  readonly crls?: readonly Uint8Array[];
}

function check({ ocsp = [], crls = [] }: Data, subject = signer, issuer = ca): RevocationVerdict {
  return checkRevocation({
    certificate: subject.certificate,
    issuer: issuer.certificate,
    data: { ocsp, crls },
    pool: createCertificatePool([issuer.der, root.der]),
    anchors: [root.certificate],
    atMs: pki.nowMs,
  });
}

/** Revocation data about the signer with status good or revoked, with one fault. */
type Make = (status: 'good' | 'revoked') => Data;

const old = { thisUpdateMs: pki.nowMs - 40 * DAY_MS };
const stale = { thisUpdateMs: pki.nowMs - 9 * DAY_MS, nextUpdateMs: pki.nowMs - DAY_MS };
const listed = (status: 'good' | 'revoked') => (status === 'revoked' ? [signer] : []);

const flaws: readonly (readonly [string, RegExp, Make])[] = [
  [
    'an OCSP response older than the certificate',
    /is older than the certificate/,
    (status) => ({ ocsp: [pki.ocsp(about, { status, ...old })] }),
  ],
  [
    'a CRL older than the certificate',
    /is older than the certificate/,
    (status) => ({ crls: [pki.crl(ca, { revoked: listed(status), ...old })] }),
  ],
  [
    'an OCSP response past its nextUpdate',
    /stale/,
    (status) => ({ ocsp: [pki.ocsp(about, { status, ...stale })] }),
  ],
  [
    'a CRL past its nextUpdate',
    /stale/,
    (status) => ({ crls: [pki.crl(ca, { revoked: listed(status), ...stale })] }),
  ],
  [
    'an OCSP response dated tomorrow',
    /later than/,
    (status) => ({ ocsp: [pki.ocsp(about, { status, thisUpdateMs: pki.nowMs + DAY_MS })] }),
  ],
  [
    'thisUpdate after producedAt',
    /states a time after its signature/,
    (status) => ({ ocsp: [pki.ocsp(about, { status, producedAtMs: pki.nowMs - 60_000 })] }),
  ],
  [
    'nextUpdate before thisUpdate',
    /ends before it starts/,
    (status) => ({ ocsp: [pki.ocsp(about, { status, nextUpdateMs: pki.nowMs - 60_000 })] }),
  ],
  [
    'a responder that had expired when it signed',
    /certificate of the OCSP responder had expired/,
    (status) => {
      const notAfterMs = pki.nowMs - DAY_MS;
      const responder = pki.issue({ name: 'late', notAfterMs, extensions: responding });
      return { ocsp: [pki.ocsp(about, { status, responder })] };
    },
  ],
  [
    'a responder not yet valid when it signed',
    /certificate of the OCSP responder was not valid yet/,
    (status) => {
      const notBeforeMs = pki.nowMs - DAY_MS;
      const responder = pki.issue({ name: 'early', notBeforeMs, extensions: responding });
      const thisUpdateMs = pki.nowMs - 2 * DAY_MS;
      return { ocsp: [pki.ocsp(about, { status, responder, thisUpdateMs })] };
    },
  ],
  [
    'a revoked responder',
    /responder is revoked/,
    (status) => {
      const responder = pki.issue({
        name: 'bad',
        extensions: { extendedKeyUsage: [oids.ocspSigning] },
      });
      const notice = pki.ocsp(responder.certificate, { status: 'revoked' });
      return { ocsp: [pki.ocsp(about, { status, responder }), notice] };
    },
  ],
  [
    'a CRL for another distribution point',
    /a different distribution point/,
    (status) => ({ crls: [scopedCrl(listed(status), elsewhere)] }),
  ],
  [
    'a CRL for some reasons only',
    /some reasons/,
    (status) => ({ crls: [scopedCrl(listed(status), someReasons)] }),
  ],
];

/** `[0] distributionPoint { [0] fullName { [6] URI } }`. */
const elsewhere = der.explicit(
  0,
  der.explicit(0, der.element(0x86, [Buffer.from('http://elsewhere.example/crl')])),
);
/** `[3] onlySomeReasons { keyCompromise }`. */
const someReasons = der.element(0x83, [Uint8Array.of(0x06, 0x40)]);

/** A CRL of the issuing CA with an issuingDistributionPoint. @spec RFC 5280 §5.2.5 */
function scopedCrl(revoked: readonly TestMember[], scope: Uint8Array): Uint8Array {
  const algorithm = serializeSignatureAlgorithm(ca.algorithm);
  const entries = revoked.map(({ certificate: { serialNumber } }) =>
    der.sequence(der.integerFromContent(serialNumber), der.certificateTime(pki.nowMs - DAY_MS)),
  );
  const tbs = der.sequence(
    der.smallInteger(1),
    algorithm,
    ca.certificate.subjectDer,
    der.certificateTime(pki.nowMs),
    der.certificateTime(pki.nowMs + DAY_MS),
    ...(entries.length === 0 ? [] : [der.sequence(...entries)]),
    der.explicit(
      0,
      der.sequence(
        der.sequence(
          der.oid(oids.issuingDistributionPoint),
          der.boolean(true),
          der.octetString(der.sequence(scope)),
        ),
      ),
    ),
  );
  return der.sequence(tbs, algorithm, der.bitString(signWith(ca, tbs)));
}

describe.each(flaws)('%s', (_title, message, make) => {
  test('does not prove a good status', () => {
    expect(check(make('good'))).toMatchObject({
      status: 'unknown',
      message: expect.stringMatching(message),
    });
  });

  test('still proves a revocation, even beside a good response', () => {
    const { ocsp = [], crls = [] } = make('revoked');
    expect(check({ ocsp, crls })).toMatchObject({ status: 'revoked' });
    expect(check({ ocsp: [pki.ocsp(about), ...ocsp], crls })).toMatchObject({ status: 'revoked' });
  });

  test('does not hide a good CRL', () => {
    const { ocsp = [], crls = [] } = make('good');
    expect(check({ ocsp, crls: [...crls, pki.crl()] })).toMatchObject({
      status: 'good',
      source: 'crl',
    });
  });
});

describe('revocation data of a party not authorised by the issuer', () => {
  const strangers = makeTestPki();
  const outsider = { responder: strangers.member('ocsp') };
  const noPurpose = { responder: pki.member('rsa') };
  test.each([
    ['a responder of another CA', outsider],
    ['a certificate without the purpose', noPurpose],
  ])('has no effect: %s', (_title, options) => {
    const bad = pki.ocsp(about, { status: 'revoked', ...options });
    expect(check({ ocsp: [bad] }).status).toBe('unknown');
    expect(check({ ocsp: [bad], crls: [pki.crl()] }).status).toBe('good');
  });

  test('has no effect: a CRL signed by another key', () => {
    const forged = pki.crl({ ...ca, privateKey: root.privateKey }, { revoked: [signer] });
    expect(check({ crls: [forged] }).status).toBe('unknown');
  });
});

describe('revocation data signed by an expired issuer', () => {
  const expired = pki.issue({
    name: 'expired ca',
    issuer: root,
    notAfterMs: pki.nowMs - DAY_MS,
    extensions: caExtensions,
  });
  const leaf = pki.issue({ name: 'leaf of expired ca', issuer: expired });
  test.each([
    ['OCSP', { ocsp: [pki.ocsp(leaf.certificate, { issuer: expired, responder: expired })] }],
    ['CRL', { crls: [pki.crl(expired)] }],
  ])('has no effect: %s', (_title, data) => {
    const verdict = check(data, leaf, expired);
    expect(verdict.message).toMatch(/certificate that signed the .* had expired/);
    expect(verdict.status).toBe('unknown');
  });
});

test('of several statuses for one certificate in a response the worst counts', () => {
  const responses = (status: 'good' | 'unknown', also: 'revoked' | 'unknown') =>
    check({ ocsp: [pki.ocsp(about, { status, also: [also] })] }).status;
  expect(responses('good', 'revoked')).toBe('revoked');
  expect(responses('unknown', 'revoked')).toBe('revoked');
  expect(responses('good', 'unknown')).toBe('unknown');
});

test('the earliest of several revocations decides', () => {
  const at = (days: number) =>
    pki.ocsp(about, { status: 'revoked', revokedAtMs: pki.nowMs - days * DAY_MS });
  const crl = pki.crl(ca, { revoked: [signer], revokedAtMs: pki.nowMs - 3 * DAY_MS });
  expect(check({ ocsp: [at(2), at(4)], crls: [crl] })).toMatchObject({
    status: 'revoked',
    revokedAtMs: pki.nowMs - 4 * DAY_MS,
  });
});

test('removeFromCRL in a complete CRL or an OCSP response does not lift a revocation', () => {
  const crl = pki.crl(ca, { revoked: [signer], reasonCode: 8 });
  expect(check({ crls: [crl] })).toMatchObject({ status: 'revoked', reason: 'removeFromCRL' });
  const ocsp = pki.ocsp(about, { status: 'revoked', reasonCode: 8 });
  expect(check({ ocsp: [ocsp] }).status).toBe('revoked');
});

test('a hold counts until newer data says good', () => {
  const hold = (thisUpdateMs: number) =>
    pki.crl(ca, { revoked: [signer], reasonCode: 6, thisUpdateMs });
  const today = pki.ocsp(about);
  const yesterday = pki.ocsp(about, { thisUpdateMs: pki.nowMs - DAY_MS });
  expect(check({ ocsp: [today], crls: [hold(pki.nowMs - DAY_MS)] }).status).toBe('good');
  expect(check({ ocsp: [yesterday], crls: [hold(pki.nowMs)] })).toMatchObject({
    status: 'revoked',
    reason: 'certificateHold',
  });
  expect(check({ ocsp: [today], crls: [hold(pki.nowMs)] }).status).toBe('revoked');
});

describe('the responder of a good response', () => {
  const revocable = { extendedKeyUsage: [oids.ocspSigning] };
  const responder = pki.issue({ name: 'asked-responder', extensions: revocable });
  const answer = pki.ocsp(about, { responder });

  test('has an unknown status without nocheck and without a response about itself', () => {
    expect(check({ ocsp: [answer] })).toMatchObject({
      status: 'good',
      responderStatus: 'unknown',
    });
    expect(check({ ocsp: [pki.ocsp(about)] }).responderStatus).toBeUndefined();
  });

  test('gets a good status from an independent response, but not from itself or in a circle', () => {
    expect(check({ ocsp: [answer, pki.ocsp(responder.certificate)] }).responderStatus).toBe('good');
    const own = pki.ocsp(responder.certificate, { responder });
    expect(check({ ocsp: [answer, own] }).responderStatus).toBe('unknown');
    const other = pki.issue({ name: 'other-responder', extensions: revocable });
    const byOther = pki.ocsp(responder.certificate, { responder: other });
    const back = pki.ocsp(other.certificate, { responder });
    for (const ocsp of [
      [answer, byOther],
      [answer, byOther, back],
      [back, byOther, answer],
    ]) {
      expect(check({ ocsp }).responderStatus).toBe('unknown');
    }
    const whole = [answer, byOther, pki.ocsp(other.certificate)];
    expect(check({ ocsp: whole }).responderStatus).toBe('good');
  });

  test('with a known status takes precedence over a newer one without', () => {
    const older = pki.ocsp(about, { thisUpdateMs: pki.nowMs - DAY_MS });
    const verdict = check({ ocsp: [answer, older] });
    expect(verdict.thisUpdateMs).toBe(pki.nowMs - DAY_MS);
  });
});

test.each(['an RSA key of 1024 bits', 'a certificate signed with SHA-1', 'P-192'] as const)(
  'a responder with %s is weak, and a response of a strong one takes precedence',
  (weakness) => {
    const responder = weakMember(pki, weakness, responding);
    const weak = pki.ocsp(about, { responder });
    expect(check({ ocsp: [weak] })).toMatchObject({
      status: 'good',
      weakness: expect.stringMatching(/too weak/),
    });
    const strong = pki.ocsp(about, { thisUpdateMs: pki.nowMs - DAY_MS });
    expect(check({ ocsp: [weak, strong] }).weakness).toBeUndefined();
    const bad = pki.ocsp(about, { responder, status: 'revoked' });
    expect(check({ ocsp: [bad, strong] }).status).toBe('revoked');
  },
);

test('a response issued after the certificate expired is not accepted for it', () => {
  const expired = pki.member('expired');
  expect(check({ ocsp: [pki.ocsp(expired.certificate)] }, expired).message).toMatch(
    /issued after the certificate expired/,
  );
});
