import { type ByteSource, wholeBytes } from '../../../base/bytes.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { VerificationReport, XmlSignatureReport } from '../../../verify/report/index.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchRequest, JournalRecord } from '../batch.types.ts';

/** Members of the record of a good result besides its names and sizes. */
export type ResultFacts = Pick<JournalRecord, 'keptBytes' | 'signatureId'>;

/** The report on a document, revocation left aside; undefined for one that cannot be read. */
export const reportOn = (toolkit: Toolkit, source: ByteSource) =>
  toolkit.verify(source, [], { revocation: 'ignore' }).catch(() => undefined);

/** True for a signature that makes a file no result. */
export const isFailed = ({ indication }: VerificationReport['signatures'][number]) =>
  indication === 'TOTAL-FAILED';
/** Why it is none. */
export const notValid = 'has a signature that is not valid';

/** So many bytes of the input after an insertion are looked for. */
const anchorBytes = 64;

/**
 * Checks a file that has the name of the result for an XML document: the document must stand in it,
 * with pieces put in between only, or whole in an enveloping signature; and one signature more, or
 * archive time-stamps, at the level. Gives what the record keeps, or why it is no result.
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

/** The signatures of an XML document; none of a file that is none or cannot be read. */
async function xmlSignatures(toolkit: Toolkit, source: ByteSource) {
  const report = await reportOn(toolkit, source);
  return report?.format === 'xml' ? report.signatures : [];
}

/** Every signature that could be preserved has more archive time-stamps than before. */
function isArchived(
  earlier: readonly XmlSignatureReport[],
  signatures: readonly XmlSignatureReport[],
): boolean {
  if (earlier.length !== signatures.length) return false;
  const pairs = earlier.map((one, index) => [one, signatures[index] ?? one] as const);
  const wanted = pairs.filter(([one]) => one.intact && one.form === 'xades');
  // One of no baseline profile has no level, before and after.
  const isHigh = (one: XmlSignatureReport, now: XmlSignatureReport) =>
    now.level === (one.level && 'B-LTA');
  const stamps = ({ timestamps }: XmlSignatureReport) =>
    timestamps.filter(({ covers }) => covers === 'archive').length;
  return (
    wanted.length > 0 && wanted.every(([one, now]) => isHigh(one, now) && stamps(now) > stamps(one))
  );
}

/**
 * True when the result is the input with pieces put in between. The slash of an empty tag, which is
 * opened for a signature, may be missing.
 */
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

/** True when the document stands in the result: without its XML declaration, or as base64. */
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
