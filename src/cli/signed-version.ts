import type { PdfVerificationReport, VerificationReport } from '../verify/report/index.ts';
import { refuseUsage } from './context.ts';
import { type InputFile, planOutput, writeOutput } from './files/index.ts';
import type { CliIo } from './io.ts';

/** Version of a document to write, and its place. */
export interface SignedVersionRequest {
  /** Number of the signature in the report, from 1. */
  readonly signature: number;
  readonly output: string;
  /** An existing file may be replaced, and a version whose signature is broken written. */
  readonly force: boolean;
}

/** The written file. */
export interface SignedVersion {
  readonly signature: number;
  readonly field: string;
  readonly output: string;
  readonly bytes: number;
}

/** Refuses what is no PDF. @throws usage.invalid */
export function requirePdf(report: VerificationReport): asserts report is PdfVerificationReport {
  if (report.format === 'pdf') return;
  const found = report.format === 'xml' ? 'XML' : 'an ASiC container';
  refuseUsage(`--signed-version: expected a PDF, found ${found}`);
}

/**
 * Writes the document as it was when the signature was made: its first bytes, up to the last one
 * that the signature covers. Gives undefined, and writes nothing, when the signature is broken.
 *
 * @throws usage.invalid when there is no such signature, or it does not say what it covers
 * @throws usage.output.exists, usage.output.same, io.output.unwritable, io.input.changed
 */
export function writeSignedVersion(
  input: InputFile,
  { signatures }: PdfVerificationReport,
  { signature, output, force }: SignedVersionRequest,
  io: CliIo,
): SignedVersion | undefined {
  const found = signatures[signature - 1];
  if (found === undefined) {
    const most = signatures.length;
    const range = most === 0 ? 'the document has no signature' : `expected 1 to ${most}`;
    refuseUsage(`--signed-version: ${range}, found ${signature}`);
  }
  const { byteRange, field, intact } = found;
  const [, , second, rest] = byteRange;
  if (second === undefined || rest === undefined) {
    refuseUsage(`--signed-version: the coverage of signature ${signature} is unknown`);
  }
  if (!intact && !force) return undefined;
  const bytes = second + rest;
  const plan = planOutput(output, input, { force }, io);
  writeOutput(plan, input, { keptBytes: bytes, tail: new Uint8Array() }, io);
  return { signature, field, output, bytes };
}
