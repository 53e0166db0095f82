import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import {
  beginUpdate,
  encodeText,
  openPdf,
  type PdfObject,
  pdfName,
} from '../../../src/formats/pdf/index.ts';
import { InnsigliError, type SealPdfOptions, sealPdf } from '../../../src/index.ts';
import { makeTestPki, type TestMemberName } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { type TsaFault, testAuthority, tsaFaults } from '../../support/tsa.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();

async function codeOf(input: Uint8Array, changes: Partial<SealPdfOptions> = {}): Promise<string> {
  try {
    await sealPdf(input, sealOptions(pki, changes));
    return 'sealed';
  } catch (error) {
    if (!(error instanceof InnsigliError)) throw error;
    expect(error.message).not.toMatch(/undefined|\[object|NaN/);
    return error.code;
  }
}

describe('sealPdf rejects', () => {
  test.each([
    ['empty.pdf', 'pdf.empty'],
    ['not-a-pdf.txt', 'pdf.notpdf'],
    ['header-only.pdf', 'pdf.truncated'],
    ['truncated.pdf', 'pdf.truncated'],
    ['encrypted.pdf', 'pdf.password.needed'],
    ['page-tree-loop.pdf', 'pdf.structure.invalid'],
  ])('%s with %s', async (name, code) => {
    expect(await codeOf(fixture(name), { level: 'B-B' })).toBe(code);
  });

  test('a document certified with P=1: pdf.certified.locked', async () => {
    const options = sealOptions(pki, { level: 'B-B', certify: 1 });
    const { bytes } = await sealPdf(fixture('agreement.pdf'), options);
    expect(await codeOf(bytes, { level: 'B-B' })).toBe('pdf.certified.locked');
  });

  test('certifying after a signature: pdf.certify.late', async () => {
    const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level: 'B-B' }));
    expect(await codeOf(bytes, { level: 'B-B', certify: 2 })).toBe('pdf.certify.late');
  });

  test('a signed field: pdf.field.signed', async () => {
    const options = sealOptions(pki, { level: 'B-B', field: 'Seal' });
    const { bytes } = await sealPdf(fixture('agreement.pdf'), options);
    expect(await codeOf(bytes, { level: 'B-B', field: 'Seal' })).toBe('pdf.field.signed');
  });

  test.each(['', 'a.b', 'x'.repeat(128)])(
    'the field name "%s": pdf.field.invalid',
    async (field) => {
      expect(await codeOf(fixture('agreement.pdf'), { field })).toBe('pdf.field.invalid');
    },
  );
});

describe('damage that can be repaired', () => {
  test.each([
    'no-startxref.pdf',
    'wrong-startxref.pdf',
    'startxref-beyond-end.pdf',
    'prev-loop.pdf',
    'catalog-missing.pdf',
  ])('%s is sealed, with a warning', async (name) => {
    const input = fixture(name);
    const { bytes, level, warnings } = await sealPdf(input, sealOptions(pki));
    expect(level).toBe('B-LTA');
    expect(warnings.join()).toContain('the document is damaged');
    expect(Buffer.compare(bytes.subarray(0, input.length), input)).toBe(0);
    // The result needs no further repair.
    expect(openPdf(memorySource(bytes), { repair: 'never' }).findings).toEqual([]);
  });

  test('does not include bytes before the header, which only cause a warning', async () => {
    const { warnings } = await sealPdf(fixture('junk-before-header.pdf'), sealOptions(pki));
    expect(warnings).toEqual(['19 bytes before "%PDF-": some validators reject this file']);
  });

  test('in a signed document is not repaired: sealing is rejected', async () => {
    const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level: 'B-B' }));
    const text = Buffer.from(bytes).toString('latin1');
    const at = text.lastIndexOf('startxref') + 10;
    const damaged = Buffer.from(`${text.slice(0, at)}7\n%%EOF\n`, 'latin1');
    expect(await codeOf(damaged, { level: 'B-B' })).toBe('pdf.damaged.signed');
    const { signatures } = await verifyDocument(damaged, { trust: [pki.member('root').der] });
    expect(signatures.map(({ intact }) => intact)).toEqual([false]);
  });
});

describe('forms and fields', () => {
  /** The agreement with a form of these entries. */
  function withForm(entries: readonly (readonly [string, PdfObject])[]): Uint8Array {
    const input = fixture('agreement.pdf');
    const file = openPdf(memorySource(input));
    const update = beginUpdate(file);
    const form = new Map<string, PdfObject>(entries);
    update.set(file.catalogReference, new Map([...file.catalog, ['AcroForm', form]]));
    return concatBytes([input, update.finish().bytes]);
  }
  const field = (type: string) =>
    new Map<string, PdfObject>([
      ['FT', pdfName(type)],
      ['T', encodeText('Name')],
    ]);

  test('cause a warning if there is an XFA form', async () => {
    const input = withForm([
      ['Fields', []],
      ['XFA', encodeText('<xdp/>')],
    ]);
    const { warnings } = await sealPdf(input, sealOptions(pki, { level: 'B-B' }));
    expect(warnings.join()).toContain('XFA');
  });

  test('cause a warning if a new field is added beside an empty one', async () => {
    const input = withForm([['Fields', [field('Sig')]]]);
    const options = sealOptions(pki, { level: 'B-B', field: 'Nome' });
    expect((await sealPdf(input, options)).warnings.join()).toContain('empty field "Name"');
  });

  test('are rejected if the name belongs to another kind of field', async () => {
    const input = withForm([['Fields', [field('Tx')]]]);
    expect(await codeOf(input, { level: 'B-B', field: 'Name' })).toBe('pdf.field.invalid');
  });
});

describe('signing keys', () => {
  test.each<[TestMemberName, string]>([
    ['expired', 'key.expired'],
    ['notYetValid', 'key.notyetvalid'],
    ['wrongUsage', 'key.usage.forbidden'],
    ['tlsServer', 'key.usage.forbidden'],
    ['tsa', 'key.usage.forbidden'],
    ['ca', 'key.usage.forbidden'],
    ['revoked', 'certificate.revoked'],
  ])('%s: rejected with %s', async (member, code) => {
    const signer = signerOf(pki.member(member));
    expect(await codeOf(fixture('agreement.pdf'), { signer })).toBe(code);
  });

  test('that fail or do not match their certificate give no file', async () => {
    const good = signerOf(pki.member('signer'));
    const failing = { ...good, sign: () => Promise.reject(new Error('device removed')) };
    expect(await codeOf(fixture('agreement.pdf'), { signer: failing })).toBe('key.sign.failed');
    const other = { ...good, sign: signerOf(pki.member('tlsServer')).sign };
    expect(await codeOf(fixture('agreement.pdf'), { signer: other, level: 'B-B' })).toBe(
      'seal.selfcheck.failed',
    );
  });

  test('without a path to an anchor: certificate.untrusted', async () => {
    const stranger = makeTestPki();
    const signer = signerOf(stranger.member('signer'));
    expect(await codeOf(fixture('agreement.pdf'), { signer })).toBe('certificate.untrusted');
  });
});

describe('a time-stamp authority', () => {
  const faults = Object.entries(tsaFaults).filter(([fault]) => fault !== 'wrongPolicy');
  test.each(faults as [TsaFault, string][])('%s: rejected with %s', async (fault, code) => {
    const timestampAuthority = testAuthority(pki, fault);
    expect(await codeOf(fixture('agreement.pdf'), { timestampAuthority })).toBe(code);
  });

  test('without a path to an anchor is rejected: tsa.certificate.untrusted', async () => {
    const timestampAuthority = testAuthority(makeTestPki());
    expect(await codeOf(fixture('agreement.pdf'), { timestampAuthority })).toBe(
      'tsa.certificate.untrusted',
    );
  });

  test('is required above B-B: tsa.missing', async () => {
    const { timestampAuthority: _, ...options } = sealOptions(pki, { level: 'B-T' });
    await expect(sealPdf(fixture('agreement.pdf'), options)).rejects.toMatchObject({
      code: 'tsa.missing',
    });
  });
});

describe('revocation data for a seal', () => {
  test('is required: revocation.missing', async () => {
    const revocation = { find: async () => ({ ocsp: [], crls: [] }) };
    expect(await codeOf(fixture('agreement.pdf'), { revocation })).toBe('revocation.missing');
  });

  test('is rejected if malformed: revocation.missing', async () => {
    const junk = Uint8Array.of(0x30, 0x03, 1, 2, 3);
    const revocation = { find: async () => ({ ocsp: [junk], crls: [junk] }) };
    expect(await codeOf(fixture('agreement.pdf'), { revocation })).toBe('revocation.missing');
  });
});
