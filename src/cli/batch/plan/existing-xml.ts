import { type ByteSource, wholeBytes } from '../../../base/bytes.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { VerificationReport, XmlSignatureReport } from '../../../verify/report/index.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchRequest, JournalRecord } from '../batch.types.ts';

/** Facts in the journal entry of a valid result, besides names and sizes. */
export type ResultFacts = Pick<JournalRecord, 'keptBytes' | 'signatureId'>;

/** The report on a document, without revocation checks. Undefined if it cannot be read. */
export const reportOn = (toolkit: Toolkit, source: ByteSource) =>
  toolkit.verify(source, [], { revocation: 'ignore' }).catch(() => undefined);

/** True for a signature with which a file cannot be a result. */
export const isFailed = ({ indication }: VerificationReport['signatures'][number]) =>
  indication === 'TOTAL-FAILED';
/** Reason why a file is not a result. */
export const notValid = 'has a signature that is not valid';

/** Number of input bytes after an insertion that are searched for. */
const anchorBytes = 64;

/**
 * Checks a file at the path of the result for an XML document. It must contain the document, either
 * with insertions only or whole in an enveloping signature; and an additional signature, or archive
 * time-stamps, at the level. Returns the facts for the journal, or why it is not a result.
 */
export async function checkXmlResult(
  input: ByteSource,
  source: ByteSource,
  request: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  const [before, after] = [bytesOf(input), bytesOf(source)];
  const isEnveloping = request.command === 'seal-xml' && request.sealXml.packaging === 'enveloping';
  const isThere = isEnveloping ? isEnveloped(before, after) : isGrown(before, after);
  if (!isThere) return 'does not contain the input';
  const signatures = await xmlSignatures(toolkit, source);
  if (signatures.some(isFailed)) return notValid;
  const earlier = isEnveloping ? [] : await xmlSignatures(toolkit, input);
  const keptBytes = commonStart(before, after);
  if (request.command === 'archive') {
    return isArchived(earlier, signatures) ? { keptBytes } : 'has no new archive time-stamp';
  }
  const known = new Set(earlier.map(({ id }) => id));
  const made = signatures.find(({ id, intact }) => intact && !known.has(id));
  if (made === undefined || signatures.length <= earlier.length) return 'has no new signature';
  const level = request.sealXml.level ?? request.config.level;
  if (!reachesLevel(made.level, level)) return `does not reach ${level}`;
  return { keptBytes, ...(made.id === undefined ? {} : { signatureId: made.id }) };
}

/** The signatures of an XML document; none if the file is not XML or cannot be read. */
async function xmlSignatures(toolkit: Toolkit, source: ByteSource) {
  const report = await reportOn(toolkit, source);
  return report?.format === 'xml' ? report.signatures : [];
}

/** True if every signature that could be augmented has more archive time-stamps than before. */
function isArchived(
  earlier: readonly XmlSignatureReport[],
  signatures: readonly XmlSignatureReport[],
): boolean {
  if (earlier.length !== signatures.length) return false;
  const pairs = earlier.map((one, index) => [one, signatures[index] ?? one] as const);
  const wanted = pairs.filter(([one]) => one.intact && one.form === 'xades');
  // A signature outside the baseline profiles has no level, before or after.
  const isHigh = (one: XmlSignatureReport, now: XmlSignatureReport) =>
    now.level === (one.level && 'B-LTA');
  const stamps = ({ timestamps }: XmlSignatureReport) =>
    timestamps.filter(({ covers }) => covers === 'archive').length;
  return (
    wanted.length > 0 && wanted.every(([one, now]) => isHigh(one, now) && stamps(now) > stamps(one))
  );
}

/** True if the result is the input with insertions. Empty-element tags may have lost the slash. */
function isGrown(before: Buffer, after: Buffer): boolean {
  let [at, to] = [0, 0];
  while (at < before.length) {
    const same = commonStart(before.subarray(at), after.subarray(to));
    at += same;
    to += same;
    if (at === before.length) return true;
    const isEmptyTag = before[at] === 0x2f && before[at + 1] === 0x3e;
    if (isEmptyTag) at += 1;
    const next = after.indexOf(before.subarray(at, at + anchorBytes), to);
    if (next < 0) return false;
    to = next;
  }
  return true;
}

/** True if the result contains the document, without its XML declaration or as base64. */
function isEnveloped(before: Buffer, after: Buffer): boolean {
  const text = before.toString('latin1');
  const declaration = /^(?:\xef\xbb\xbf)?<\?xml[ \t\r\n][^>]*\?>/.exec(text)?.[0] ?? '';
  const content = before.subarray(declaration.length).toString('latin1').trim();
  return after.includes(content, 0, 'latin1') || after.includes(before.toString('base64'));
}

function commonStart(first: Uint8Array, second: Uint8Array): number {
  const most = Math.min(first.length, second.length);
  let count = 0;
  while (count < most && first[count] === second[count]) count += 1;
  return count;
}

function bytesOf(source: ByteSource): Buffer {
  const { buffer, byteOffset, length } = wholeBytes(source);
  return Buffer.from(buffer, byteOffset, length);
}
