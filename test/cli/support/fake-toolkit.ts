import type { SealedDocument } from '../../../src/app/documents/sealed-document.ts';
import type { PdfVerificationReport, SignatureReport } from '../../../src/verify/report/report.ts';
import type { Toolkit, ToolkitIo } from '../../../src/wire/toolkit.types.ts';

/** The bytes that the fake appends. */
export const fakeTail = 'SEAL';

/** A signature report whose checks have all passed. */
export function signatureReport(changes: Partial<SignatureReport> = {}): SignatureReport {
  return {
    kind: 'signature',
    field: 'Signature1',
    subFilter: 'ETSI.CAdES.detached',
    indication: 'TOTAL-PASSED',
    level: 'B-LTA',
    intact: true,
    trusted: true,
    coverage: 'revision',
    byteRange: [0, 10, 20, 30],
    algorithm: 'rsa-pkcs1 sha256',
    signer: {
      subject: 'CN=Seal of Acme,O=Acme',
      issuer: 'CN=Acme CA',
      serialNumber: '01',
      notBefore: '2025-01-01T00:00:00.000Z',
      notAfter: '2030-01-01T00:00:00.000Z',
    },
    bestTime: '2026-01-02T03:04:05.000Z',
    timeProved: true,
    timestamps: [],
    findings: [],
    ...changes,
  };
}

/** A report over signatures; its indication is the worst of theirs. */
export function verificationReport(
  ...signatures: readonly SignatureReport[]
): PdfVerificationReport {
  const order = ['TOTAL-FAILED', 'INDETERMINATE', 'TOTAL-PASSED'] as const;
  const worst = order.find((one) => signatures.some(({ indication }) => indication === one));
  return {
    v: 1,
    format: 'pdf',
    indication: worst ?? 'INDETERMINATE',
    coverage: worst === 'TOTAL-PASSED' ? 'full' : 'none',
    verifiedAt: '2026-01-02T03:04:05.000Z',
    signatures,
    uncoveredBytes: 0,
    notJudged: ['the colour of the ink'],
  };
}

/** The result of seal and archive of the fake. */
export function sealOutcome(changes: Partial<SealedDocument> = {}): SealedDocument {
  const stamp = signatureReport({
    kind: 'document-timestamp',
    field: 'Timestamp2',
    timeProved: true,
    timestamps: [],
  });
  const timestamps = [
    {
      time: '2026-01-02T03:04:05.000Z',
      authority: 'CN=Time of Acme',
      serialNumber: '02',
      valid: true,
      trusted: true,
    },
  ];
  return {
    bytes: Buffer.from(fakeTail),
    keptBytes: 0,
    tail: Buffer.from(fakeTail),
    report: verificationReport(signatureReport({ timestamps }), stamp),
    level: 'B-LTA',
    field: 'Signature1',
    signer: 'CN=Seal of Acme,O=Acme',
    warnings: [],
    timestampRequests: 2,
    ...changes,
  };
}

/** A toolkit that seals everything and warns as the real one does. */
export function fakeToolkit(io: ToolkitIo): Toolkit {
  return {
    pages: { verify: true },
    seal: async ({ lengthBytes: keptBytes }, { level = 'B-LTA' }) => {
      io.warn('development trust in use', 'trust.development');
      return sealOutcome({ level, keptBytes });
    },
    planArchive: async () => ({
      ...{ format: 'pdf', possible: true, timestampRequests: 1 },
      ...{ signatures: [], problems: [], warnings: [] },
    }),
    timestamp: async ({ lengthBytes: keptBytes }) =>
      sealOutcome({ field: 'Timestamp1', keptBytes }),
    augment: async ({ lengthBytes: keptBytes }) => sealOutcome({ field: 'Timestamp2', keptBytes }),
    sealXml: async ({ lengthBytes: keptBytes }, { level = 'B-LTA' }) =>
      sealOutcome({ level, keptBytes }),
    sealFiles: async (_files, { level = 'B-LTA' }) => sealOutcome({ level }),
    verify: async () => verificationReport(signatureReport()),
    verifyLogExport: () => Promise.reject(new Error('the fake verifies no export')),
    register: () => Promise.reject(new Error('the fake has no register')),
    initialise: async () => ({
      dataDir: '/data',
      created: ['/data/trust/root.pem', '/data/trust/seal-rsa.key'],
      existing: [],
      rootCertificate: '/data/trust/root.pem',
    }),
    diagnose: async () => [
      { name: 'data directory', status: 'ok', message: '/data' },
      { name: 'seal key', status: 'warning', message: 'TEST ONLY', hint: 'use your own' },
    ],
    requireStrongKey: () => Promise.resolve(),
    service: () => Promise.reject(new Error('the fake has no service')),
    storage: () => Promise.reject(new Error('the fake has no storage')),
    trustService: () => undefined,
    serveTrust: async () => ({ url: 'http://127.0.0.1:8318', close: async () => undefined }),
    close: () => undefined,
  };
}
