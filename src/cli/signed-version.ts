import type { PdfVerificationReport, VerificationReport } from '../verify/report/index.ts';
import { type CommandContext, refuseUsage } from './context.ts';
import { type InputFile, planOutput, writeOutput } from './files/index.ts';
import type { CliIo } from './io.ts';
import { counted, printable } from './output/index.ts';

interface SignedVersionRequest {
  /** Number of the signature in the report, from 1. */
  readonly signature: number;
  readonly output: string;
  /** Allows replacing an existing file, and writing a version whose signature is not intact. */
  readonly force: boolean;
}

interface SignedVersion {
  readonly signature: number;
  readonly field: string;
  readonly output: string;
  readonly bytes: number;
}

/**
 * Same as {@link writeSignedVersion}, but reports what was written, or why nothing was.
 *
 * @throws usage.invalid if the input is not a PDF
 */
export async function writeVersion(
  input: InputFile,
  report: VerificationReport,
  request: SignedVersionRequest,
  { io, console }: CommandContext,
): Promise<SignedVersion | undefined> {
  if (report.format !== 'pdf') {
    const found = report.format === 'xml' ? 'XML' : 'an ASiC container';
    return refuseUsage(`--signed-version: expected a PDF, found ${found}`);
  }
  const written = writeSignedVersion(input, report, request, io);
  if (written === undefined) {
    const message = `nothing was written: signature ${request.signature} is not intact`;
    await console.warn(message, 'document.warning');
    return undefined;
  }
  if (!console.mode.json) {
    const { signature, field, output, bytes } = written;
    const of = `the version signed by signature ${signature} "${printable(field)}"`;
    console.result(['', `Wrote ${of} to ${printable(output)} (${counted(bytes, 'byte')})`]);
  }
  return written;
}

/**
 * Writes the document as it was when the signature was created: its first bytes, up to the last one
 * that the signature covers. Returns undefined and writes nothing if the signature is not intact.
 *
 * @throws usage.invalid if there is no such signature, or it does not state what it covers
 * @throws usage.output.exists, usage.output.same, io.output.unwritable, io.input.changed
 */
function writeSignedVersion(
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
