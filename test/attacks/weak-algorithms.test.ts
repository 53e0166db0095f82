import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../../src/formats/cms/index.ts';
import type { SignatureAlgorithm } from '../../src/formats/x509/index.ts';
import type { SignatureReport } from '../../src/index.ts';
import {
  caExtensions,
  cmsBy,
  keyHolder,
  type MakeContents,
  signedFile,
} from '../support/hand-signed.ts';
import { makeTestPki, signWith, type TestMember } from '../support/pki.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';

const pki = makeTestPki();
const rsa: SignatureAlgorithm = { scheme: 'rsa-pkcs1', digest: 'sha256' };
const ecdsa: SignatureAlgorithm = { scheme: 'ecdsa', digest: 'sha256' };
const shortKey = keyHolder(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, rsa);
const smallKey = keyHolder(
  generateKeyPairSync('ec', { namedCurve: 'prime192v1' }).privateKey,
  ecdsa,
);
const issuedBy = (issuer: TestMember) => pki.issue({ name: 'below a weak one', issuer });
const weakCa = (keyOf: TestMember) =>
  pki.issue({ name: 'weak ca', keyOf, extensions: caExtensions });
const sha1 = (member: TestMember): SignatureAlgorithm => ({ ...member.algorithm, digest: 'sha1' });
const [signer, rsaSigner, pss, ed] = (['signer', 'rsa', 'pss', 'ed25519'] as const).map((name) =>
  pki.member(name),
) as [TestMember, TestMember, TestMember, TestMember];

async function check(
  make: MakeContents,
  edit?: (text: string) => string,
): Promise<SignatureReport | undefined> {
  const trust = [pki.member('root').der];
  const file = await signedFile(make, edit);
  const { signatures } = await verifyPdfDocument(file, { trust, at: new Date(pki.nowMs) });
  return signatures[0];
}

const weak = {
  indication: 'INDETERMINATE',
  subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  intact: true,
  trusted: false,
};

test.each<[string, MakeContents]>([
  ['ECDSA P-256', cmsBy(signer)],
  ['RSA-2048', cmsBy(rsaSigner)],
  ['RSA-PSS', cmsBy(pss)],
  ['Ed25519', cmsBy(ed)],
])('%s is accepted', async (_, make) => {
  expect(await check(make)).toMatchObject({ indication: 'TOTAL-PASSED', trusted: true });
});

test.each<[string, MakeContents, RegExp]>([
  ['an RSA key of 1024 bits', cmsBy(pki.issue({ name: 'w', keyOf: shortKey })), /1024 bits/],
  ['P-192', cmsBy(pki.issue({ name: 'w', keyOf: smallKey })), /prime192v1/],
  ['RSA with SHA-1', cmsBy(rsaSigner, { algorithm: sha1(rsaSigner) }), /sha1/],
  ['ECDSA with SHA-1', cmsBy(signer, { algorithm: sha1(signer) }), /sha1/],
  ['RSA-PSS with SHA-1', cmsBy(pss, { algorithm: { ...sha1(pss), saltLengthBytes: 20 } }), /sha1/],
  ['a SHA-1 message digest under ECDSA with SHA-256', cmsBy(signer, { digest: 'sha1' }), /sha1/],
  ['a SHA-1 message digest under Ed25519', cmsBy(ed, { digest: 'sha1' }), /sha1/],
  ['a short issuer key', cmsBy(issuedBy(weakCa(shortKey))), /1024 bits/],
  ['an issuer key on a small curve', cmsBy(issuedBy(weakCa(smallKey))), /prime192v1/],
  [
    'a certificate signed with SHA-1',
    cmsBy(pki.issue({ name: 'c', signedWith: { scheme: 'ecdsa', digest: 'sha1' } })),
    /sha1/,
  ],
])('%s proves nothing', async (_, make, reason) => {
  const report = await check(make);
  expect(report).toMatchObject(weak);
  const finding = report?.findings.find(({ code }) => code === 'algorithm.weak');
  expect(finding).toMatchObject({ severity: 'error', message: expect.stringMatching(reason) });
});

test('adbe.pkcs7.sha1 binds the document by SHA-1 only, and proves nothing', async () => {
  const report = await check(
    (covered) => {
      const content = createHash('sha1').update(covered).digest();
      const signedAttributes = buildSignedAttributes({
        contentType: oids.data,
        messageDigest: createHash('sha256').update(content).digest(),
        certificate: signer.certificate,
        certificateDigest: 'sha256',
      });
      return buildSignedData({
        digest: 'sha256',
        signedAttributes,
        signatureAlgorithm: signer.algorithm,
        signature: signWith(signer, signedAttributes),
        certificate: signer.certificate,
        certificates: [signer.der, ...signer.chain],
        encapsulated: { type: oids.data, content },
      });
    },
    (text) => text.replace('/ETSI.CAdES.detached', '/adbe.pkcs7.sha1    '),
  );
  expect(report).toMatchObject(weak);
  expect(report?.findings.map(({ code }) => code)).toContain('algorithm.weak');
});

describe('unknown algorithms', () => {
  /** The CMS with the object identifier of an algorithm replaced by one of the same length. */
  const renamed = (make: MakeContents, from: string, to: string): MakeContents => {
    return (covered) => {
      const cms = Buffer.from(make(covered));
      const at = cms.lastIndexOf(der.oid(from));
      expect(at).toBeGreaterThan(0);
      cms.set(der.oid(to), at);
      return new Uint8Array(cms);
    };
  };

  test.each([
    ['RSA with MD2', '1.2.840.113549.1.1.2'],
    ['ML-DSA-65', '2.16.840.1.101.3.4.3.18'],
    ['SLH-DSA-SHAKE-128f', '2.16.840.1.101.3.4.3.27'],
    ['1.2.840.113549.1.1.99', '1.2.840.113549.1.1.99'],
  ])('%s is named in a finding, and is INDETERMINATE', async (name, oid) => {
    const report = await check(renamed(cmsBy(rsaSigner), '1.2.840.113549.1.1.11', oid));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
      findings: [
        { code: 'signature.algorithm.unsupported', message: expect.stringContaining(name) },
      ],
    });
    expect(report).not.toHaveProperty('intact');
  });
});
