import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { oids } from '../../src/formats/asn1/index.ts';
import { createCertificatePool } from '../../src/trust/pool.ts';
import { checkSigner } from '../../src/verify/check-signer.ts';
import { caExtensions, dayMs, keyHolder } from '../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';

// The status of one certificate of a path must not hide that of another, whatever their positions.
// EN 319 102-1 §5.2.6.4: revocation and missing status (step 4) come before weak algorithms (step
// 6), and these before evidence whose signer has expired (step 8).
const pki = makeTestPki();
const root = pki.member('root');
const ca = pki.issue({ name: 'upper ca', issuer: root, extensions: caExtensions });
const subCa = pki.issue({ name: 'lower ca', issuer: ca, extensions: caExtensions });
const signer = pki.issue({ name: 'signer of orders', issuer: subCa });
const path: readonly (readonly [TestMember, TestMember])[] = [
  [signer, subCa],
  [subCa, ca],
  [ca, root],
];

const weakPair = generateKeyPairSync('rsa', { modulusLength: 1024 });
const weakKey = keyHolder(weakPair.privateKey, { scheme: 'rsa-pkcs1', digest: 'sha256' });
const responding = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };
const responderOf = (issuer: TestMember, isWeak: boolean) =>
  pki.issue({
    name: 'responder',
    issuer,
    extensions: responding,
    ...(isWeak ? { keyOf: weakKey } : { notAfterMs: pki.nowMs + 30 * dayMs }),
  });

const kinds = [
  'good',
  'nothing',
  'weak',
  'outdated',
  'on hold',
  'revoked',
  'revoked later',
] as const;
type Kind = (typeof kinds)[number];
const provedMs = pki.nowMs;
const laterMs = pki.nowMs + 60 * dayMs;

/** An OCSP response of the kind on the certificate, and the certificate of its responder. */
function statement(kind: Kind, [member, issuer]: readonly [TestMember, TestMember]) {
  if (kind === 'nothing') return { ocsp: [], certificates: [] };
  const own = { issuer, responder: issuer, certificates: [], nextUpdateMs: laterMs + dayMs };
  const make = (options: object, responder?: TestMember) => ({
    ocsp: [pki.ocsp(member.certificate, { ...own, ...options, ...(responder && { responder }) })],
    certificates: responder === undefined ? [] : [responder.der],
  });
  const revokedAtMs = pki.nowMs - dayMs;
  const revoked = { status: 'revoked', revokedAtMs } as const;
  switch (kind) {
    case 'good':
      return make({});
    case 'weak':
      return make({}, responderOf(issuer, true));
    case 'outdated':
      return make({}, responderOf(issuer, false));
    case 'on hold':
      return make({ ...revoked, reasonCode: 6 });
    case 'revoked':
      return make({ ...revoked, reasonCode: 1 });
    case 'revoked later':
      return make({
        ...revoked,
        reasonCode: 1,
        revokedAtMs: pki.nowMs + dayMs,
        thisUpdateMs: pki.nowMs + 2 * dayMs,
      });
  }
}

const statements = path.map((pair) => new Map(kinds.map((kind) => [kind, statement(kind, pair)])));

function conclude(found: readonly Kind[], mode: 'require' | 'ignore'): string {
  const parts = found.map((kind, at) => statements[at]?.get(kind));
  const pool = [subCa.der, ca.der, ...parts.flatMap((part) => part?.certificates ?? [])];
  const ocsp = parts.flatMap((part) => part?.ocsp ?? []);
  const { outcome } = checkSigner(
    {
      certificate: signer.certificate,
      atMs: provedMs,
      algorithm: signer.algorithm,
      digests: ['sha256'],
      data: { certificates: [], ocsp, crls: [] },
    },
    {
      pool: createCertificatePool(pool),
      anchors: [root.certificate],
      nowMs: laterMs,
      revocation: { mode },
    },
    [],
  );
  return outcome.subIndication ?? outcome.indication;
}

/** The result of the clause, by the status of signer, lower and upper CA. */
function expected(found: readonly Kind[], mode: 'require' | 'ignore'): string {
  const has = (kind: Kind) => found.includes(kind);
  if (found[0] === 'revoked') return 'REVOKED_NO_POE';
  if (has('revoked')) return 'REVOKED_CA_NO_POE';
  if (has('on hold')) return 'TRY_LATER';
  if (has('nothing') && mode === 'require') return 'TRY_LATER';
  if (has('weak')) return 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';
  // Past evidence counts for authorities.
  return found[0] === 'outdated' ? 'REVOCATION_OUT_OF_BOUNDS_NO_POE' : 'TOTAL-PASSED';
}

const orders = kinds.flatMap((one) =>
  kinds.flatMap((two) => kinds.map((three) => [one, two, three] as const)),
);

test.each(['require', 'ignore'] as const)(
  'with revocation mode %s the worst status of a path determines the conclusion, in any order',
  (mode) => {
    const wrong = orders.flatMap((found) => {
      const [is, should] = [conclude(found, mode), expected(found, mode)];
      return is === should ? [] : [`${found.join(', ')}: ${is}, not ${should}`];
    });
    expect(orders).toHaveLength(343);
    expect(wrong).toEqual([]);
  },
);
