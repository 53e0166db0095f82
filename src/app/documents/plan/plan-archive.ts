import { type ByteSource, wholeBytes } from '../../../base/bytes.ts';
import { attempt } from '../../../base/errors.ts';
import { type OpenOptions, openPdf, withPdf } from '../../../formats/pdf/index.ts';
import { problemOf } from '../../../seal/plan-validation-data.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import type { FileBeside } from '../../../verify/cades/index.ts';
import { readDocumentSecurityStore } from '../../../verify/existence/index.ts';
import { listCertificatesToCheck } from '../../../verify/pdf/index.ts';
import type { SignatureReport } from '../../../verify/report/index.ts';
import { openCms } from '../cms/open-cms.ts';
import { fileFinder } from '../detached-files.ts';
import { type DocumentFormat, documentFormat } from '../document-format.ts';
import { timestampContext } from '../long-term-steps.ts';
import { isUnproved, openForArchive } from '../pdf/augment-pdf.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import type { FileObject } from '../xml/request.ts';
import { type ArchivePlan, planOf, planSignature, refusedPlan } from './archive-plan.ts';
import { planContainer } from './plan-container.ts';
import { planXml } from './plan-xml.ts';

/** Further options for the plan of a document. */
export interface PlanOptions {
  /** Options for opening an encrypted PDF. */
  readonly open?: OpenOptions;
  /** Files that a detached signature refers to. */
  readonly detached?: readonly FileObject[];
}

/**
 * Lists, for each signature of a document, the additions that archiving would make and the
 * addresses it would query. No request is sent. If the document cannot be archived, the reason is
 * in `problems`.
 */
export function planArchive(
  source: ByteSource,
  ports: ArchivePorts,
  { open = {}, detached = [] }: PlanOptions = {},
): ArchivePlan {
  const format = documentFormat(source);
  const plan = () => planByFormat(format, source, ports, { open, detached });
  return attempt(
    () => withAuthority(plan(), ports),
    (error) => refusedPlan(format, error),
  );
}

function planByFormat(
  format: DocumentFormat,
  source: ByteSource,
  ports: ArchivePorts,
  { open, detached }: Required<PlanOptions>,
): ArchivePlan {
  if (format === 'pdf') return planPdf(source, ports, open);
  const bytes = wholeBytes(source);
  if (format === 'cms') return planCms(bytes, ports, detached);
  if (format === 'container') return planContainer(bytes, ports);
  return planXml(bytes, ports, fileFinder(detached));
}

/** Without an authority, nothing can be time-stamped. */
function withAuthority(plan: ArchivePlan, ports: ArchivePorts): ArchivePlan {
  try {
    timestampContext(ports, createCertificatePool([]), 'B-LTA');
    return plan;
  } catch (error) {
    return { ...plan, possible: false, problems: [...plan.problems, problemOf(error)] };
  }
}

function planCms(
  file: Uint8Array,
  ports: ArchivePorts,
  beside: readonly FileBeside[],
): ArchivePlan {
  const { signature, signers, raised, warnings } = openCms(file, ports, beside);
  const { intact, unstamped, bySigner, pool, present } = raised.describe(signature);
  const signatures = signers.map(({ index, name, report }) => {
    const certificates = bySigner[intact.indexOf(index)] ?? [];
    const needs = { certificates, pool, present, isStamped: !unstamped.includes(index) };
    return planSignature({ name, report, needs }, ports);
  });
  return planOf('cms', unstamped.length + intact.length, signatures, warnings);
}

/** One document time-stamp serves all signatures before it. */
function planPdf(source: ByteSource, ports: ArchivePorts, open: OpenOptions): ArchivePlan {
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
