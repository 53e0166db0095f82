import { expect, test } from 'vitest';
import { oids } from '../../../src/formats/asn1/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkSigner } from '../../../src/verify/check-signer.ts';
import type { Finding } from '../../../src/verify/report/report.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { weakMember } from '../../support/weak-keys.ts';

const DAY_MS = 86_400_000;
const pki = makeTestPki();
const { certificate } = pki.member('signer');
const root = pki.member('root');
/** Its certificate expires while that of the signer is still valid. */
const short = pki.issue({
  name: 'short responder',
  extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true },
  notAfterMs: pki.nowMs + 30 * DAY_MS,
});
const ofSigner = pki.ocsp(certificate, { responder: short });
const ofCa = pki.crl(root);

/** Concludes on the signer this many days later, with an OCSP response covered by a time-stamp. */
function conclude(days: number, mode: 'require' | 'ignore', crls: readonly Uint8Array[]) {
  const findings: Finding[] = [];
  const { outcome } = checkSigner(
    {
      certificate,
      atMs: pki.nowMs,
      algorithm: pki.member('signer').algorithm,
      digests: ['sha256'],
      data: { certificates: [], ocsp: [ofSigner], crls },
    },
    {
      pool: createCertificatePool([pki.member('ca').der, short.der]),
      anchors: [root.certificate],
      nowMs: pki.nowMs + days * DAY_MS,
      revocation: { mode },
      existence: { existedAtMs: () => pki.nowMs },
    },
    findings,
  );
  return { ...outcome, codes: findings.map(({ code }) => code) };
}

// ETSI EN 319 102-1 §5.6.2.2: time sliding uses the status of each certificate of the path.
test.each([
  ['of each certificate known, responder expired', 200, 'ignore', [ofCa], undefined],
  ['of the CA unknown, responder expired', 200, 'ignore', [], 'REVOCATION_OUT_OF_BOUNDS_NO_POE'],
  ['of the CA unknown, responder valid', 20, 'ignore', [], undefined],
  ['of each certificate known, required', 200, 'require', [ofCa], undefined],
  ['of the CA unknown, required', 200, 'require', [], 'TRY_LATER'],
] as const)('past validation with the revocation status %s', (_, days, mode, crls, expected) => {
  const { indication, subIndication, codes } = conclude(days, mode, crls);
  expect(indication).toBe(expected === undefined ? 'TOTAL-PASSED' : 'INDETERMINATE');
  expect(subIndication).toBe(expected);
  expect(codes).toEqual(crls.length === 0 ? ['revocation.unknown'] : []);
});

// ETSI EN 319 102-1 §5.5.4: a proven time before the certificate refutes, a chosen one does not.
test.each([
  ['proven by a time-stamp', 1, 'TOTAL-FAILED'],
  ['given by the caller', 0, 'INDETERMINATE'],
] as const)("a signing time before the certificate's validity, %s", (_, later, indication) => {
  const atMs = certificate.notBeforeMs - DAY_MS;
  const data = { certificates: [], ocsp: [ofSigner], crls: [ofCa] };
  const algorithm = pki.member('signer').algorithm;
  const { outcome } = checkSigner(
    { certificate, atMs, algorithm, digests: ['sha256'], data },
    {
      pool: createCertificatePool([pki.member('ca').der]),
      anchors: [root.certificate],
      nowMs: atMs + later * DAY_MS,
      revocation: { mode: 'ignore' },
    },
    [],
  );
  expect(outcome).toEqual({ indication, subIndication: 'NOT_YET_VALID' });
});

// An anchor is always trusted, but a signature before its certificate is not by its holder.
test.each([
  ['before the certificate, proven by a time-stamp', -1, 2, 'TOTAL-FAILED', 'NOT_YET_VALID'],
  [
    'within the validity of the certificate, proven by a time-stamp',
    1,
    2,
    'TOTAL-PASSED',
    undefined,
  ],
  ['within the validity of the certificate', 1, 0, 'TOTAL-PASSED', undefined],
] as const)(
  'a signer whose certificate is a trust anchor, %s',
  (_, days, later, indication, subIndication) => {
    const atMs = certificate.notBeforeMs + days * DAY_MS;
    const findings: Finding[] = [];
    const { algorithm } = pki.member('signer');
    const data = { certificates: [], ocsp: [], crls: [] };
    const { outcome } = checkSigner(
      { certificate, atMs, algorithm, digests: ['sha256'], data },
      {
        pool: createCertificatePool([]),
        anchors: [certificate],
        nowMs: atMs + later * DAY_MS,
        revocation: { mode: 'require' },
      },
      findings,
    );
    expect(outcome).toEqual({ indication, ...(subIndication && { subIndication }) });
    const isRefuted = subIndication !== undefined;
    expect(findings.map(({ code }) => code)).toEqual(isRefuted ? ['certificate.untrusted'] : []);
  },
);

const weakKey = weakMember(pki, 'an RSA key of 1024 bits', {
  extendedKeyUsage: [oids.ocspSigning],
  ocspNoCheck: true,
});
const ownStatus = weakMember(pki, 'an RSA key of 1024 bits', {
  extendedKeyUsage: [oids.ocspSigning],
});
const crypto = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';

const ca = pki.member('ca');
const expired = { name: 'expired signer', issuer: ca, notAfterMs: pki.nowMs - DAY_MS };
const signers = {
  'a strong algorithm': pki.issue(expired),
  'a weak algorithm': pki.issue({ ...expired, signedWith: { ...ca.algorithm, digest: 'sha1' } }),
};

// The certificate's own signature is validated before its period, the rest of the proof after it.
test.each([
  ['a strong algorithm', 'sha256', 'ignore', 'OUT_OF_BOUNDS_NO_POE'],
  ['a strong algorithm', 'sha1', 'ignore', 'OUT_OF_BOUNDS_NO_POE'],
  ['a weak algorithm', 'sha256', 'ignore', 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'],
  ['a weak algorithm', 'sha256', 'require', 'OUT_OF_BOUNDS_NO_POE'],
] as const)('an expired certificate signed with %s, document with %s, revocation: %s', (...row) => {
  const [by, digest, mode, subIndication] = row;
  const { certificate, algorithm } = signers[by];
  const data = { certificates: [], ocsp: [], crls: [] };
  const { outcome } = checkSigner(
    { certificate, atMs: pki.nowMs, algorithm, digests: [digest], data },
    {
      pool: createCertificatePool([ca.der]),
      anchors: [root.certificate],
      nowMs: pki.nowMs,
      revocation: { mode },
    },
    [],
  );
  expect(outcome).toEqual({ indication: 'INDETERMINATE', subIndication });
});

const old = signers['a strong algorithm'];
const oldAndWeak = signers['a weak algorithm'];
const responders = {
  strong: pki.member('ocsp'),
  weak: weakKey,
  'weak, of unknown status': ownStatus,
};
const current = { 'in force': pki.member('signer'), expired: old, 'expired and weak': oldAndWeak };

// ETSI EN 319 102-1 §5.2.6.4: a status must exist (step 4) and be strong (step 6) before the
// certificate's validity is examined (step 7). A weak status exists, and is not ignored.
test.each([
  ['in force', 'strong', 'require', undefined],
  ['in force', 'weak', 'require', crypto],
  ['in force', 'weak', 'ignore', crypto],
  ['in force', 'weak, of unknown status', 'require', 'TRY_LATER'],
  ['in force', 'weak, of unknown status', 'ignore', undefined],
  ['in force', undefined, 'ignore', undefined],
  ['expired', 'strong', 'require', 'OUT_OF_BOUNDS_NOT_REVOKED'],
  ['expired', 'weak', 'require', crypto],
  ['expired', 'weak', 'ignore', crypto],
  ['expired', 'weak, of unknown status', 'require', 'OUT_OF_BOUNDS_NO_POE'],
  ['expired and weak', 'strong', 'require', crypto],
] as const)('a signer %s whose status comes from a responder: %s, %s', (...row) => {
  const [name, by, mode, expected] = row;
  const { certificate: own, algorithm } = current[name];
  const [responder] = by === undefined ? [] : [responders[by]];
  const ocsp = responder === undefined ? [] : [pki.ocsp(own, statedBy(responder))];
  const findings: Finding[] = [];
  const { outcome } = checkSigner(
    {
      certificate: own,
      atMs: pki.nowMs,
      algorithm,
      digests: ['sha256'],
      data: { certificates: [], ocsp, crls: [ofCa] },
    },
    {
      pool: createCertificatePool([ca.der, ...(responder === undefined ? [] : [responder.der])]),
      anchors: [root.certificate],
      nowMs: pki.nowMs,
      revocation: { mode },
    },
    findings,
  );
  const indication = expected === undefined ? 'TOTAL-PASSED' : 'INDETERMINATE';
  expect(outcome).toEqual({ indication, ...(expected && { subIndication: expected }) });
  const isWeak = by !== 'strong' && expected === crypto;
  if (isWeak) expect(findings.map(({ code }) => code)).toContain('revocation.unknown');
});

/** Two days ago, before the expired certificates expired. */
function statedBy(responder: TestMember) {
  const thisUpdateMs = pki.nowMs - 2 * DAY_MS;
  return { responder, thisUpdateMs };
}
