import { expect, test } from 'vitest';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const trust = [pki.member('root').der];

test.each(['B-B', 'B-LTA'] as const)(
  '%s: uncoveredBytes counts the bytes after the last signature',
  async (level) => {
    const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level }));
    const uncovered = async (document: Uint8Array) =>
      (await verifyPdfDocument(document, { trust, at: new Date(pki.nowMs) })).uncoveredBytes;
    expect(await uncovered(bytes)).toBe(0);
    expect(await uncovered(Buffer.concat([bytes, Buffer.from('% five')]))).toBe(6);
    // A signature that is not intact covers nothing.
    const broken = Buffer.from(bytes);
    broken[20] = (broken[20] as number) ^ 1;
    expect(await uncovered(broken)).toBe(broken.length);
  },
);

test('validation data after a B-LT seal counts as uncovered', async () => {
  const options = sealOptions(pki, { level: 'B-LT' });
  const { bytes, report } = await sealPdf(fixture('agreement.pdf'), options);
  const [, , start = 0, length = 0] = report.signatures[0]?.byteRange ?? [];
  expect(report.uncoveredBytes).toBe(bytes.length - start - length);
  expect(report.uncoveredBytes).toBeGreaterThan(1000);
});
