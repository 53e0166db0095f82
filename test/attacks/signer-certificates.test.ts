import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  buildSignedData,
  parseSignedData,
  type SignerInfo,
} from '../../src/formats/cms/index.ts';
import { verifyDocument } from '../../src/index.ts';
import { createCertificatePool } from '../../src/trust/pool.ts';
import { listSignerCertificates } from '../../src/trust/signer-certificates.ts';
import { verifyTimestampToken } from '../../src/trust/timestamp.ts';
import {
  cmsBy,
  crlOf,
  signedFile,
  tokenBy,
  tsaExtensions,
  withStamp,
  withStore,
} from '../support/hand-signed.ts';
import { makeTestPki, signWith, type TestMember } from '../support/pki.ts';

// Anyone can add a certificate that repeats the issuer and serial number of another one: it must
// not affect a signature.
const pki = makeTestPki();
const ca = pki.member('ca');
const tsa = pki.member('tsa');
const signer = pki.member('signer');
const stranger = makeTestPki();

/**
 * A certificate with the names and serial number of the member's, issued by a CA of the same name.
 */
function twinOf(member: TestMember, extensions: object = {}): TestMember {
  const issuer = stranger.issue({
    name: 'twin ca',
    subjectDer: member.certificate.issuerDer,
    extensions: { basicConstraints: { ca: true } },
  });
  return stranger.issue({
    name: 'twin',
    issuer,
    subjectDer: member.certificate.subjectDer,
    serialNumber: member.certificate.serialNumber,
    extensions,
  });
}
const twinOfTsa = twinOf(tsa, tsaExtensions);
const twinOfSigner = twinOf(signer);
const options = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const stamp = tokenBy(pki, tsa, pki.nowMs);
const data = Buffer.from('the signature value');

describe("a certificate with the same issuer and serial number as the signer's", () => {
  test.each([
    ['before', [twinOfTsa.der, tsa.der]],
    ['after', [tsa.der, twinOfTsa.der]],
    ['instead of the one in the token', [twinOfTsa.der]],
  ])('placed %s that of an authority in the pool leaves the token valid', (_, ders) => {
    const pool = createCertificatePool(ders);
    const verdict = verifyTimestampToken({ token: stamp(data), imprint: data, pool });
    expect(verdict).toMatchObject({ valid: true, message: '' });
    expect(verdict.certificate?.der).toEqual(tsa.der);
  });

  test('in the security store of a PDF leaves its time-stamps valid', async () => {
    const file = await signedFile(cmsBy(signer, { stamp }));
    const stamped = await withStamp(withStore(file, { certificates: [ca.der] }), stamp);
    const crls = [crlOf(ca, pki.nowMs), pki.crl(pki.member('root'))];
    for (const certificates of [[], [twinOfTsa.der], [twinOfTsa.der, twinOfSigner.der]]) {
      const attacked = withStore(stamped, { certificates, crls });
      const { signatures } = await verifyDocument(attacked, options);
      expect(signatures).toMatchObject([
        { kind: 'signature', intact: true, timeProved: true, timestamps: [{ valid: true }] },
        { kind: 'document-timestamp', intact: true, trusted: true },
      ]);
    }
  });

  test('is not taken for the signer without the signing-certificate attribute', async () => {
    const file = await signedFile((covered) => {
      const signedAttributes = der.setOf(
        buildAttribute(oids.contentType, der.oid(oids.data)),
        buildAttribute(
          oids.messageDigest,
          der.octetString(createHash('sha256').update(covered).digest()),
        ),
      );
      return buildSignedData({
        digest: 'sha256',
        signedAttributes,
        signatureAlgorithm: signer.algorithm,
        signature: signWith(signer, signedAttributes),
        certificate: signer.certificate,
        certificates: [twinOfSigner.der, signer.der, ca.der],
      });
    });
    const { signatures } = await verifyDocument(file, options);
    expect(signatures[0]).toMatchObject({ intact: true });
    expect(signatures[0]?.signer?.issuer).toContain('CN=ca');
  });
});

function signerInfoOf(token: Uint8Array): SignerInfo {
  const [signerInfo] = parseSignedData(token).signerInfos;
  if (signerInfo === undefined) throw new Error('a token has a signer');
  return signerInfo;
}

test('certificates of the signature are tried first, and at most 16 in total', () => {
  const twins = Array.from({ length: 40 }, () => twinOf(signer));
  const token = signerInfoOf(cmsBy(signer)(data));
  const bound = listSignerCertificates(
    token,
    [],
    createCertificatePool([...twins.map(({ der: bytes }) => bytes), signer.der]),
  );
  expect(bound.candidates.map((each) => each.der)).toEqual([signer.der]);
  const attributes = new Map(token.signedAttributes);
  attributes.delete(oids.signingCertificateV2);
  const named = listSignerCertificates(
    { ...token, signedAttributes: attributes },
    [signer.der],
    createCertificatePool(twins.map(({ der: bytes }) => bytes)),
  );
  expect(named.candidates).toHaveLength(16);
  expect(named.candidates[0]?.der).toEqual(signer.der);
});

test('if a signing-certificate attribute matches none, the embedded certificates are misnamed', () => {
  const token = signerInfoOf(cmsBy(signer, { bound: tsa })(data));
  const pool = createCertificatePool([signer.der]);
  const found = listSignerCertificates(token, [signer.der], pool);
  expect(found.candidates).toEqual([]);
  expect(found.misnamed.map((each) => each.der)).toEqual([signer.der]);
});
