import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import { serializeDigestAlgorithm } from '../../src/formats/x509/index.ts';
import {
  type CraftedCms,
  type CraftedSigner,
  craftCms,
  crlsOf,
  withoutType,
} from '../support/crafted-cms.ts';
import { signedFile } from '../support/hand-signed.ts';
import { makeTestPki } from '../support/pki.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';

const pki = makeTestPki();
const signer = pki.member('signer');
const usual: CraftedSigner = { signer, signingTimeMs: undefined };

async function check(
  signers: readonly CraftedSigner[] = [usual],
  cms: (covered: Uint8Array) => Partial<CraftedCms> = () => ({}),
  edit?: (text: string) => string,
) {
  const make = (content: Uint8Array) =>
    craftCms({ content, signers, crls: crlsOf(pki), ...cms(content) });
  const trust = [pki.member('root').der];
  const { signatures } = await verifyPdfDocument(await signedFile(make, edit), {
    trust,
    at: new Date(pki.nowMs),
  });
  const report = signatures[0];
  if (report === undefined) throw new Error('no report');
  return { ...report, codes: report.findings.map(({ code }) => code) };
}

const subFilter = (name: string) => (text: string) =>
  text.replaceAll('/ETSI.CAdES.detached', `/${name}`.padEnd('/ETSI.CAdES.detached'.length));

test('a CMS with one signer in a PDF passes', async () => {
  expect(await check()).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-B' });
});

// EN 319 142-1 §6.3 requires one signer; several are not verified, and the signature is not
// refuted.
test('a CMS with two signers in a PDF is INDETERMINATE', async () => {
  const report = await check([usual, { ...usual, signer: pki.member('p384') }]);
  expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'FORMAT_FAILURE' });
  expect(report.codes).toEqual(expect.arrayContaining(['signature.cms.signers']));
});

// Anyone can add unsigned elements: exceeding the limit refutes nothing.
test('a CMS with more certificates than are read is INDETERMINATE', async () => {
  const of = (count: number) =>
    check([usual], () => ({
      crls: [],
      certificates: [...Array.from({ length: count }, () => der.sequence())],
    }));
  expect(await of(4_096)).toMatchObject({ subIndication: 'NO_SIGNING_CERTIFICATE_FOUND' });
  const report = await of(4_097);
  expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'FORMAT_FAILURE' });
  expect(report.codes).toContain('signature.cms.limit');
});

describe.each(['adbe.x509.rsa_sha1', 'PBAD.PAdES', 'Other.form'])(
  'the unsupported /SubFilter /%s',
  (name) => {
    test('is INDETERMINATE', async () => {
      const report = await check([usual], undefined, subFilter(name));
      expect(report).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'FORMAT_FAILURE',
      });
      expect(report.codes).toContain('signature.format.unsupported');
    });
  },
);

describe('a signature without a signing-certificate attribute', () => {
  const unbound: CraftedSigner = {
    ...usual,
    attributes: (list) => withoutType(list, oids.signingCertificateV2),
  };

  test('is INDETERMINATE if it claims to be PAdES', async () => {
    const report = await check([unbound]);
    expect(report).toMatchObject({ subIndication: 'SIG_CONSTRAINTS_FAILURE', intact: true });
    expect(report.codes).toContain('signature.certificate.unbound');
  });

  // ISO 32000-1 §12.8.3.3 does not define such an attribute.
  test('passes as a plain ISO 32000-1 signature, and has no baseline level', async () => {
    const report = await check([unbound], undefined, subFilter('adbe.pkcs7.detached'));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(report.codes).toContain('baseline.signing-certificate');
    expect(report).not.toHaveProperty('level');
  });
});

// EN 319 122-1 §5.2.2.1: signing-certificate is for SHA-1 and -v2 for other digests; only one is
// allowed.
test.each<[string, (hash: Uint8Array) => readonly Uint8Array[]]>([
  ['SHA-1 in signing-certificate-v2', (hash) => [bound(oids.signingCertificateV2, 'sha1', hash)]],
  ['both attributes', (hash) => [bound(oids.signingCertificate, undefined, hash)]],
])('%s: passes, and is no baseline signature', async (name, more) => {
  const hash = createHash('sha1').update(signer.der).digest();
  const attributes: CraftedSigner['attributes'] = (list) => {
    const kept = name === 'both attributes' ? list : withoutType(list, oids.signingCertificateV2);
    return der.sortedSet([...kept, ...more(hash)]);
  };
  const report = await check([{ ...usual, attributes }]);
  expect(report).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  expect(report.codes).toContain('baseline.signing-certificate');
  expect(report).not.toHaveProperty('level');
});

function bound(type: string, digest: 'sha1' | undefined, hash: Uint8Array): Uint8Array {
  const named = digest === undefined ? [] : [serializeDigestAlgorithm(digest)];
  const entry = der.sequence(...named, der.octetString(hash));
  return buildAttribute(type, der.sequence(der.sequence(entry)));
}

test('a signature without signed attributes is INDETERMINATE', async () => {
  const report = await check([{ ...usual, attributes: () => undefined }]);
  expect(report).toMatchObject({ subIndication: 'SIG_CONSTRAINTS_FAILURE' });
  expect(report.codes).toContain('signature.attributes.missing');
});

test('signed attributes that are not in DER order are INDETERMINATE', async () => {
  const report = await check([{ ...usual, attributes: (list) => list.toReversed() }]);
  expect(report).toMatchObject({ indication: 'INDETERMINATE', intact: false });
  expect(report.codes).toContain('signature.attributes.not-der');
});

const other = Buffer.from('other');
const bare: CraftedSigner = { ...usual, attributes: () => undefined };

// RFC 5652 §5.4: the digest covers the content in the CMS, if there is any. EN 319 102-1 §5.2.7.4:
// the digest of the covered data is verified before the signature value.
test.each<[string, CraftedSigner, Partial<CraftedCms>, string]>([
  ['with the digest of the document', usual, { embedded: other }, 'SIG_CRYPTO_FAILURE'],
  ['with its own digest', usual, { embedded: other, content: other }, 'HASH_FAILURE'],
  ['without signed attributes', bare, { embedded: other, content: other }, 'SIG_CRYPTO_FAILURE'],
])('foreign content embedded in the CMS %s fails', async (_, by, cms, subIndication) => {
  const report = await check([by], () => cms);
  expect(report).toMatchObject({ indication: 'TOTAL-FAILED', subIndication, intact: false });
  expect(report.codes).toContain('signature.digest.mismatch');
});
