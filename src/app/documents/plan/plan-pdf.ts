import type { ByteSource } from '../../../base/bytes.ts';
import { type OpenOptions, openPdf, withPdf } from '../../../formats/pdf/index.ts';
import { readDocumentSecurityStore } from '../../../verify/existence/index.ts';
import { listCertificatesToCheck } from '../../../verify/pdf/index.ts';
import type { SignatureReport } from '../../../verify/report/index.ts';
import { isUnproved, openForArchive } from '../pdf/augment-pdf.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { type ArchivePlan, planOf, planSignature } from './archive-plan.ts';

/**
 * The additions of archiving to a PDF. One document time-stamp serves all signatures before it.
 *
 * @throws pdf.*
 */
export function planPdf(source: ByteSource, ports: ArchivePorts, open: OpenOptions): ArchivePlan {
  const own = poolOf(ports);
  const warnings: string[] = [];
  const { earlier, damage } = withPdf(source, open, (file) =>
    openForArchive(file, checkContext(ports, own), warnings),
  );
  const file = openPdf(source, open);
  const list = listCertificatesToCheck(file, checkContext(ports, own));
  const present = readDocumentSecurityStore(file);
  const signatures = earlier.map((report: SignatureReport, index) => {
    const needs = {
      certificates: list.certificates.filter(({ field }) => field === report.field),
      pool: list.pool,
      present,
      isStamped: !isUnproved(earlier, index),
    };
    return planSignature({ name: report.field, report, needs }, ports);
  });
  const unproved = earlier.some((_, index) => isUnproved(earlier, index));
  return planOf('pdf', unproved ? 2 : 1, signatures, [...warnings, ...damage]);
}
