import type { ByteSource } from '../../../base/bytes.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchRequest, JournalRecord } from '../batch.types.ts';
import { checkAddedPdf, tailDigest } from '../plan/existing.ts';
import { isFailed, reportOn } from '../plan/existing-xml.ts';

/**
 * True when a file that was replaced in place is the result that the journal records. The journal
 * stands in a folder that others may write to, as the file does: the document must also carry what
 * the command makes, intact and at the level.
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
 * The tail is where the record has it. Bytes after it do not matter: others may have signed
 * on. XML grows in its middle then, and the signature that was made is known by its Id.
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
