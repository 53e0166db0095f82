import { expect, test } from 'vitest';
import { readStampFonts } from '../../../../src/adapters/appearance/index.ts';
import { renderReport } from '../../../../src/app/reports/index.ts';
import { parseXml, type XmlElement } from '../../../../src/formats/xml/index.ts';
import { cmsBy, crlOf, signedFile, withStore } from '../../../support/hand-signed.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { verifyPdfDocument } from '../../../support/verify-pdf.ts';

const pki = makeTestPki();
const { nowMs } = pki;
const [root, ca, signer] = [pki.member('root'), pki.member('ca'), pki.member('signer')];
const namespace = 'http://uri.etsi.org/19102/v1.4.1#';

async function reportWith(crls: readonly Uint8Array[]) {
  const file = withStore(await signedFile(cmsBy(signer)), { crls });
  const options = { trust: [root.der], at: new Date(nowMs), revocationMode: 'require' } as const;
  const report = await verifyPdfDocument(file, options);
  const request = { format: 'xml', software: 'innsigli' } as const;
  return parseXml(await renderReport(report, request, { fonts: readStampFonts }));
}

const referenceOf = (status: XmlElement, name: string) =>
  status.child(namespace, name)?.attribute('VOReference');

test.each([
  [1, 'keyCompromise'],
  [6, 'certificateHold'],
] as const)(
  'a revoked certificate, reason %i: the report has the certificate, time, reason and CRL',
  async (code, reason) => {
    const crl = pki.crl(ca, { revoked: [signer], reasonCode: code });
    const xml = await reportWith([crl, crlOf(root, nowMs)]);
    const [status] = xml.findAll(namespace, 'RevocationStatusInformation');
    if (status === undefined) throw new Error('no status');
    const [signing] = xml.findAll(namespace, 'SignerCertificate');
    expect(referenceOf(status, 'ValidationObjectId')).toBe(signing?.attribute('VOReference'));
    const time = status.child(namespace, 'RevocationTime')?.text ?? '';
    expect(Date.parse(time)).toBeLessThanOrEqual(nowMs);
    expect(status.child(namespace, 'RevocationReason')?.text).toBe(
      `urn:etsi:019102:revocationReason:${reason}`,
    );
    const [object] = xml.findById(referenceOf(status, 'RevocationObject') ?? '');
    const base64 = object
      ?.child(namespace, 'ValidationObjectRepresentation')
      ?.child(namespace, 'base64');
    expect(base64?.text).toBe(Buffer.from(crl).toString('base64'));
  },
);

test('a good certificate has no revocation status information in the report', async () => {
  const xml = await reportWith([crlOf(ca, nowMs), crlOf(root, nowMs)]);
  expect(xml.findAll(namespace, 'SignatureValidationStatus')).not.toEqual([]);
  expect(xml.findAll(namespace, 'RevocationStatusInformation')).toEqual([]);
});
