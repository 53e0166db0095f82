import { describe, expect, test } from 'vitest';
import { type SealLevel, sealPdf } from '../../../src/index.ts';
import { makeTestPki, type TestMemberName } from '../../support/pki.ts';
import { sampleOf } from '../../support/sample.ts';
import { countingAuthority, fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { testAuthority } from '../../support/tsa.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const at = new Date(pki.nowMs);
const trust = [pki.member('root').der];

const levels: readonly { level: SealLevel; requests: number; signatures: number }[] = [
  { level: 'B-B', requests: 0, signatures: 1 },
  { level: 'B-T', requests: 1, signatures: 1 },
  { level: 'B-LT', requests: 1, signatures: 1 },
  { level: 'B-LTA', requests: 2, signatures: 2 },
];
const keys: readonly TestMemberName[] = [
  'signer',
  'rsa',
  'pss',
  'p384',
  'p521',
  'ed25519',
  'ed448',
];
const inputs = [
  'agreement.pdf',
  'xref-stream.pdf',
  'object-streams.pdf',
  'hybrid.pdf',
  'linearized.pdf',
  'incremental.pdf',
  'junk-after-eof.pdf',
  'no-id.pdf',
  'form-indirect-arrays.pdf',
  'version-2.0.pdf',
];

describe.each(levels)('a seal at $level', ({ level, requests, signatures }) => {
  test.each(sampleOf(keys, 3))('is valid with the key %s', async (key) => {
    const input = fixture('agreement.pdf');
    const { authority, counter } = countingAuthority(testAuthority(pki));
    const signer = signerOf(pki.member(key));
    const options = sealOptions(pki, { level, signer, timestampAuthority: authority });
    const { bytes } = await sealPdf(input, options);
    expect(Buffer.compare(bytes.subarray(0, input.length), input)).toBe(0);
    const report = await verifyPdfDocument(bytes, { trust, at });
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures).toHaveLength(signatures);
    expect(report.signatures[0]).toMatchObject({ level, intact: true, trusted: true });
    expect(report.signatures.at(-1)?.kind).toBe(
      level === 'B-LTA' ? 'document-timestamp' : 'signature',
    );
    expect(counter.requests).toBe(requests);
    // EN 319 102-1 §5.2.6: levels below B-LT do not contain a status.
    const isProved = level === 'B-LT' || level === 'B-LTA';
    const strict = await verifyPdfDocument(bytes, { trust, at, revocationMode: 'require' });
    expect(strict.signatures[0]).toMatchObject(
      isProved
        ? { level, indication: 'TOTAL-PASSED' }
        : { level, indication: 'INDETERMINATE', subIndication: 'TRY_LATER' },
    );
    expect(strict.indication).toBe(isProved ? 'TOTAL-PASSED' : 'INDETERMINATE');
  });

  test.each(sampleOf(inputs, 3))('is valid on %s', async (name) => {
    const input = fixture(name);
    const { bytes } = await sealPdf(input, sealOptions(pki, { level }));
    expect(Buffer.compare(bytes.subarray(0, input.length), input)).toBe(0);
    const report = await verifyPdfDocument(bytes, { trust, at });
    expect(report.signatures[0]).toMatchObject({ level, indication: 'TOTAL-PASSED' });
  });
});

describe('several seals on one file', () => {
  test('stay intact and keep their level', async () => {
    let bytes = fixture('agreement.pdf');
    for (const level of ['B-B', 'B-LTA', 'B-T', 'B-LTA'] as const) {
      const sealed = await sealPdf(bytes, sealOptions(pki, { level }));
      expect(Buffer.compare(sealed.bytes.subarray(0, bytes.length), bytes)).toBe(0);
      bytes = new Uint8Array(sealed.bytes);
    }
    const report = await verifyPdfDocument(bytes, { trust, at });
    const seals = report.signatures.filter(({ kind }) => kind === 'signature');
    expect(seals.map(({ intact }) => intact)).toEqual([true, true, true, true]);
    expect(seals.at(-1)?.level).toBe('B-LTA');
    expect(new Set(report.signatures.map(({ field }) => field)).size).toBe(6);
  });
});

describe('the signature dictionary', () => {
  test('contains the details that the report returns', async () => {
    const details = { reason: 'Samþykkt – «já»', location: 'Reykjavík', name: 'Łukasz' };
    const options = sealOptions(pki, { level: 'B-B', field: 'Seal', certify: 2, ...details });
    const { report } = await sealPdf(fixture('agreement.pdf'), options);
    expect(report.signatures[0]).toMatchObject({
      field: 'Seal',
      reason: details.reason,
      location: details.location,
      certifies: 2,
      claimedTime: new Date(Math.floor(pki.nowMs / 1000) * 1000).toISOString(),
    });
  });

  test('is put into an existing empty field', async () => {
    const input = fixture('form-with-empty-signature-field.pdf');
    const before = await verifyPdfDocument(input, {});
    expect(before.signatures).toHaveLength(0);
    const probe = await sealPdf(input, sealOptions(pki, { level: 'B-B' }));
    expect(probe.report.signatures).toHaveLength(1);
  });
});

describe('the space reserved in /Contents', () => {
  test.each(levels)('wastes at most 40 bytes at $level', async ({ level }) => {
    const options = sealOptions(pki, { level });
    // The first round determines the length of a token.
    await sealPdf(fixture('agreement.pdf'), options);
    const { bytes } = await sealPdf(fixture('agreement.pdf'), options);
    for (const [hole] of Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/<(30[0-9a-f]{400,})>/g)) {
      const padding = /(?:00)*>$/.exec(hole)?.[0].length ?? 0;
      expect(padding / 2).toBeLessThanOrEqual(40);
    }
  });

  test('is enlarged in a second round if a token exceeds its announced length', async () => {
    const inner = testAuthority(pki);
    const lying = { ...inner, tokenLengthBytes: 100 };
    const { authority, counter } = countingAuthority(lying);
    const options = sealOptions(pki, { level: 'B-T', timestampAuthority: authority });
    const { report } = await sealPdf(fixture('agreement.pdf'), options);
    expect(report.signatures[0]?.level).toBe('B-T');
    expect(counter.requests).toBe(2);
  });
});

test('the same clock, randomness and key give the same bytes', async () => {
  const signer = signerOf(pki.member('ed25519'));
  const run = () => sealPdf(fixture('agreement.pdf'), sealOptions(pki, { level: 'B-B', signer }));
  const [first, second] = [await run(), await run()];
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
});
