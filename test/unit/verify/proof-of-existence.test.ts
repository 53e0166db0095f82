import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { oids } from '../../../src/formats/asn1/index.ts';
import type { VerificationReport } from '../../../src/index.ts';
import {
  caExtensions,
  claiming,
  cmsBy,
  crlOf,
  dayMs,
  keyHolder,
  signedFile,
  type TokenOptions,
  tokenBy,
  tsaExtensions,
  withStamp,
  withStore,
} from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember, type TestRequest } from '../../support/pki.ts';
import { verifyDocument } from '../../support/verify-document.ts';

// An authority that is valid for years, so that a valid past exists.
const pki = makeTestPki();
const now = pki.nowMs;
const ago = (days: number) => now - days * dayMs;
const ca = pki.issue({
  name: 'old ca',
  issuer: pki.member('root'),
  notBeforeMs: ago(1000),
  extensions: caExtensions,
});
const options = { trust: [ca.der], at: new Date(now) };
const member = (name: string, request: Omit<TestRequest, 'name'> = {}) =>
  pki.issue({ name, issuer: ca, notBeforeMs: ago(1000), ...request });
const authority = (name: string, request: Omit<TestRequest, 'name'> = {}) =>
  member(name, { extensions: tsaExtensions, ...request });

const signer = member('signer');
/** Its signature is valid only with a proof of an earlier time. */
const expiredSigner = member('expired signer', { notAfterMs: ago(300) });
const tsa = authority('tsa');
const laterTsa = authority('later tsa');
const expiredTsa = authority('expired tsa', { notAfterMs: ago(200) });
const shortKey = keyHolder(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, {
  scheme: 'rsa-pkcs1',
  digest: 'sha256',
});
const withPurpose = (...extendedKeyUsage: readonly string[]) => ({
  extensions: { extendedKeyUsage, extendedKeyUsageCritical: true },
});
const stranger = makeTestPki();
const statedMs = ago(400);
/** A time at which every certificate was valid. */
const claim = claiming(statedMs);

interface Case {
  readonly by?: TestMember;
  readonly genTimeMs?: number;
  readonly token?: TokenOptions;
  /** When the authority was revoked; the CRL is in the file. */
  readonly revokedMs?: number;
  readonly code?: string;
}

const worthless: Record<string, Case & { readonly subIndication: string }> = {
  'revoked before the time that it states': {
    revokedMs: ago(450),
    subIndication: 'REVOKED_NO_POE',
  },
  'revoked after it: who has the key states any time': {
    revokedMs: ago(50),
    subIndication: 'REVOKED_NO_POE',
  },
  'expired by now': { by: expiredTsa, subIndication: 'OUT_OF_BOUNDS_NO_POE' },
  'expired at the time that it states': {
    by: expiredTsa,
    genTimeMs: ago(100),
    code: 'tsa.certificate.expired',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  },
  'not yet valid at the time that it states': {
    genTimeMs: ago(1100),
    code: 'tsa.certificate.expired',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  },
  'without an extended key usage': {
    by: member('no purpose'),
    code: 'tsa.certificate.invalid',
    subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
  },
  'of another purpose': {
    by: member('mailer', withPurpose(oids.emailProtection)),
    code: 'tsa.certificate.invalid',
    subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
  },
  'of several purposes': {
    by: member('several', withPurpose(oids.timeStamping, oids.ocspSigning)),
    code: 'tsa.certificate.invalid',
    subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
  },
  'of a purpose that is not critical': {
    by: member('soft', { extensions: { extendedKeyUsage: [oids.timeStamping] } }),
    code: 'tsa.certificate.invalid',
    subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
  },
  'of any purpose': {
    by: member('any', withPurpose(oids.anyExtendedKeyUsage)),
    code: 'tsa.certificate.invalid',
    subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
  },
  'that nobody trusts': {
    by: stranger.member('tsa'),
    genTimeMs: ago(5),
    code: 'tsa.certificate.untrusted',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  },
  'below an issuer that is no CA': {
    by: authority('tsa of a signer', { issuer: signer }),
    code: 'tsa.certificate.untrusted',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  },
  'with a short key': {
    by: authority('short', { keyOf: shortKey }),
    subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  },
  'whose token is signed with SHA-1': {
    token: { digest: 'sha1' },
    subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  },
  'whose imprint is a SHA-1 digest': {
    token: { imprint: 'sha1' },
    subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  },
  // Nothing is refuted: at another time it would count.
  'later than the time of the question': {
    genTimeMs: now + dayMs,
    code: 'timestamp.time.later',
    subIndication: 'NO_POE',
  },
};

const sound: Record<string, Case> = {
  'in order': {},
  'that is revoked only after the question': { revokedMs: now + dayMs / 2 },
};

function tokenOf({ by = tsa, genTimeMs = statedMs, token }: Case) {
  return tokenBy(pki, by, genTimeMs, token);
}

function storeOf({ by = tsa, revokedMs }: Case) {
  return { crls: [crlOf(ca, now, revokedMs === undefined ? [] : [[by, revokedMs]])] };
}

/** The expired certificate was good during its validity, which is enough with a proven time. */
const known = { validationData: { ocsp: [], crls: [crlOf(ca, ago(350), [])] } };

async function stampedSignature(
  by: TestMember,
  question: Case,
  more: object = {},
): Promise<VerificationReport> {
  const file = await signedFile(cmsBy(by, { stamp: tokenOf(question) }), claim);
  return verifyDocument(withStore(file, storeOf(question)), { ...options, ...more });
}

async function stampedDocument(
  by: TestMember,
  question: Case,
  more: object = {},
): Promise<VerificationReport> {
  const file = withStore(await signedFile(cmsBy(by), claim), storeOf(question));
  return verifyDocument(await withStamp(file, tokenOf(question)), { ...options, ...more });
}

describe('a signature time-stamp of an authority', () => {
  test.each(Object.entries(sound))('%s proves the time', async (_, question) => {
    const proved = { timeProved: true, bestTime: new Date(statedMs).toISOString() };
    const { signatures } = await stampedSignature(expiredSigner, question, known);
    expect(signatures[0]).toMatchObject({ indication: 'TOTAL-PASSED', ...proved });
    // Nothing shows that the signer was not revoked during its validity.
    const open = await stampedSignature(expiredSigner, question);
    expect(open.signatures[0]).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
      ...proved,
    });
  });

  test.each(Object.entries(worthless))('%s proves nothing', async (_, question) => {
    const { signatures } = await stampedSignature(expiredSigner, question);
    const [report] = signatures;
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      // Nothing shows that it was not revoked during its validity (EN 319 102-1 §5.2.6.4).
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
      trusted: false,
      timeProved: false,
      bestTime: new Date(now).toISOString(),
    });
    if (question.code !== undefined) {
      expect(report?.findings.map(({ code }) => code)).toContain(question.code);
    }
  });

  test('over another signature proves nothing', async () => {
    const stamp = () => tokenOf({})(Buffer.from('another signature'));
    const { signatures } = await verifyDocument(
      await signedFile(cmsBy(expiredSigner, { stamp }), claim),
      options,
    );
    expect(signatures[0]).toMatchObject({ indication: 'INDETERMINATE', timeProved: false });
    expect(signatures[0]?.findings.map(({ code }) => code)).toContain('tsa.imprint.mismatch');
    // The name it bears is reported.
    const [own] = signatures[0]?.timestamps ?? [];
    expect(own).toMatchObject({ valid: false, authority: expect.stringContaining('CN=tsa') });
  });
});

describe('a document time-stamp of an authority', () => {
  test.each(Object.entries(sound))('%s proves the time', async (_, question) => {
    const { signatures } = await stampedDocument(expiredSigner, question, known);
    expect(signatures).toMatchObject([
      { indication: 'TOTAL-PASSED', timeProved: true },
      { kind: 'document-timestamp', indication: 'TOTAL-PASSED', timeProved: true },
    ]);
  });

  test.each(Object.entries(worthless))('%s proves nothing', async (_, question) => {
    const { subIndication, code } = question;
    const { indication, signatures } = await stampedDocument(expiredSigner, question);
    expect(indication).not.toBe('TOTAL-PASSED');
    const [signature, stamp] = signatures;
    expect(signature).toMatchObject({ indication: 'INDETERMINATE', timeProved: false });
    expect(stamp).toMatchObject({ kind: 'document-timestamp', timeProved: false });
    const codes = stamp?.findings.map((finding) => finding.code);
    expect(codes).toContain(code ?? 'timestamp.time.unproved');
    expect(stamp?.intact).toBe(stamp?.indication !== 'TOTAL-FAILED');
    if (stamp?.indication === 'TOTAL-FAILED') expect(code).toMatch(/^tsa\./);
    else expect(stamp).toMatchObject({ indication: 'INDETERMINATE', subIndication });
  });
});

describe('a stolen key of a time-stamp authority', () => {
  test('cannot backdate a signature to before its revocation', async () => {
    const forged = await signedFile(cmsBy(signer, { stamp: tokenOf({ genTimeMs: ago(200) }) }));
    const crl = crlOf(ca, now, [
      [signer, ago(100)],
      [tsa, ago(50)],
    ]);
    const { signatures } = await verifyDocument(withStore(forged, { crls: [crl] }), options);
    expect(signatures[0]).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
      timeProved: false,
    });
  });
});

describe('under a later document time-stamp', () => {
  const chained = async (first: Case, second: Case) => {
    const file = withStore(
      await signedFile(cmsBy(expiredSigner, { stamp: tokenOf(first) }), claim),
      storeOf(first),
    );
    const { signatures } = await verifyDocument(
      await withStamp(file, tokenOf({ by: laterTsa, ...second })),
      { ...options, ...known },
    );
    return signatures[0];
  };

  test.each<[string, Case, Case]>([
    ['its authority has expired since', { by: expiredTsa }, { genTimeMs: ago(250) }],
    ['its authority was revoked since', { revokedMs: ago(50) }, { genTimeMs: ago(100) }],
  ])('an earlier time-stamp still proves its time: %s', async (_, first, second) => {
    expect(await chained(first, second)).toMatchObject({
      indication: 'TOTAL-PASSED',
      timeProved: true,
      bestTime: new Date(statedMs).toISOString(),
    });
  });

  test.each<[string, Case, Case]>([
    ['made after the authority expired', { by: expiredTsa }, { genTimeMs: ago(150) }],
    ['made after the authority was revoked', { revokedMs: ago(150) }, { genTimeMs: ago(100) }],
    [
      'by an authority that is not trusted itself',
      { by: expiredTsa },
      { by: expiredTsa, genTimeMs: ago(250) },
    ],
  ])('an earlier time-stamp proves nothing if it was %s', async (_, first, second) => {
    const report = await chained(first, second);
    expect(report?.indication).toBe('INDETERMINATE');
    expect(report?.bestTime).not.toBe(new Date(statedMs).toISOString());
  });
});

test('a signature without a time-stamp passes: the cases differ in the authority only', async () => {
  const plain = await verifyDocument(await signedFile(cmsBy(signer)), options);
  expect(plain.signatures[0]).toMatchObject({ indication: 'TOTAL-PASSED', timeProved: false });
});
