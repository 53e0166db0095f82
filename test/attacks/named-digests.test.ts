import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildSignedData } from '../../src/formats/cms/index.ts';
import { buildMessageImprint, buildTstInfo } from '../../src/formats/tsp/index.ts';
import { digestOf } from '../../src/trust/signature.ts';
import { verifyCades, verifyTimestampFile } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf } from '../support/crafted-cms.ts';
import { keyHolder, signedFile } from '../support/hand-signed.ts';
import { makeTestPki } from '../support/pki.ts';
import { verifyDocument } from '../support/verify-document.ts';

// RFC 5652 §5.3: digestAlgorithm names a digest. Some signers write a signature algorithm there;
// some programs take its digest, and others compute none.
const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer.\n');
const crls = crlsOf(pki);
const identifier = (oid: string, ...parameters: readonly Uint8Array[]) =>
  der.sequence(der.oid(oid), ...parameters);
const dsa = { scheme: 'dsa', digest: 'sha256' } as const;
const dsaPair = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 });
const byDsa = pki.issue({ name: 'dsa', keyOf: keyHolder(dsaPair.privateKey, dsa) });
const byEd448 = pki.member('ed448');

const check = (by: CraftedSigner, covered: Uint8Array = content) => {
  const cms = craftCms({ content, signers: [by], crls });
  const [report] = verifyCades(cms, memorySource(covered), cadesContext(pki));
  return { ...report, codes: report?.findings.map(({ code }) => code) };
};
const changed = Buffer.from('Pay 900 to the bearer.\n');

const named = [
  ['rsa-pkcs1 with sha256', pki.member('rsa'), '1.2.840.113549.1.1.11'],
  ['ecdsa with sha256', pki.member('signer'), '1.2.840.10045.4.3.2'],
  ['ecdsa with sha384', pki.member('p384'), '1.2.840.10045.4.3.3'],
  ['dsa with sha256', byDsa, '2.16.840.1.101.3.4.3.2'],
] as const;

describe.each(named)('a digest algorithm identified by the OID of %s', (_, signer, oid) => {
  const by = { signer, digestDer: identifier(oid) };

  test('leaves the signature INDETERMINATE', () => {
    const report = check(by);
    expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'FORMAT_FAILURE' });
    expect(report.codes).toContain('signature.digest.named');
    expect(check({ signer })).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  test('still detects changed content', () => {
    expect(check(by, changed)).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'HASH_FAILURE',
    });
  });
});

test('a signature algorithm in digestAlgorithms leaves the signer INDETERMINATE', () => {
  const [, signer, oid] = named[0];
  const list = (listed: Uint8Array) => {
    const cms = craftCms({
      content,
      signers: [{ signer }],
      listed: [listed],
      crls,
    });
    return verifyCades(cms, memorySource(content), cadesContext(pki))[0];
  };
  expect(list(identifier(oids.sha256))?.indication).toBe('TOTAL-PASSED');
  const unlisted = list(identifier(oid));
  expect(unlisted?.indication).toBe('INDETERMINATE');
  expect(unlisted?.findings[0]?.code).toBe('signature.digest.unlisted');
});

test.each([
  ['a key algorithm', oids.rsaEncryption],
  ['RSASSA-PSS', oids.rsassaPss],
  ['Ed25519', oids.ed25519],
])('a digest algorithm identified by the OID of %s is unsupported', (_, oid) => {
  const report = check({ signer: pki.member('rsa'), digestDer: identifier(oid) });
  expect(report.indication).not.toBe('TOTAL-PASSED');
  expect(report.codes).toContain('signature.algorithm.unsupported');
});

test('a time-stamp whose digest is identified by a signature algorithm is INDETERMINATE', () => {
  const imprint = digestOf('sha256', content);
  const tstInfo = buildTstInfo({
    policy: '2.999.1',
    imprintDer: buildMessageImprint('sha256', imprint),
    serialNumber: Uint8Array.of(1, 2, 3),
    genTimeMs: pki.nowMs - 60_000,
  });
  const stamp = (digestDer: Uint8Array, covered = content) => {
    const token = craftCms({
      content: tstInfo,
      embedded: tstInfo,
      contentType: oids.tstInfo,
      signers: [{ signer: pki.member('tsa'), digestDer }],
      crls,
    });
    return verifyTimestampFile(token, memorySource(covered), cadesContext(pki)).report;
  };
  const bySignature = identifier('1.2.840.10045.4.3.2');
  expect(stamp(bySignature)).toMatchObject({ indication: 'INDETERMINATE' });
  expect(stamp(bySignature, changed)).toMatchObject({ indication: 'TOTAL-FAILED' });
  expect(stamp(identifier(oids.sha256))).toMatchObject({ indication: 'TOTAL-PASSED' });
});

test('a signature by Ed448 states the length of its SHAKE256 digest', () => {
  const { algorithm, certificate } = byEd448;
  const cms = buildSignedData({
    digest: 'shake256',
    signatureAlgorithm: algorithm,
    certificate,
    certificates: [],
    signedAttributes: der.setOf(),
    signature: Uint8Array.of(1),
  });
  const stated = identifier(oids.shake256Len, der.smallInteger(512));
  const [first = -1, second] = [0, 1].map((skip) =>
    Buffer.from(cms).indexOf(Buffer.from(stated), skip * 60),
  );
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first);
  expect(Buffer.from(cms).includes(Buffer.from(der.oid(oids.shake256)))).toBe(false);
});

// RFC 8419 §3.1: Ed448 is used with SHAKE256 of 64 bytes, whose identifier states the length.
const weak = {
  indication: 'INDETERMINATE',
  subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  intact: true,
} as const;
const passed = { indication: 'TOTAL-PASSED', intact: true } as const;
describe.each([
  ['SHAKE256 without a stated length', identifier(oids.shake256), weak],
  ['SHAKE256 of 512 bits', identifier(oids.shake256Len, der.smallInteger(512)), passed],
] as const)('content signed by Ed448 and digested by %s', (_, digestDer, conclusion) => {
  const by = { signer: byEd448, digestDer };

  test('in CMS: is intact, passes only if the length is stated, and fails if the content changes', () => {
    const report = check(by);
    expect(report).toMatchObject(conclusion);
    expect(report.codes?.includes('signature.digest.disallowed')).toBe(conclusion === weak);
    expect(check(by, changed)).toMatchObject({ subIndication: 'HASH_FAILURE' });
  });

  test('in a PDF: is intact, passes only if the length is stated, and fails if the content changes', async () => {
    const file = await signedFile((covered) =>
      craftCms({ content: covered, signers: [{ ...by, signingTimeMs: undefined }], crls }),
    );
    const asked = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
    const { signatures } = await verifyDocument(file, asked);
    expect(signatures[0]).toMatchObject(conclusion);
    const flipped = Uint8Array.from(file);
    flipped[20] = (flipped[20] as number) ^ 1;
    const after = await verifyDocument(flipped, asked);
    expect(after.signatures[0]).toMatchObject({ subIndication: 'HASH_FAILURE' });
  });
});

test.each([
  ['256 bits', identifier(oids.shake256Len, der.smallInteger(256))],
  ['no stated length', identifier(oids.shake256Len)],
])('SHAKE256 of %s under id-shake256-len is unsupported', (_, digestDer) => {
  const report = check({ signer: byEd448, digestDer });
  expect(report.codes).toContain('signature.algorithm.unsupported');
});

test.each(['rsa', 'signer', 'ed25519'] as const)(
  'SHAKE256 is not allowed with the key %s',
  (name) => {
    const report = check({ signer: pki.member(name), digest: 'shake256' });
    expect(report).toMatchObject({ indication: 'INDETERMINATE', intact: true });
    expect(report.codes).toContain('signature.digest.disallowed');
  },
);
