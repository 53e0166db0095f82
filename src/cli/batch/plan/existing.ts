import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type ByteSource, equalBytes, scanBytes, wholeBytes } from '../../../base/bytes.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { VerificationReport } from '../../../verify/report/index.ts';
import type { FilePlace } from '../../../wire/documents.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import {
  closeInput,
  isPdfName,
  looksLikeCms,
  looksLikeXml,
  looksLikeZip,
  readInput,
} from '../../files/index.ts';
import type { CliIo } from '../../io.ts';
import type { BatchRequest, BatchTask, JournalRecord } from '../batch.types.ts';
import { checkXmlResult, isFailed, notValid, type ResultFacts, reportOn } from './existing-xml.ts';

const pieceBytes = 1 << 20;

/** Conclusion about an existing file at the path of the output. */
export type Conclusion =
  | { readonly isGood: true; readonly record: JournalRecord }
  | { readonly isGood: false; readonly reason: string };

/** Dependencies of the check. */
export interface CheckPorts {
  readonly toolkit: Toolkit;
  readonly io: CliIo;
}

/**
 * Checks an existing file at the path of a result. It must contain the input as the command
 * preserves it (a PDF as its start, XML around the insertions), and in addition what the command
 * adds, intact and at the level.
 *
 * @param place position of the output
 * @throws nothing for a file that is not a document: that is a reason
 */
export async function checkExisting(
  task: BatchTask & { readonly output: string },
  place: FilePlace | undefined,
  input: ByteSource,
  request: BatchRequest,
  { toolkit, io }: CheckPorts,
): Promise<Conclusion> {
  const existing = await readInput(task.output, io, place);
  try {
    const { source } = existing;
    const checkVerdict = await verdictOf(input, basename(task.relative), request);
    const found = await checkVerdict(input, source, request, toolkit);
    if (typeof found === 'string') return { isGood: false, reason: found };
    const { path, mtimeMs, output } = task;
    const { lengthBytes: inputBytes } = input;
    const { lengthBytes: outputBytes } = source;
    const { keptBytes = inputBytes } = found;
    const tailSha256 = tailDigest(source, keptBytes, outputBytes);
    const facts = { input: path, inputBytes, mtimeMs, output, outputBytes, ...found };
    return { isGood: true, record: { ...facts, tailSha256 } };
  } finally {
    closeInput(existing);
  }
}

async function verdictOf(
  input: ByteSource,
  name: string,
  request: BatchRequest,
): Promise<typeof checkPdfResult> {
  const isWrapped = request.timestampOnly && !isPdfName(name);
  const isContainer = request.container !== undefined || isWrapped || looksLikeZip(input);
  if (isContainer) {
    const { checkContainerResult } = await import('./existing-container.ts');
    return (...args) => checkContainerResult(name, ...args);
  }
  if (looksLikeCms(input)) return checkCmsResult;
  return looksLikeXml(input) ? checkXmlResult : checkPdfResult;
}

/** Returns the entry of a valid result, or why it is not one. */
async function checkPdfResult(
  input: ByteSource,
  source: ByteSource,
  request: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  if (source.lengthBytes <= input.lengthBytes || !beginsWith(source, input)) {
    return 'does not start with the input';
  }
  return checkAddedPdf(input.lengthBytes, source, request, toolkit);
}

// Considers only additions after the first `startBytes`, the document before the command.
async function checkAddedPdf(
  startBytes: number,
  source: ByteSource,
  { command, config, seal }: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  const report = await reportOn(toolkit, source);
  const signatures = report?.format === 'pdf' ? report.signatures : [];
  const added = signatures.filter(
    ({ byteRange: [, , start = 0, length = 0] }) => start + length > startBytes,
  );
  if (signatures.some(isFailed)) return notValid;
  const wanted = command === 'archive' ? 'document-timestamp' : 'signature';
  const made = added.find(({ kind, intact }) => kind === wanted && intact);
  if (made === undefined) return 'has no new signature';
  const level = seal.level ?? config.level;
  return command === 'seal' && !reachesLevel(made.level, level) ? `does not reach ${level}` : {};
}

// A CMS file must keep content, signers and everything around them, plus archive time-stamps.
async function checkCmsResult(
  input: ByteSource,
  source: ByteSource,
  _request: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  const { loadContainerTools } = await import('../../../wire/toolkit.ts');
  const { isAugmentedCms } = await loadContainerTools();
  if (!isAugmentedCms(wholeBytes(input), wholeBytes(source))) return 'does not contain the input';
  const after = await reportOn(toolkit, source);
  if (after?.format === 'cms' && after.signatures.some(isFailed)) return notValid;
  const isArchived = countArchives(after) > countArchives(await reportOn(toolkit, input));
  return isArchived ? { keptBytes: 0 } : 'has no new archive time-stamp';
}

function countArchives(report: VerificationReport | undefined): number {
  const signatures = report?.format === 'cms' ? report.signatures : [];
  const stamps = signatures.flatMap(({ timestamps }) => timestamps);
  return stamps.filter(({ valid, covers }) => valid && covers === 'archive').length;
}

/**
 * True if a file that was replaced in place is the result recorded in the journal. Others may be
 * able to write to the journal's folder as well as to the file, so the document must also carry
 * what the command adds, intact and at the level.
 */
export async function isReplaced(
  source: ByteSource,
  record: JournalRecord,
  request: BatchRequest,
  toolkit: Toolkit,
): Promise<boolean> {
  if (!holdsRecorded(source, record)) return false;
  const report = await reportOn(toolkit, source);
  if (report === undefined) return false;
  if (report.format === 'pdf') {
    return typeof (await checkAddedPdf(record.inputBytes, source, request, toolkit)) !== 'string';
  }
  const { signatures } = report;
  if (signatures.some(isFailed)) return false;
  const intact = signatures.filter((one) => one.intact);
  if (request.command === 'archive') {
    return intact.some(
      ({ level, timestamps }) =>
        level === 'B-LTA' || timestamps.some(({ covers, valid }) => valid && covers === 'archive'),
    );
  }
  const wanted = request.sealXml.level ?? request.config.level;
  const { signatureId } = record;
  return intact.some((one) => {
    const isIt = signatureId === undefined || ('id' in one && one.id === signatureId);
    return isIt && reachesLevel(one.level, wanted);
  });
}

/**
 * The tail must be where the journal recorded it. Bytes after it do not matter: others may have
 * signed since. XML then grows in the middle, and the new signature is recognised by its Id.
 */
function holdsRecorded(source: ByteSource, record: JournalRecord): boolean {
  const { lengthBytes } = source;
  const { keptBytes = record.inputBytes, outputBytes, tailSha256, signatureId } = record;
  if (lengthBytes < outputBytes) return false;
  if (tailDigest(source, keptBytes, outputBytes) === tailSha256) return true;
  if (signatureId === undefined) return false;
  const { buffer, byteOffset, length } = source.bytes ?? source.slice(0, lengthBytes);
  return Buffer.from(buffer, byteOffset, length).includes(`"${signatureId}"`);
}

/** SHA-256 of the bytes from `start` up to `end`, hexadecimal. */
function tailDigest(source: ByteSource, start: number, end: number): string {
  const hash = createHash('sha256');
  scanBytes(source, start, end, (piece) => hash.update(piece));
  return hash.digest('hex');
}

function beginsWith(source: ByteSource, start: ByteSource): boolean {
  for (let at = 0; at < start.lengthBytes; at += pieceBytes) {
    const end = Math.min(at + pieceBytes, start.lengthBytes);
    if (!equalBytes(source.slice(at, end), start.slice(at, end))) return false;
  }
  return true;
}
