import { randomBytes } from 'node:crypto';
import type {
  ContainerVerificationReport,
  ReferenceReport,
  XmlSignatureReport,
  XmlVerificationReport,
} from '../../../src/verify/report/report.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import type { CliSetup } from './fake-cli.ts';
import { signatureReport, verificationReport } from './fake-toolkit.ts';

/** A reference that covers the whole document. */
export const wholeDocument: ReferenceReport = {
  uri: '',
  scope: 'document',
  digest: 'sha256',
  status: 'valid',
};

/** The report on an XML signature whose checks have all passed. */
export function xmlSignature(changes: Partial<XmlSignatureReport> = {}): XmlSignatureReport {
  const { field: _f, subFilter: _s, byteRange: _b, ...common } = signatureReport();
  return {
    ...common,
    kind: 'signature',
    form: 'xades',
    id: 'id-1',
    offsetBytes: 3,
    coverage: 'document',
    references: [wholeDocument],
    ...changes,
  };
}

/** A report on an XML document. */
export function xmlReport(...signatures: readonly XmlSignatureReport[]): XmlVerificationReport {
  const { indication, coverage } = verificationReport(
    ...signatures.map((one) => signatureReport({ indication: one.indication })),
  );
  const { verifiedAt, notJudged } = verificationReport();
  return { v: 1, format: 'xml', indication, coverage, verifiedAt, notJudged, signatures };
}

/** A report on an ASiC-E container with two files. */
export function containerReport(
  ...signatures: readonly XmlSignatureReport[]
): ContainerVerificationReport {
  const files = ['a.xml', 'b.csv'].map((name) => ({ name, lengthBytes: 4, covered: true }));
  return { ...xmlReport(...signatures), format: 'asic-e', files };
}

/**
 * A setup with the real toolkit; the development trust is created once per test file. Its tests do
 * not concern revocation and mostly seal at B-B, so an unknown status is ignored.
 */
export function realToolkit(): CliSetup {
  const home = newTemporaryFolder('trust');
  const random = (count: number) => new Uint8Array(randomBytes(count));
  return {
    env: { INNSIGLI_HOME: home, INNSIGLI_REVOCATION: 'ignore' },
    io: {
      random,
      openToolkit: (config, io) => Promise.resolve(openToolkit(config, { ...io, random })),
      waitForStop: () => new Promise(() => undefined),
    },
  };
}
