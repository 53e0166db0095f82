import { expect, test } from 'vitest';
import { concatBytes, latin1Bytes, latin1Text } from '../../../src/base/bytes.ts';
import { augmentPdf, type SealLevel, sealPdf } from '../../../src/index.ts';
import { pdfWithTable } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const seal = (pdf: Uint8Array, level: SealLevel = 'B-B') =>
  sealPdf(pdf, sealOptions(pki, { level }));

const odd = (catalog: string, page = '') =>
  pdfWithTable([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${page}>>`,
  ]);

const inTwoParts: readonly (readonly [string, string])[] = [
  ['/DSS 3 0 R', 'object 3 is both the first page and the validation data'],
  ['/DSS 1 0 R', 'object 1 is both the catalog and the validation data'],
  ['/DSS 2 0 R', 'object 2 is both the page tree and the validation data'],
  ['/AcroForm 3 0 R', 'object 3 is both the first page and the form'],
  ['/Extensions 3 0 R', 'object 3 is both the first page and the list of extensions'],
  ['/DSS<</OCSPs 3 0 R>>', 'object 3 is both the first page and /OCSPs'],
];

test.each(inTwoParts)(
  '%s: a seal at B-B comes with a warning that archiving will fail',
  async (entry, why) => {
    const { bytes, warnings } = await seal(odd(entry));
    expect(warnings).toContain(`it cannot be archived later: ${why}`);
    await expect(augmentPdf(bytes, sealOptions(pki))).rejects.toMatchObject({
      code: expect.stringMatching(/^(pdf\.signature\.broken|seal\.selfcheck\.failed)$/),
    });
  },
);

test.each(['/DSS 7', '/DSS null', '/DSS<</Certs[3 0 R null]>>', '/AcroForm<</Fields[]>>'])(
  '%s: a seal at B-B comes without a warning about archiving',
  async (entry) => {
    const { bytes, warnings } = await seal(odd(entry));
    expect(warnings).toEqual([]);
    expect((await augmentPdf(bytes, sealOptions(pki))).level).toBe('B-LTA');
  },
);

const leading: readonly (readonly [string, string])[] = [
  ['\n', '1 byte before "%PDF-": some validators reject this file'],
  ['some junk\n', '10 bytes before "%PDF-": some validators reject this file'],
];

test.each(leading)('bytes before the header cause a warning: %j', async (junk, warning) => {
  const pdf = concatBytes([latin1Bytes(junk), fixture('agreement.pdf')]);
  const sealed = await seal(pdf);
  expect(sealed.warnings).toContain(warning);
  const archived = await augmentPdf(sealed.bytes, sealOptions(pki));
  expect(archived.warnings).toContain(warning);
});

test('a number outside the range is preserved when its page is rewritten', async () => {
  const { bytes, warnings } = await seal(odd('', '/UserUnit 1e30'));
  expect(warnings).toEqual([]);
  expect(latin1Text(bytes).match(/\/UserUnit 1e30/g)).toHaveLength(2);
});
