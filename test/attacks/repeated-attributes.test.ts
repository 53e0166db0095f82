import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  buildSignedAttributes,
  parseSignedData,
} from '../../src/formats/cms/index.ts';

import { type CmsOptions, cmsBy, signedFile } from '../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';
import { verifyDocument } from '../support/verify-document.ts';

const pki = makeTestPki();
const options = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
const [signer, other] = [pki.member('signer'), pki.member('p384')];

async function check(cmsOptions: CmsOptions) {
  const { signatures } = await verifyDocument(await signedFile(cmsBy(signer, cmsOptions)), options);
  return signatures[0];
}

/** The attribute of that type as the member would have written it. */
function usual(member: TestMember, type: string): Uint8Array {
  const signedAttributes = buildSignedAttributes({
    contentType: oids.data,
    messageDigest: createHash('sha256').update('another document').digest(),
    certificate: member.certificate,
    certificateDigest: 'sha256',
  });
  const at = Buffer.from(signedAttributes).indexOf(der.oid(type)) - 2;
  const length = 2 + (signedAttributes[at + 1] as number);
  return signedAttributes.subarray(at, at + length);
}

test('attributes that occur once are valid', async () => {
  expect(await check({})).toMatchObject({ indication: 'TOTAL-PASSED' });
  const attributes = [buildAttribute('2.999.5', der.nil())];
  expect(await check({ attributes })).toMatchObject({ indication: 'TOTAL-PASSED' });
});

test.each<[string, Uint8Array]>([
  ['message-digest of a different document', usual(signer, oids.messageDigest)],
  ['signing-certificate-v2 of a different certificate', usual(other, oids.signingCertificateV2)],
  ['signing-certificate-v2 of the same certificate', usual(signer, oids.signingCertificateV2)],
  ['content-type', usual(signer, oids.contentType)],
  ['content-type with a different value', buildAttribute(oids.contentType, der.oid(oids.tstInfo))],
])('a second %s invalidates the signature', async (_, attribute) => {
  const report = await check({ attributes: [attribute] });
  expect(report).toMatchObject({
    indication: 'TOTAL-FAILED',
    subIndication: 'FORMAT_FAILURE',
    intact: false,
    trusted: false,
  });
  expect(report?.level).toBeUndefined();
  expect(report?.findings.map(({ code }) => code)).toContain('signature.attributes.repeated');
});

test('a repeated unknown attribute is rejected, too', async () => {
  const twice = buildAttribute('2.999.5', der.nil());
  const report = await check({ attributes: [twice, twice] });
  expect(report).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' });
});

test("a signature that binds someone else's certificate has no signer", async () => {
  const report = await check({ bound: other });
  // The key matches, but nothing states whose it is. EN 319 102-1 §5.2.3
  expect(report).toMatchObject({ indication: 'INDETERMINATE', intact: true, trusted: false });
  expect(report?.signer).toBeUndefined();
  expect(report?.findings.map(({ code }) => code)).toContain('signature.certificate.missing');
});

test('repeatedAttributes lists the attributes that occur twice', () => {
  const cms = cmsBy(signer, { attributes: [usual(other, oids.signingCertificateV2)] })(
    Buffer.of(1),
  );
  const [info] = parseSignedData(cms).signerInfos;
  expect(info?.repeatedAttributes).toEqual([oids.signingCertificateV2]);
});
