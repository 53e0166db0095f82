import { describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../src/index.ts';
import { buildingBlocksOf } from '../../../src/verify/report/building-blocks.ts';
import type { FindingCode, SignatureReport } from '../../../src/verify/report/report.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { someSignature } from '../app/reports/some-report.ts';

const at = '2026-06-01T00:00:00.000Z';

/** Each block as a letter: P passed, F failed, I indeterminate, - not run. */
function lettersOf(signature: SignatureReport, verifiedAt = at): string {
  const letters = { PASSED: 'P', FAILED: 'F', INDETERMINATE: 'I', 'NOT-RUN': '-' } as const;
  return buildingBlocksOf(signature, verifiedAt)
    .map(({ indication }) => letters[indication])
    .join('');
}

const open = (subIndication: string | undefined, more: Partial<SignatureReport> = {}) => {
  const { anchor: _, ...rest } = someSignature({
    indication: 'INDETERMINATE',
    trusted: false,
    timeProved: false,
    ...more,
  });
  return subIndication === undefined ? rest : { ...rest, subIndication };
};
const failed = (subIndication: string, more: Partial<SignatureReport> = {}) =>
  open(subIndication, { indication: 'TOTAL-FAILED', intact: false, ...more });
const error = (code: FindingCode) =>
  [{ code, severity: 'error', message: `about ${code}` }] as const;

describe('building blocks', () => {
  // Format, certificate, context, X.509, cryptography, acceptance, past, existence.
  test.each<[string, SignatureReport, string]>([
    ['all is well', someSignature(), 'PPPPPP-P'],
    ['format', failed('FORMAT_FAILURE'), 'FP------'],
    [
      'no certificate',
      { ...open('NO_SIGNING_CERTIFICATE_FOUND', { intact: false }), signer: undefined as never },
      'PIP-----',
    ],
    ['changed', failed('HASH_FAILURE'), 'PPP-F---'],
    ['incorrect key', failed('SIG_CRYPTO_FAILURE'), 'PPP-F---'],
    ['unknown algorithm', open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', { intact: false }), 'PPP-I-I-'],
    ['weak algorithm', open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE'), 'PPP-PII-'],
    ['untrusted', open('NO_CERTIFICATE_CHAIN_FOUND'), 'PPPIP---'],
    ['revoked', open('REVOKED_NO_POE'), 'PPPIP-I-'],
    ['no status', open('TRY_LATER'), 'PPPIP---'],
    ['an unknown future sub-indication', open('SOMETHING_ELSE'), 'PPPIP---'],
    [
      'later change',
      open(undefined, { trusted: true, findings: error('document.changed') }),
      'IPPPPP--',
    ],
    [
      'second opinion',
      open('GENERIC', { trusted: true, findings: error('signature.second-opinion.disagrees') }),
      'PPPPIP--',
    ],
  ])('have these results: %s', (_, signature, letters) => {
    expect(lettersOf(signature)).toBe(letters);
  });

  test('past validation passes for a certificate that has expired since', () => {
    expect(lettersOf(someSignature(), '2030-01-01T00:00:00.000Z')).toBe('PPPPPPPP');
  });

  test('the constraint of a failed block is the deciding finding', () => {
    const findings = [...error('baseline.m'), ...error('certificate.revoked')];
    const blocks = buildingBlocksOf(open('REVOKED_NO_POE', { findings }), at);
    expect(blocks[3]).toEqual({
      name: 'x509-validation',
      indication: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
      constraint: 'certificate.revoked',
      message: 'about certificate.revoked',
    });
  });

  test('a finding with an unknown code counts by its severity', () => {
    const findings = [
      { code: 'new.note' as FindingCode, severity: 'info', message: 'a' },
      { code: 'new.error' as FindingCode, severity: 'error', message: 'b' },
    ] as const;
    const blocks = buildingBlocksOf(open('TRY_LATER', { findings }), at);
    expect(blocks[3]).toMatchObject({ constraint: 'new.error', message: 'b' });
  });

  test('are part of the report of verifyDocument', async () => {
    const pki = makeTestPki();
    const { sealPdf } = await import('../../../src/index.ts');
    const { bytes } = await sealPdf(fixture('minimal.pdf'), sealOptions(pki));
    const trust = [pki.member('root').der];
    const report = await verifyDocument(bytes, { trust, at: new Date(pki.nowMs) });
    for (const { buildingBlocks } of report.signatures) {
      expect(buildingBlocks?.map(({ indication }) => indication)).not.toContain('INDETERMINATE');
      expect(buildingBlocks).toHaveLength(8);
    }
  });
});
