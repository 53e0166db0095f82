import { type ByteSource, wholeBytes } from '../../../base/bytes.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import type { OpenOptions } from '../../../formats/pdf/index.ts';
import { problemOf } from '../../../seal/plan-validation-data.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import { fileFinder } from '../detached-files.ts';
import { type DocumentFormat, documentFormat } from '../document-format.ts';
import { timestampContext } from '../long-term-steps.ts';
import type { ArchivePorts } from '../seal-ports.ts';
import type { FileObject } from '../xml/request.ts';
import { type ArchivePlan, refusedPlan } from './archive-plan.ts';
import { planCms } from './plan-cms.ts';
import { planContainer } from './plan-container.ts';
import { planPdf } from './plan-pdf.ts';
import { planXml } from './plan-xml.ts';

/** Further input for the plan of a document. */
export interface PlanOptions {
  /** Options for opening an encrypted PDF. */
  readonly open?: OpenOptions;
  /** Files that a detached signature refers to. */
  readonly detached?: readonly FileObject[];
}

/**
 * Lists the additions of archiving and the addresses it would ask, for each signature of a
 * document. No request is sent. A document that archiving refuses has the reason among `problems`.
 */
export function planArchive(
  source: ByteSource,
  ports: ArchivePorts,
  { open = {}, detached = [] }: PlanOptions = {},
): ArchivePlan {
  const format = documentFormat(source);
  try {
    const plan = planByFormat(format, source, ports, { open, detached });
    return withAuthority(plan, ports);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return refusedPlan(format, error);
  }
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

/** Without an authority nothing can be stamped. */
function withAuthority(plan: ArchivePlan, ports: ArchivePorts): ArchivePlan {
  try {
    timestampContext(ports, createCertificatePool([]), 'B-LTA');
    return plan;
  } catch (error) {
    return { ...plan, possible: false, problems: [...plan.problems, problemOf(error)] };
  }
}
