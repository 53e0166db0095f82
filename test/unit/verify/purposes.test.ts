import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { buildName, keyUsageBits, parseCertificate } from '../../../src/formats/x509/index.ts';
import type { SignatureReport } from '../../../src/index.ts';
import { caExtensions, cmsBy, keyHolder, signedFile } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember, type TestRequest } from '../../support/pki.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const root = pki.member('root');

async function check(
  member: TestMember,
  anchor: TestMember = root,
): Promise<SignatureReport | undefined> {
  const options = { trust: [anchor.der], at: new Date(pki.nowMs) };
  const { signatures } = await verifyPdfDocument(await signedFile(cmsBy(member)), options);
  return signatures[0];
}

const { digitalSignature, nonRepudiation, keyEncipherment, keyCertSign, cRLSign } = keyUsageBits;

describe("the purpose of a signer's certificate", () => {
  const issue = (extensions: TestRequest['extensions']) => pki.issue({ name: 'one', extensions });

  test.each<[string, TestRequest['extensions']]>([
    ['key encipherment', { keyUsage: keyEncipherment }],
    ['signing certificates', { keyUsage: keyCertSign | cRLSign }],
    ['no key usage at all', { keyUsage: 0 }],
    ['TLS servers', { extendedKeyUsage: [oids.serverAuth] }],
    ['time-stamps', { extendedKeyUsage: [oids.timeStamping], extendedKeyUsageCritical: true }],
    ['OCSP responses', { extendedKeyUsage: [oids.ocspSigning] }],
    ['TLS servers and time-stamps', { extendedKeyUsage: [oids.serverAuth, oids.timeStamping] }],
    ['an unknown purpose', { extendedKeyUsage: ['2.999.7'] }],
    [
      'documents, but not by its key usage',
      { keyUsage: keyEncipherment, extendedKeyUsage: [oids.documentSigning] },
    ],
    ['a CA without a key usage', { basicConstraints: { ca: true }, keyUsage: undefined }],
    ['a CA', { ...caExtensions }],
  ])('%s: does not allow signing documents', async (_, extensions) => {
    const report = await check(issue(extensions));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
      intact: true,
      trusted: false,
    });
    expect(report?.findings).toContainEqual(
      expect.objectContaining({ code: 'key.usage.forbidden', severity: 'error' }),
    );
  });

  test('is unknown with an unsupported critical extension', async () => {
    const others = [{ name: '2.999.8', critical: true, value: der.nil() }];
    expect(await check(issue({ others }))).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      trusted: false,
    });
    const harmless = issue({ others: [{ name: '2.999.8', critical: false, value: der.nil() }] });
    expect(await check(harmless)).toMatchObject({ indication: 'TOTAL-PASSED' });
  });

  test.each<[string, TestRequest['extensions']]>([
    ['digital signatures', { keyUsage: digitalSignature }],
    ['non-repudiation', { keyUsage: nonRepudiation }],
    [
      'both and key encipherment',
      { keyUsage: digitalSignature | nonRepudiation | keyEncipherment },
    ],
    ['anything', { keyUsage: undefined }],
    ['documents', { extendedKeyUsage: [oids.documentSigning] }],
    ['mail', { extendedKeyUsage: [oids.emailProtection] }],
    ['any purpose', { extendedKeyUsage: [oids.anyExtendedKeyUsage] }],
    ['TLS servers and documents', { extendedKeyUsage: [oids.serverAuth, oids.documentSigning] }],
  ])('%s: allows signing documents', async (_, extensions) => {
    expect(await check(issue(extensions))).toMatchObject({
      indication: 'TOTAL-PASSED',
      trusted: true,
    });
  });
});

describe('an issuer', () => {
  const below = (issuer: TestMember) => pki.issue({ name: 'minted', issuer });
  const ca = (extensions: TestRequest['extensions'], issuer: TestMember = root) =>
    pki.issue({ name: 'issuer', issuer, extensions: { ...caExtensions, ...extensions } });
  // A different name: self-issued certificates do not count towards the path length.
  const noPathLeft = pki.issue({
    name: 'last issuer',
    issuer: root,
    extensions: { ...caExtensions, basicConstraints: { ca: true, pathLength: 0 } },
  });

  test.each<[string, TestMember]>([
    ['a signer', below(pki.member('signer'))],
    ['an issuer without basic constraints', below(ca({ basicConstraints: undefined }))],
    ['an issuer whose basic constraints forbid it', below(ca({ basicConstraints: { ca: false } }))],
    ['an issuer that may not sign certificates', below(ca({ keyUsage: cRLSign }))],
    ['an issuer below one with path length zero', below(ca({}, noPathLeft))],
    ['an issuer below a signer', below(ca({}, pki.member('signer')))],
  ])('%s is rejected', async (_, member) => {
    const report = await check(member);
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      trusted: false,
    });
    expect(report?.findings.map(({ code }) => code)).toContain('certificate.untrusted');
  });

  test('with a path length of zero may issue end-entity certificates', async () => {
    expect(await check(below(noPathLeft))).toMatchObject({ indication: 'TOTAL-PASSED' });
  });
});

describe('a self-signed trust anchor', () => {
  /** A certificate signed with its own key. */
  function selfSigned(extensions: TestRequest['extensions']): TestMember {
    const algorithm = { scheme: 'ecdsa', digest: 'sha256' } as const;
    const key = keyHolder(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, algorithm);
    const subjectDer = buildName({ commonName: 'alone' });
    const certificate = { ...root.certificate, subjectDer };
    const issuer = { ...key, name: 'alone', certificate, der: root.der, chain: [] };
    const member = pki.issue({
      name: 'alone',
      subjectDer,
      keyOf: key,
      issuer,
      extensions: { authorityKeyId: undefined, ...extensions },
    });
    expect(parseCertificate(member.der).issuerDer).toEqual(member.certificate.subjectDer);
    return { ...member, chain: [] };
  }
  const leaf = selfSigned({});
  const bare = selfSigned({ basicConstraints: undefined, keyUsage: undefined });
  const signsOnly = selfSigned({ ...caExtensions, keyUsage: digitalSignature });
  const authority = selfSigned(caExtensions);
  const minted = (issuer: TestMember) => pki.issue({ name: 'minted', issuer });

  test.each<[string, TestMember]>([
    ['is for its own signatures only', leaf],
    ['may not sign certificates', signsOnly],
  ])('does not act as an issuer if it %s', async (_, anchor) => {
    expect(await check(minted(anchor), anchor)).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      trusted: false,
    });
  });

  test('is trusted for what it may do', async () => {
    expect(await check(leaf, leaf)).toMatchObject({ trusted: true });
    expect(await check(bare, bare)).toMatchObject({ trusted: true });
    expect(await check(minted(authority), authority)).toMatchObject({ trusted: true });
    expect(await check(minted(authority))).toMatchObject({ trusted: false });
    // RFC 5280 §6.1.1 d: an anchor is a name and a key, and this one contains no restriction.
    expect(await check(minted(bare), bare)).toMatchObject({ trusted: true });
  });
});
