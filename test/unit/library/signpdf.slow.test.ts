import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainAddPlaceholder } from '@signpdf/placeholder-plain';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { expect, onTestFinished, test } from 'vitest';
import { fromSignpdfSigner, sealPdfWithCms, toSignpdfSigner } from '../../../src/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, signerOf } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

// node-forge, which @signpdf uses, cannot read certificates with an EC signature.
const pki = makeTestPki({ caKey: 'RSA-2048' });
const trust = [pki.member('root').der];
const at = new Date(pki.nowMs);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const note = hasOpenssl ? '' : ' (skipped: openssl is not installed)';

test('@signpdf with our signer makes a B-B seal', async () => {
  const pdf = plainAddPlaceholder({
    pdfBuffer: Buffer.from(fixture('minimal.pdf')),
    reason: 'test',
    contactInfo: '',
    name: '',
    location: '',
    subFilter: 'ETSI.CAdES.detached',
    signatureLength: 8192,
  });
  const signer = await toSignpdfSigner(signerOf(pki.member('rsa')));
  const signed = await new SignPdf().sign(pdf, signer, at);
  const report = await verifyDocument(new Uint8Array(signed), { trust, at });
  expect(report.signatures[0]).toMatchObject({ intact: true, trusted: true, level: 'B-B' });
});

test.skipIf(!hasOpenssl)(`a signer of @signpdf makes the CMS of our seal${note}`, async () => {
  const folder = newTemporaryFolder('signpdf');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { privateKey, der } = pki.member('rsa');
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const base64 = Buffer.from(der).toString('base64');
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  writeFileSync(join(folder, 'cert.pem'), pem);
  const p12 = join(folder, 'signer.p12');
  const inputs = ['-inkey', join(folder, 'key.pem'), '-in', join(folder, 'cert.pem')];
  const legacy = ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-passout', 'pass:test', '-out', p12],
    ...inputs,
    ...legacy,
  ]);
  const foreign = () => new P12Signer(readFileSync(p12), { passphrase: 'test' });
  const { bytes, report } = await sealPdfWithCms(fixture('agreement.pdf'), {
    signer: fromSignpdfSigner(foreign),
    trust: [...trust, pki.member('ca').der],
    now: () => at,
  });
  expect(report.signatures[0]).toMatchObject({ intact: true, subFilter: 'adbe.pkcs7.detached' });
  // Its CMS has signing-time but no signing-certificate, so it claims no level.
  expect(report.signatures[0]?.level).toBeUndefined();
  expect(bytes.length).toBeGreaterThan(fixture('agreement.pdf').length);
});
