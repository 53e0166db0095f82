import { describe, expect, test } from 'vitest';
import { augmentPdf, sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { countingAuthority, fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { testAuthority } from '../../support/tsa.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const pki = makeTestPki();
const trust = [pki.member('root').der];
const at = new Date(pki.nowMs);

describe.each([
  // A signature without a time-stamp first gets one over the document.
  { level: 'B-B', requests: 2, stamps: 2 },
  { level: 'B-T', requests: 1, stamps: 1 },
  { level: 'B-LT', requests: 1, stamps: 1 },
  { level: 'B-LTA', requests: 1, stamps: 2 },
] as const)('archiving a seal at $level', ({ level, requests, stamps }) => {
  test('augments it to B-LTA and keeps every byte', async () => {
    const sealed = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level }));
    const { authority, counter } = countingAuthority(testAuthority(pki));
    const options = sealOptions(pki, { timestampAuthority: authority });
    const { bytes } = await augmentPdf(sealed.bytes, options);
    const { length } = sealed.bytes;
    expect(Buffer.compare(bytes.subarray(0, length), sealed.bytes)).toBe(0);
    const report = await verifyDocument(bytes, { trust, at });
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures[0]?.level).toBe('B-LTA');
    expect(report.signatures).toHaveLength(1 + stamps);
    expect(counter.requests).toBe(requests);
  });
});

test('renewal adds a time-stamp and no validation data twice', async () => {
  const options = sealOptions(pki);
  const sealed = await sealPdf(fixture('agreement.pdf'), options);
  const once = await augmentPdf(sealed.bytes, options);
  const twice = await augmentPdf(once.bytes, options);
  const { length: first } = once.bytes;
  const { length: second } = twice.bytes;
  // A token, its dictionary and its field, but no certificate or response again.
  expect(second - first).toBeLessThan(8_000);
  const report = await verifyDocument(twice.bytes, { trust, at });
  expect(report.signatures.filter(({ kind }) => kind === 'document-timestamp')).toHaveLength(3);
  expect(report.signatures[0]?.level).toBe('B-LTA');
});

describe("after the signer's certificate expired", () => {
  const shortLived = pki.issue({ name: 'short', notAfterMs: pki.nowMs + DAY_MS });
  const signer = signerOf(shortLived);
  const later = { trust, at: new Date(pki.nowMs + 30 * DAY_MS) };

  test('an archived seal is verified at its proven time', async () => {
    const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { signer }));
    const [seal] = (await verifyDocument(bytes, later)).signatures;
    expect(seal).toMatchObject({ level: 'B-LTA', indication: 'TOTAL-PASSED', timeProved: true });
  });

  test('a seal at B-B has no proven time', async () => {
    const options = sealOptions(pki, { signer, level: 'B-B' });
    const { bytes } = await sealPdf(fixture('agreement.pdf'), options);
    const [seal] = (await verifyDocument(bytes, later)).signatures;
    expect(seal).toMatchObject({ indication: 'INDETERMINATE', timeProved: false });
  });
});

test('a time-stamp whose authority expired without renewal proves no time', async () => {
  const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki));
  const report = await verifyDocument(bytes, { trust, at: new Date(pki.nowMs + 3 * YEAR_MS) });
  expect(report.indication).toBe('INDETERMINATE');
  expect(report.signatures.every(({ timeProved }) => !timeProved)).toBe(true);
});

describe('augmentPdf', () => {
  test('rejects a PDF without a signature: pdf.signature.none', async () => {
    await expect(augmentPdf(fixture('agreement.pdf'), sealOptions(pki))).rejects.toMatchObject({
      code: 'pdf.signature.none',
    });
  });

  test('rejects a signer without a path to an anchor: certificate.untrusted', async () => {
    const stranger = makeTestPki();
    const options = sealOptions(stranger, { level: 'B-B' });
    const { bytes } = await sealPdf(fixture('agreement.pdf'), options);
    await expect(augmentPdf(bytes, sealOptions(pki))).rejects.toMatchObject({
      code: 'certificate.untrusted',
    });
  });
});
