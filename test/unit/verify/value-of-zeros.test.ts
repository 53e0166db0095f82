import { expect, test } from 'vitest';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const trust = [pki.member('root').der];

test.each([
  ['a signature', 'B-B', 0],
  ['a document time-stamp', 'B-LTA', 1],
] as const)('%s that was prepared but never made is reported as such', async (_, level, index) => {
  const { bytes } = await sealPdf(fixture('minimal.pdf'), sealOptions(pki, { level }));
  const verify = (document: Uint8Array) =>
    verifyPdfDocument(document, { trust, at: new Date(pki.nowMs) });
  const range = (await verify(bytes)).signatures[index]?.byteRange ?? [];
  const [, first = 0, second = 0] = range;
  const empty = Buffer.from(bytes);
  empty.fill('0', first + 1, second - 1);
  const found = (await verify(empty)).signatures[index];
  expect(found).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' });
  expect(found?.findings.map(({ code }) => code)).toEqual(['signature.cms.empty']);
});
