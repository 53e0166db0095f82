import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { buildOcspFailure, keyUsageBits } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import {
  checkRevocation,
  type RevocationVerdict,
} from '../../../src/trust/revocation/revocation.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { makeTestPki, signWith, type TestMember } from '../../support/pki.ts';
import { costlyTest } from '../../support/sample.ts';

const pki = makeTestPki();
const root = pki.member('root');
const ca = pki.member('ca');
const signer = pki.member('signer');
const revoked = pki.member('revoked');
const DAY_MS = 24 * 3_600_000;

function check(
  subject: TestMember,
  data: { ocsp?: readonly Uint8Array[]; crls?: readonly Uint8Array[] },
  times: { atMs?: number; nowMs?: number } = {},
  issuer = ca,
): RevocationVerdict {
  return checkRevocation({
    certificate: subject.certificate,
    issuer: issuer.certificate,
    data: { ocsp: data.ocsp ?? [], crls: data.crls ?? [] },
    pool: createCertificatePool([ca.der, root.der]),
    anchors: [root.certificate],
    atMs: times.atMs ?? pki.nowMs,
    ...(times.nowMs === undefined ? {} : { nowMs: times.nowMs }),
  });
}

describe('OCSP responses', () => {
  const about = signer.certificate;
  const otherPki = makeTestPki();

  test('report a good status with the evidence', () => {
    const ocsp = pki.ocsp(about);
    const verdict = check(signer, { ocsp: [ocsp] });
    expect(verdict).toMatchObject({
      status: 'good',
      source: 'ocsp',
      thisUpdateMs: pki.nowMs,
      nextUpdateMs: pki.nowMs + 7 * DAY_MS,
    });
    expect(verdict.der).toBe(ocsp);
    expect(verdict.responder?.extensions.ocspNoCheck).toBe(true);
  });

  test('match a certificate whose issuer name uses another string type', () => {
    // RFC 6960 §4.1.1: the name as encoded in the certificate in question.
    const subjectDer = Uint8Array.from(ca.certificate.subjectDer);
    const at = subjectDer.lastIndexOf(0x0c);
    expect(at).toBeGreaterThan(0);
    subjectDer[at] = 0x13;
    const twin = pki.issue({
      name: 'ca',
      issuer: root,
      subjectDer,
      keyOf: ca,
      extensions: { basicConstraints: { ca: true } },
    });
    const ocsp = [pki.ocsp(revoked.certificate)];
    expect(check(revoked, { ocsp }, {}, twin).status).toBe('revoked');
    expect(check(signer, { ocsp: [pki.ocsp(about)] }, {}, twin).status).toBe('good');
  });

  test('report a revocation with time and reason', () => {
    expect(check(revoked, { ocsp: [pki.ocsp(revoked.certificate)] })).toMatchObject({
      status: 'revoked',
      revokedAtMs: pki.nowMs - 5 * DAY_MS,
      reason: 'keyCompromise',
    });
  });

  test.each<[string, () => Uint8Array, 'good' | 'unknown', RegExp]>([
    [
      'SHA-256 identifiers',
      () => pki.ocsp(about, { digest: 'sha256' }),
      'good',
      /good according to the OCSP/,
    ],
    ['the issuer signs itself', () => pki.ocsp(about, { responder: ca }), 'good', /good/],
    ['the responder certificate is only in the response', () => pki.ocsp(about), 'good', /good/],
    [
      'the responder certificate is missing',
      () => pki.ocsp(about, { certificates: [] }),
      'unknown',
      /is missing/,
    ],
    [
      'the responder reports unknown',
      () => pki.ocsp(about, { status: 'unknown' }),
      'unknown',
      /does not know/,
    ],
    [
      'a responder without the purpose',
      () => pki.ocsp(about, { responder: pki.member('rsa') }),
      'unknown',
      /not allowed to respond/,
    ],
    [
      'a responder of another CA',
      () =>
        pki.ocsp(about, {
          responder: otherPki.issue({
            name: 'other-responder',
            extensions: { extendedKeyUsage: [oids.ocspSigning] },
          }),
        }),
      'unknown',
      /not authorised/,
    ],
    [
      'a responder of the root',
      () =>
        pki.ocsp(about, {
          responder: pki.issue({
            name: 'root-responder',
            issuer: root,
            extensions: { extendedKeyUsage: [oids.ocspSigning] },
          }),
        }),
      'unknown',
      /not authorised/,
    ],
    [
      'an expired responder',
      () =>
        pki.ocsp(about, {
          responder: pki.issue({
            name: 'old-responder',
            notAfterMs: pki.nowMs - DAY_MS,
            extensions: { extendedKeyUsage: [oids.ocspSigning] },
          }),
        }),
      'unknown',
      /had expired/,
    ],
    [
      'an incorrect signature',
      () => pki.ocsp(about, { sign: () => new Uint8Array(70) }),
      'unknown',
      /signature of the OCSP response is invalid/,
    ],
    [
      'a signature over different data',
      () => pki.ocsp(about, { sign: () => signWith(pki.member('ocsp'), new Uint8Array(3)) }),
      'unknown',
      /is invalid/,
    ],
    [
      'a different certificate',
      () => pki.ocsp(revoked.certificate),
      'unknown',
      /no revocation data covers/,
    ],
    [
      'another issuer',
      () => pki.ocsp(about, { issuer: root }),
      'unknown',
      /no revocation data covers/,
    ],
    [
      'dated tomorrow',
      () => pki.ocsp(about, { thisUpdateMs: pki.nowMs + DAY_MS }),
      'unknown',
      /later than/,
    ],
    [
      'stale',
      () =>
        pki.ocsp(about, { thisUpdateMs: pki.nowMs - 9 * DAY_MS, nextUpdateMs: pki.nowMs - DAY_MS }),
      'unknown',
      /stale/,
    ],
    ['open-ended and new', () => pki.ocsp(about, { nextUpdateMs: undefined }), 'good', /good/],
    [
      'open-ended and old',
      () => pki.ocsp(about, { nextUpdateMs: undefined, thisUpdateMs: pki.nowMs - 2 * DAY_MS }),
      'unknown',
      /stale/,
    ],
    ['an error status', () => buildOcspFailure('tryLater'), 'unknown', /tryLater/],
    ['garbage', () => Uint8Array.of(1, 2, 3), 'unknown', /not an OCSP response/],
  ])('lead to the expected status: %s', (_title, make, status, message) => {
    const verdict = check(signer, { ocsp: [make()] });
    expect(verdict.message).toMatch(message);
    expect(verdict.status).toBe(status);
  });

  test('of a responder shown to be revoked are rejected', () => {
    const responder = pki.issue({
      name: 'bad-responder',
      extensions: { extendedKeyUsage: [oids.ocspSigning] },
    });
    const answer = pki.ocsp(about, { responder });
    const notice = pki.ocsp(responder.certificate, { status: 'revoked' });
    expect(check(signer, { ocsp: [answer] }).status).toBe('good');
    expect(check(signer, { ocsp: [answer, notice] })).toMatchObject({
      status: 'unknown',
      message: expect.stringMatching(/responder is revoked/),
    });
  });

  test('are used up to the time of verification', () => {
    const later = pki.ocsp(about, {
      thisUpdateMs: pki.nowMs + 30 * DAY_MS,
      nextUpdateMs: pki.nowMs + 31 * DAY_MS,
    });
    expect(check(signer, { ocsp: [later] }).status).toBe('unknown');
    expect(check(signer, { ocsp: [later] }, { nowMs: pki.nowMs + 30 * DAY_MS }).status).toBe(
      'good',
    );
  });

  test('are compared by time: the newest decides, or the worse of the same second', () => {
    const good = pki.ocsp(about, { thisUpdateMs: pki.nowMs - DAY_MS });
    const bad = pki.ocsp(about, { status: 'revoked' });
    expect(check(signer, { ocsp: [good, bad] }).status).toBe('revoked');
    expect(check(signer, { ocsp: [bad, good] }).status).toBe('revoked');
    expect(check(signer, { ocsp: [pki.ocsp(about), bad] }).status).toBe('revoked');
  });
});

describe('CRLs', () => {
  test('report good and revoked certificates', () => {
    const crl = pki.crl();
    expect(check(signer, { crls: [crl] })).toMatchObject({
      status: 'good',
      source: 'crl',
      der: crl,
    });
    expect(check(revoked, { crls: [crl] })).toMatchObject({
      status: 'revoked',
      reason: 'keyCompromise',
    });
    expect(check(ca, { crls: [crl, pki.crl(root)] }, {}, root).status).toBe('good');
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    ['of another issuer', () => pki.crl(root), /no revocation data covers/],
    [
      'signed by another key',
      () => pki.crl({ ...ca, privateKey: root.privateKey }),
      /signature of the CRL is invalid/,
    ],
    [
      'stale',
      () => pki.crl(ca, { thisUpdateMs: pki.nowMs - 9 * DAY_MS, nextUpdateMs: pki.nowMs - DAY_MS }),
      /stale/,
    ],
    ['dated tomorrow', () => pki.crl(ca, { thisUpdateMs: pki.nowMs + DAY_MS }), /later than/],
    ['garbage', () => Uint8Array.of(0x30, 3, 1, 2), /not a CRL/],
  ])('prove nothing: %s', (_title, make, message) => {
    const verdict = check(signer, { crls: [make()] });
    expect(verdict.message).toMatch(message);
    expect(verdict.status).toBe('unknown');
  });

  test('of an issuer without cRLSign are rejected', () => {
    const issuer = pki.issue({
      name: 'no-crl',
      issuer: root,
      extensions: { basicConstraints: { ca: true }, keyUsage: keyUsageBits.keyCertSign },
    });
    const leaf = pki.issue({ name: 'no-crl-leaf', issuer });
    const verdict = check(leaf, { crls: [pki.crl(issuer)] }, {}, issuer);
    expect(verdict).toMatchObject({
      status: 'unknown',
      message: expect.stringMatching(/is not permitted to sign CRLs/),
    });
  });

  test('issued after the certificate expired prove nothing by omitting it', () => {
    const expired = pki.member('expired');
    expect(check(expired, { crls: [pki.crl()] }).message).toMatch(/after the certificate expired/);
  });
});

costlyTest('a flood of matching revocation data is processed in bounded time', () => {
  const responder = pki.issue({
    name: 'slow-responder',
    extensions: { extendedKeyUsage: [oids.ocspSigning] },
  });
  const answer = pki.ocsp(signer.certificate, { responder });
  const forged = Array.from({ length: 1500 }, (_, index) => {
    const copy = Buffer.from(pki.crl());
    copy.writeUInt16BE(index, copy.length - 8);
    return copy;
  });
  const answers = new Array(1500).fill(answer);
  const start = cpuMs();
  expect(check(signer, { ocsp: answers, crls: forged.slice(0, 100) }).status).toBe('good');
  // Unexamined data may be the proof of a revocation.
  const excess = expect.objectContaining({ code: 'limit.exceeded' });
  expect(() => check(signer, { ocsp: answers, crls: forged })).toThrow(excess);
  expect(cpuMs() - start).toBeLessThan(3000);
});

test('the status is unknown without data', () => {
  expect(check(signer, {})).toEqual({ status: 'unknown', message: 'there is no revocation data' });
});

test('values that merely resemble DER never throw', () => {
  const junk = [
    der.sequence(),
    der.nil(),
    der.sequence(der.sequence(), der.sequence(), der.bitString(new Uint8Array(2))),
    new Uint8Array(70_000),
  ];
  expect(check(signer, { ocsp: junk, crls: junk }).status).toBe('unknown');
});
