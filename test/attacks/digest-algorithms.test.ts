import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { oids } from '../../src/formats/asn1/index.ts';
import { buildMessageImprint, buildTstInfo } from '../../src/formats/tsp/index.ts';
import { verifyCades, verifyTimestampFile } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { craftCms, crlsOf } from '../support/crafted-cms.ts';
import { signedFile } from '../support/hand-signed.ts';
import { makeTestPki } from '../support/pki.ts';
import { verifyDocument } from '../support/verify-document.ts';

// RFC 8933 §3.1, RFC 4056 §3, RFC 8419 §3.1: content and signed attributes use one digest
// algorithm. If there are two, programs disagree on which one to use for both.
const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer.\n');
const members = {
  signer: 'sha256',
  rsa: 'sha256',
  pss: 'sha256',
  p384: 'sha384',
  p521: 'sha512',
  ed25519: 'sha512',
} as const;
const rows = Object.entries(members).flatMap(([name, own]) =>
  (['sha256', 'sha384', 'sha512'] as const).map(
    (digest) => [name as keyof typeof members, digest, digest === own] as const,
  ),
);
const crls = crlsOf(pki);
const refused = { indication: 'INDETERMINATE', subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' };

describe.each(rows)('content signed by %s and digested by %s', (name, digest, isSame) => {
  const signer = pki.member(name);
  const expected = isSame ? { indication: 'TOTAL-PASSED' } : { ...refused, intact: true };

  test('in a CMS signature passes only with the digest algorithm of the signature', () => {
    const cms = craftCms({ content, signers: [{ signer, digest }], crls });
    const [report] = verifyCades(cms, memorySource(content), cadesContext(pki));
    expect(report).toMatchObject(expected);
    const codes = report?.findings.map(({ code }) => code);
    expect(codes?.includes('signature.digest.disallowed')).toBe(!isSame);
  });

  test('gets its digest algorithm reported even without a trust anchor', () => {
    const cms = craftCms({ content, signers: [{ signer, digest }], crls });
    const nobody = { ...cadesContext(pki), anchors: [] };
    const [report] = verifyCades(cms, memorySource(content), nobody);
    expect(report?.subIndication).toBe('NO_CERTIFICATE_CHAIN_FOUND');
    const codes = report?.findings.map(({ code }) => code);
    expect(codes?.includes('signature.digest.disallowed')).toBe(!isSame);
  });

  test('reports a disallowed digest rather than a missing POE when its certificate has expired', () => {
    const cms = craftCms({ content, signers: [{ signer, digest }], crls });
    const atMs = pki.member(name).certificate.notAfterMs + 86_400_000;
    const context = { ...cadesContext(pki), nowMs: atMs, revocation: { mode: 'ignore' } as const };
    const [report] = verifyCades(cms, memorySource(content), context);
    const { indication, subIndication } = refused;
    const expired = isSame ? 'OUT_OF_BOUNDS_NO_POE' : subIndication;
    expect(report).toMatchObject({ indication, subIndication: expired });
  });

  test('in a PDF passes only with the digest algorithm of the signature', async () => {
    const file = await signedFile((covered) =>
      craftCms({ content: covered, signers: [{ signer, digest, signingTimeMs: undefined }], crls }),
    );
    const trust = [pki.member('root').der];
    const { signatures } = await verifyDocument(file, { trust, at: new Date(pki.nowMs) });
    expect(signatures[0]).toMatchObject(expected);
  });
});

test.each([
  ['sha256', 'TOTAL-PASSED'],
  ['sha384', 'INDETERMINATE'],
  ['sha512', 'INDETERMINATE'],
] as const)('a time-stamp token digested by %s is %s', (digest, indication) => {
  const tstInfo = buildTstInfo({
    policy: '2.999.1',
    imprintDer: buildMessageImprint('sha256', createHash('sha256').update(content).digest()),
    serialNumber: Uint8Array.of(1, 2, 3),
    genTimeMs: pki.nowMs - 60_000,
  });
  const token = craftCms({
    content: tstInfo,
    embedded: tstInfo,
    contentType: oids.tstInfo,
    signers: [{ signer: pki.member('tsa'), digest }],
    crls,
  });
  const { report } = verifyTimestampFile(token, memorySource(content), cadesContext(pki));
  expect(report).toMatchObject({ indication });
});
