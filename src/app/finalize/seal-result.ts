import { type ByteSource, joinedSource, memorySource } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import { openPdf } from '../../formats/pdf/index.ts';
import { findPath } from '../../trust/path.ts';
import { listCertificatesToCheck } from '../../verify/pdf/index.ts';
import type { PdfVerificationReport, SignatureReport } from '../../verify/report.ts';
import { checkResult } from '../documents/check-result.ts';
import { requireUsableSigner } from '../documents/check-signer.ts';
import { addLongTermData, addTimestamp, timestampContext } from '../documents/long-term-steps.ts';
import type { SealPorts } from '../documents/seal-ports.ts';

/** A document with the seal of the company. */
export interface FinalDocument {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  /** The conclusion on every signature in it. */
  readonly report: PdfVerificationReport;
}

/**
 * Seals a signed document with the key of the company and lifts it to `level`: from B-LT on, the
 * validation data of every signature that leads to an anchor is added, of signees as of the
 * company, and for B-LTA a document time-stamp over all of it. The result is verified.
 *
 * @param ownCount signatures of this process in the document
 * @throws pdf.*, key.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @throws pdf.signature.broken when a signature of a signee is not in order
 */
export async function sealResult(
  content: Uint8Array,
  level: SealLevel,
  ownCount: number,
  ports: SealPorts,
): Promise<FinalDocument> {
  const { sealPdf } = await import('../documents/pdf/seal-pdf.ts');
  const first = reachesLevel(level, 'B-LT') ? 'B-T' : level;
  const source = memorySource(content);
  const sealed = await sealPdf({ source, level: first, visible: false }, ports);
  const { field } = sealed;
  const result =
    first === level
      ? { source: sealed.source, report: sealed.report() }
      : await lift(sealed.source, sealed.report(), field, level, ports);
  requireOwn(result.report, ownCount + 1);
  const { source: whole } = result;
  const bytes = whole.bytes ?? whole.slice(0, whole.lengthBytes);
  return { bytes, level, report: result.report };
}

async function lift(
  sealed: ByteSource,
  before: PdfVerificationReport,
  field: string,
  level: SealLevel,
  ports: SealPorts,
): Promise<{ source: ByteSource; report: PdfVerificationReport }> {
  const { anchors } = ports;
  const { pool: own } = requireUsableSigner(ports, ports.now());
  const list = { anchors, pool: own, nowMs: ports.now() };
  const { certificates, pool } = listCertificatesToCheck(openPdf(sealed), list);
  // Earlier signatures of the document without a path must not keep ours from their level.
  const trusted = certificates.filter(
    ({ certificate, atMs }) => findPath({ certificate, pool, anchors, atMs }).valid,
  );
  const data = await addLongTermData(openPdf(sealed), trusted, ports, pool, true);
  let source = data === undefined ? sealed : joinedSource(sealed, data);
  if (level === 'B-LTA') {
    const timestamps = timestampContext(ports, pool, level);
    source = joinedSource(source, await addTimestamp(openPdf(source), timestamps));
  }
  const earlier = before.signatures.filter(({ intact }) => intact);
  const now = { anchors, pool, nowMs: ports.now() };
  const report = checkResult(openPdf(source), now, earlier, { field, level })();
  return { source, report };
}

/** The signatures of this process and its seal are the newest ones: all of them in order. */
function requireOwn({ signatures }: PdfVerificationReport, count: number): void {
  const own = signatures.filter(({ kind }) => kind === 'signature').slice(-count);
  const bad = own.find((signature) => !isInOrder(signature));
  if (bad === undefined && own.length === count) return;
  const found = bad === undefined ? `${own.length} signatures` : `«${bad.field}» not in order`;
  throw new InnsigliError('pdf.signature.broken', `expected ${count} signatures, found ${found}`, {
    hint: 'nothing was written: innsigli verify says what is wrong',
  });
}

function isInOrder({ intact, coverage, indication }: SignatureReport): boolean {
  return intact && coverage !== 'partial' && indication !== 'TOTAL-FAILED';
}
