import { type ByteSource, concatBytes, joinedSource, wholeBytes } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  listSignatureFields,
  type OpenOptions,
  openPdf,
  type PdfFile,
  withPdf,
} from '../../../formats/pdf/index.ts';
import { stampPdf } from '../../../seal/document-timestamp.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import type { TimestampVerdict } from '../../../trust/timestamp.ts';
import type { PdfVerificationReport } from '../../../verify/report/index.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { addLongTermData, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { type SealedDocument, withLateMembers } from '../sealed-document.ts';
import { chooseTimestampField, requireUserRights } from './check-permission.ts';
import { damageWarnings } from './damage.ts';

/**
 * Covers a PDF, signed or not, with a document time-stamp: proof of existence without a key.
 * Validation data of the authority is added if it is available; otherwise a warning states why not.
 * Intact signatures must survive.
 *
 * @param open options for opening an encrypted document
 * @throws pdf.*, tsa.*, seal.selfcheck.failed
 * @spec ETSI EN 319 142-1 §5.4.3
 */
export function timestampPdf(
  source: ByteSource,
  given: ArchivePorts,
  open: OpenOptions = {},
): Promise<SealedDocument<PdfVerificationReport>> {
  return archivedUntil(given, async (ports) => {
    const pool = poolOf(ports);
    const warnings: string[] = [];
    const earlier = withPdf(source, open, (file) => {
      const signed = listSignatureFields(file).filter(({ value }) => value !== undefined).length;
      warnings.push(...damageWarnings(file, signed));
      requireUserRights(file, false, signed > 0);
      return intactSignatures(file, signed, checkContext(ports, pool), warnings);
    });
    const file = openPdf(source, open);
    const choice = chooseTimestampField(file);
    const { container, timestamp } = await stampPdf(
      file,
      choice,
      timestampContext(ports, pool, 'B-LTA'),
    );
    const stamped = openPdf(joinedSource(source, container.tail), open);
    const data = await validationData(stamped, timestamp.verdict, ports, pool, warnings);
    const tail = data === undefined ? container.tail : concatBytes([container.tail, data]);
    const context = checkContext(ports, pool);
    const result = openPdf(joinedSource(source, tail), open);
    const report = checkResult(result, context, earlier, undefined)();
    const { name: field } = choice;
    const made = report.signatures.find((each) => each.field === field);
    if (made?.intact !== true || made.coverage === 'partial') {
      const reason = made?.findings[0]?.message ?? 'it was not found';
      throw new InnsigliError('seal.selfcheck.failed', `the time-stamp "${field}": ${reason}`);
    }
    const sealed = { keptBytes: source.lengthBytes, tail, field, report, warnings };
    return withLateMembers(sealed, { bytes: () => wholeBytes(joinedSource(source, tail)) });
  });
}

async function validationData(
  file: PdfFile,
  { certificate, info }: TimestampVerdict,
  ports: ArchivePorts,
  pool: CertificatePool,
  warnings: string[],
): Promise<Uint8Array | undefined> {
  if (certificate === undefined) return undefined;
  const atMs = info?.genTimeMs ?? ports.now();
  try {
    return await addLongTermData(file, [{ certificate, atMs }], ports, pool);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    warnings.push(`no validation data of the time-stamp authority was added: ${error.message}`);
    return undefined;
  }
}
