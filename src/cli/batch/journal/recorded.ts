import type { ByteSource } from '../../../base/bytes.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchWishes, JournalRecord } from '../batch.types.ts';
import { checkAddedPdf, tailDigest } from '../plan/existing.ts';

/**
 * True when a file that was replaced in place is the result that the journal tells of. The journal
 * stands in a folder that others may write to, as the file does: the document must also carry what
 * the command makes, intact and at the level.
 */
export async function isReplaced(
  source: ByteSource,
  record: JournalRecord,
  wishes: BatchWishes,
  toolkit: Toolkit,
): Promise<boolean> {
  if (!holdsRecorded(source, record)) return false;
  const report = await toolkit.verify(source).catch(() => undefined);
  if (report === undefined) return false;
  if (report.format === 'pdf') {
    return typeof (await checkAddedPdf(record.inputBytes, source, wishes, toolkit)) !== 'string';
  }
  const { signatures } = report;
  if (signatures.some(({ indication }) => indication === 'TOTAL-FAILED')) return false;
  const intact = signatures.filter((one) => one.intact);
  if (wishes.command === 'archive') return intact.some(({ level }) => level === 'B-LTA');
  const wanted = wishes.sealXml.level ?? wishes.config.level;
  const { signatureId } = record;
  return intact.some((one) => {
    const isIt = signatureId === undefined || ('id' in one && one.id === signatureId);
    return isIt && reachesLevel(one.level, wanted);
  });
}

/**
 * The tail stands where the record has it. Bytes behind it do not matter: somebody may have signed
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
