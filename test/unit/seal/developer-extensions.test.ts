import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { asArray, asDict, openPdf, type PdfObject } from '../../../src/formats/pdf/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki, type TestMemberName } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const at = new Date(pki.nowMs);
const trust = [pki.member('root').der];

async function sealed(input: Uint8Array, key: TestMemberName) {
  const signer = signerOf(pki.member(key));
  const { bytes, warnings } = await sealPdf(input, sealOptions(pki, { level: 'B-B', signer }));
  return { bytes: new Uint8Array(bytes), warnings };
}

/** The ISO extension levels that the catalog lists. */
function isoLevels(bytes: Uint8Array): readonly (PdfObject | undefined)[] {
  const file = openPdf(memorySource(bytes));
  const extensions = asDict(file.resolve(file.catalog.get('Extensions')));
  const list = asArray(file.resolve(extensions?.get('ISO_'))) ?? [];
  return list.map((item) => asDict(file.resolve(item))?.get('ExtensionLevel'));
}

describe('a seal with an Edwards-curve key', () => {
  test('with Ed25519, names ISO/TS 32002 in the catalog once and raises the version to 2.0', async () => {
    const input = fixture('agreement.pdf');
    expect(openPdf(memorySource(input)).version).not.toBe('2.0');
    const first = await sealed(input, 'ed25519');
    expect(isoLevels(first.bytes)).toEqual([32002]);
    expect(openPdf(memorySource(first.bytes)).version).toBe('2.0');
    const second = await sealed(first.bytes, 'ed25519');
    expect(isoLevels(second.bytes)).toEqual([32002]);
    const report = await verifyPdfDocument(second.bytes, { trust, at });
    expect(report.signatures.map(({ indication }) => indication)).toEqual([
      'TOTAL-PASSED',
      'TOTAL-PASSED',
    ]);
  });

  test('with Ed448 and SHAKE256, also names ISO/TS 32001', async () => {
    const first = await sealed(fixture('agreement.pdf'), 'ed448');
    expect(isoLevels(first.bytes)).toEqual([32001, 32002]);
    const report = await verifyPdfDocument(first.bytes, { trust, at });
    expect(report.indication).toBe('TOTAL-PASSED');
  });

  test('leaves an earlier seal with another key valid', async () => {
    const first = await sealed(fixture('agreement.pdf'), 'signer');
    expect(isoLevels(first.bytes)).toEqual([]);
    const second = await sealed(first.bytes, 'ed25519');
    const report = await verifyPdfDocument(second.bytes, { trust, at });
    expect(report.indication).toBe('TOTAL-PASSED');
  });

  test('keeps other extensions, even a single one under ISO_', async () => {
    const plain = Buffer.from(fixture('agreement.pdf')).toString('latin1');
    const own = '/ISO_ <</Type /DeveloperExtensions /BaseVersion /2.0 /ExtensionLevel 32003>>';
    const adobe = '/ADBE <</BaseVersion /1.7 /ExtensionLevel 3>>';
    const edited = plain.replace(
      '/Type /Catalog',
      `/Type /Catalog /Extensions <<${own} ${adobe}>>`,
    );
    expect(edited).not.toBe(plain);
    const first = await sealed(Buffer.from(edited, 'latin1'), 'signer');
    const second = await sealed(first.bytes, 'ed25519');
    expect(isoLevels(second.bytes)).toEqual([32003, 32002]);
    const file = openPdf(memorySource(second.bytes));
    expect(asDict(file.resolve(file.catalog.get('Extensions')))?.has('ADBE')).toBe(true);
    const report = await verifyPdfDocument(second.bytes, { trust, at });
    expect(report.indication).toBe('TOTAL-PASSED');
  });

  test('warns that EU validators do not accept it, unlike one with P-256', async () => {
    const edwards = await sealed(fixture('agreement.pdf'), 'ed25519');
    expect(edwards.warnings.join()).toContain('validators of the EU do not accept it yet');
    const curve = await sealed(fixture('agreement.pdf'), 'signer');
    expect(curve.warnings).toEqual([]);
  });
});
