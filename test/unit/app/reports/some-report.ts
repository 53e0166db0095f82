import type {
  PdfVerificationReport,
  SignatureReport,
} from '../../../../src/verify/report/report.ts';

/** A signature with every conclusion good; `changes` replace members. */
export function someSignature(changes: Partial<SignatureReport> = {}): SignatureReport {
  return {
    kind: 'signature',
    field: 'Signature1',
    subFilter: 'ETSI.CAdES.detached',
    indication: 'TOTAL-PASSED',
    level: 'B-LTA',
    intact: true,
    trusted: true,
    anchor: 'CN=Root of Acme,O=Acme',
    coverage: 'whole-file',
    byteRange: [0, 10, 20, 30],
    algorithm: 'ecdsa sha256',
    signer: {
      subject: 'CN=Anna Jónsdóttir,O=Acme',
      issuer: 'CN=Acme CA',
      serialNumber: '01',
      notBefore: '2025-01-01T00:00:00.000Z',
      notAfter: '2027-01-01T00:00:00.000Z',
    },
    bestTime: '2026-01-02T03:04:05.000Z',
    timeProved: true,
    timestamps: [],
    findings: [],
    ...changes,
  };
}

/** The report on a PDF with these signatures. */
export function someReport(...signatures: readonly SignatureReport[]): PdfVerificationReport {
  const order = ['TOTAL-FAILED', 'INDETERMINATE', 'TOTAL-PASSED'] as const;
  const worst = order.find((one) => signatures.some(({ indication }) => indication === one));
  return {
    v: 1,
    format: 'pdf',
    indication: worst ?? 'INDETERMINATE',
    coverage: worst === 'TOTAL-PASSED' ? 'full' : 'none',
    verifiedAt: '2026-06-01T00:00:00.000Z',
    signatures,
    uncoveredBytes: 0,
    notJudged: ['the colour of the ink'],
  };
}
