import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../src/base/errors.ts';
import type { SignatureReport, VerificationReport } from '../../src/verify/report/report.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { signatureReport, verificationReport } from './support/fake-toolkit.ts';

const passed = verificationReport(signatureReport());
const failed = verificationReport(
  signatureReport(),
  signatureReport({ indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE', intact: false }),
);
const indeterminateTrust = verificationReport(
  signatureReport({
    indication: 'INDETERMINATE',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
    trusted: false,
  }),
);
const unsigned = verificationReport();
const broken = new InnsigliError('pdf.notpdf', 'expected %PDF-, found text');

async function verify(
  answers: readonly (VerificationReport | InnsigliError)[],
  ...flags: readonly string[]
) {
  const cli = openFakeCli(Object.fromEntries(answers.map((_, index) => [`${index}.pdf`, '%PDF'])));
  const rest = [...answers];
  const names = answers.map((_, index) => `${index}.pdf`);
  return cli.run(['verify', ...names, ...flags], {
    toolkit: {
      verify: async () => {
        const answer = rest.shift();
        if (answer === undefined || answer instanceof InnsigliError) throw answer;
        return answer;
      },
    },
  });
}

describe('innsigli verify', () => {
  test.each([
    ['one document', ['0.xml'], ['--second-opinion'], [true]],
    ['one document without the option', ['0.xml'], [], [false]],
    ['a batch', ['0.xml', '1.xml'], ['--second-opinion', '--jobs', '1'], [true, true]],
  ])('passes --second-opinion to the toolkit: %s', async (_, names, flags, expected) => {
    const cli = openFakeCli(Object.fromEntries(names.map((name) => [name, '<a/>'])));
    const asked: unknown[] = [];
    await cli.run(['verify', ...names, ...flags], {
      io: { waitForStop: () => new Promise<never>(() => undefined) },
      toolkit: {
        verify: async (_input, _detached, options) => {
          asked.push(options?.secondOpinion);
          return passed;
        },
      },
    });
    expect(asked).toEqual(expected);
  });

  test.each([
    ['passed', [passed], 0],
    ['failed', [failed], 7],
    ['indeterminateTrust', [indeterminateTrust], 9],
    ['no signature', [unsigned], 7],
    ['not a PDF', [broken], 7],
    ['passed, passed', [passed, passed], 0],
    ['passed, indeterminateTrust', [passed, indeterminateTrust], 9],
    ['indeterminateTrust, failed', [indeterminateTrust, failed], 7],
    ['passed, not a PDF', [passed, broken], 3],
    ['indeterminateTrust, not a PDF', [indeterminateTrust, broken], 3],
    ['not a PDF, failed', [broken, failed], 7],
  ])('exits by the verdict: %s', async (_, answers, exitCode) => {
    expect((await verify(answers)).exitCode).toBe(exitCode);
    expect((await verify(answers, '--json')).exitCode).toBe(exitCode);
  });

  test('prints the report for people', async () => {
    const report = verificationReport(
      signatureReport({
        reason: 'I agree\u001b[31m',
        certifies: 2,
        claimedTime: '2026-01-01T00:00:00.000Z',
        timestamps: [
          {
            time: '2026-01-02T03:04:05.000Z',
            authority: 'CN=Time of Acme,O=Acme',
            serialNumber: '02',
            valid: true,
            trusted: false,
          },
        ],
        findings: [
          { code: 'signature.nested', severity: 'warning', message: 'expected more, found less' },
        ],
      }),
    );
    const { stdout, stderr } = await verify([report]);
    expect(stderr).toBe('');
    expect(stdout).toBe(`✓ 0.pdf: The document can be relied on.

  ✓ Seal of Acme signed it; a time-stamp proves that the signature existed at
    2026-01-02 03:04:05 UTC. It can be relied on: the signed content is
    unchanged, and the certificate comes from Acme CA, which is trusted here.

Details: TOTAL-PASSED (1 signature), checked at 2026-01-02T03:04:05.000Z

  ✓ Signature by Seal of Acme, 2026-01-02 03:04:05 UTC: TOTAL-PASSED
    field       Signature1
    signer      CN=Seal of Acme,O=Acme
    issuer      CN=Acme CA
    certificate valid 2025-01-01T00:00:00Z to 2030-01-01T00:00:00Z
    level       PAdES B-LTA
    integrity   ✓ intact; covers the file as it was then; later updates follow
    trust       ✓ a path leads to a trust anchor
    time        proved at 2026-01-02T03:04:05Z; claimed 2026-01-01T00:00:00Z
    time-stamp  ✗ 2026-01-02T03:04:05Z by Time of Acme
    algorithm   rsa-pkcs1 sha256
    certifies   P=2: filling forms and signing are allowed
    reason      I agree\\u{1b}[31m (claimed)
    finding     ! expected more, found less [signature.nested]

Not checked yet:
  - the colour of the ink
`);
  });

  test('hints at --trust when there is no trust anchor', async () => {
    const hint = 'hint: name the root you trust with --trust FILE';
    expect((await verify([indeterminateTrust])).stdout).toContain(`\n\n${hint}`);
    expect((await verify([passed])).stdout).not.toContain('hint');
    const [document] = JSON.parse((await verify([indeterminateTrust], '--json')).stdout).documents;
    expect(document.hint).toContain('--trust FILE');
  });

  const changed = [{ code: 'document.changed', severity: 'warning', message: 'x' }] as const;
  test.each<[number, Partial<SignatureReport>, string]>([
    [1, {}, '· 1 byte after the last signature is not covered: it changes no signed'],
    [9, {}, '· 9 bytes after the last signature are not covered: they change no signed'],
    [
      9,
      { indication: 'INDETERMINATE', findings: changed },
      '! 9 bytes after the last signature are not covered: they change the doc',
    ],
    [9, { indication: 'INDETERMINATE' }, 'not covered: they were not checked'],
  ])('reports %i bytes after the last signature, %j', async (uncoveredBytes, last, expected) => {
    const lost = signatureReport({ indication: 'TOTAL-FAILED', intact: false });
    const signatures = verificationReport(signatureReport(), signatureReport(last), lost);
    const { stdout } = await verify([{ ...signatures, uncoveredBytes }]);
    expect(stdout).toContain(expected);
  });

  test.each([
    ['signature.cms.limit', 'too large'],
    ['signature.algorithm.unsupported', 'the algorithm is unknown'],
  ] as const)('explains a signature not checked because of %s: %s', async (code, why) => {
    const { intact: _, ...open } = signatureReport({
      indication: 'INDETERMINATE',
      subIndication: 'GENERIC',
      findings: [{ code, severity: 'error', message: 'x' }],
    });
    const report = verificationReport(open as unknown as SignatureReport);
    const { stdout } = await verify([{ ...report, indication: 'INDETERMINATE' }]);
    expect(stdout).toContain(`integrity   ? not checked, ${why}\n`);
    expect(stdout).toContain(`level       not checked, ${why}\n`);
  });

  test('--quiet and a document without a signature print one line', async () => {
    expect((await verify([unsigned])).stdout).toBe('✗ 0.pdf: no signature\n');
    expect((await verify([failed], '-q')).stdout).toBe('✗ 0.pdf: TOTAL-FAILED (2 signatures)\n');
  });

  test('--json has the same shape for one document and for several', async () => {
    expect(JSON.parse((await verify([passed], '--json')).stdout)).toEqual({
      v: 1,
      command: 'verify',
      documents: [{ input: '0.pdf', report: passed }],
      warnings: [],
    });
    const many = await verify([broken, passed], '--json');
    expect(JSON.parse(many.stdout).documents).toEqual([
      { input: '0.pdf', error: { code: 'pdf.notpdf', message: broken.message, details: {} } },
      { input: '1.pdf', report: passed },
    ]);
  });

  test('a document that cannot be verified is reported on stderr, and the others are verified', async () => {
    const { stdout, stderr } = await verify([broken, passed]);
    expect(stderr).toContain('error[pdf.notpdf]: 0.pdf: expected %PDF-, found text');
    expect(stdout).toContain('✓ 1.pdf: The document can be relied on.');
  });
});
