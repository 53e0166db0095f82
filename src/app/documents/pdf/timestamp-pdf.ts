import { type ByteSource, joinedSource, wholeBytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  listSignatureFields,
  type OpenOptions,
  openPdf,
  withPdf,
} from '../../../formats/pdf/index.ts';
import { stampPdf } from '../../../seal/document-timestamp.ts';
import { chooseField } from '../../../seal/signature-field.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import type { PdfVerificationReport } from '../../../verify/report.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { timestampContext } from '../long-term-steps.ts';
import type { ArchivePorts } from '../seal-ports.ts';
import type { SealedDocument } from '../sealed-document.ts';
import { requireUserRights } from './check-permission.ts';
import { damageWarnings } from './damage.ts';

/**
 * Covers a PDF, signed or not, with a document time-stamp: proof that it existed, without a key.
 * Signatures that are intact must survive.
 *
 * @param open how to open an encrypted document
 * @throws pdf.*, tsa.*, seal.selfcheck.failed
 * @spec ETSI EN 319 142-1 §5.4.3
 */
export async function timestampPdf(
  source: ByteSource,
  ports: ArchivePorts,
  open: OpenOptions = {},
): Promise<SealedDocument<PdfVerificationReport>> {
  const { anchors } = ports;
  const pool = createCertificatePool([
    ...(ports.certificates ?? []),
    ...anchors.map(({ der }) => der),
  ]);
  const warnings: string[] = [];
  const earlier = withPdf(source, open, (file) => {
    const signed = listSignatureFields(file).filter(({ value }) => value !== undefined).length;
    warnings.push(...damageWarnings(file, signed));
    requireUserRights(file, false, signed > 0);
    return intactSignatures(file, signed, { anchors, pool, nowMs: ports.now() }, warnings);
  });
  const file = openPdf(source, open);
  const choice = chooseField(file, listSignatureFields(file), undefined, 'Timestamp');
  const { container } = await stampPdf(file, choice, timestampContext(ports, pool, 'B-LTA'));
  const { tail } = container;
  const context = { anchors, pool, nowMs: ports.now() };
  const result = openPdf(joinedSource(source, tail), open);
  const report = checkResult(result, context, earlier, undefined)();
  const { name: field } = choice;
  const made = report.signatures.find((each) => each.field === field);
  if (made?.intact !== true || made.coverage !== 'whole-file') {
    const reason = made?.findings[0]?.message ?? 'it is not found';
    throw new InnsigliError('seal.selfcheck.failed', `the time-stamp «${field}»: ${reason}`);
  }
  return {
    get bytes() {
      return wholeBytes(joinedSource(source, tail));
    },
    keptBytes: source.lengthBytes,
    tail,
    field,
    report,
    warnings,
  };
}
