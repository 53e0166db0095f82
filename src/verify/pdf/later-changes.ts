import type { PdfFile } from '../../formats/pdf/index.ts';
import type { Outcome } from '../check-signer.ts';
import type { Finding } from '../report.ts';
import { findForeignChange } from './changes/changes.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';

/**
 * The outcome with later updates considered: one that is more than signatures, time-stamps and
 * validation data leaves the signature intact, but what is read now is not what was signed.
 */
export function withChanges(
  file: PdfFile,
  evidence: SignatureObject,
  outcome: Outcome,
  findings: Finding[],
): Outcome {
  if (evidence.coverage !== 'revision' || outcome.indication !== 'TOTAL-PASSED') return outcome;
  const change = findChange(file, evidence.coveredEnd);
  if (change === undefined) return outcome;
  const message = `an update after the signature changed the document: ${change}`;
  findings.push({ code: 'document.changed', severity: 'warning', message });
  return { indication: 'INDETERMINATE' };
}

function findChange(file: PdfFile, coveredEnd: number): string | undefined {
  // Readers mend a damaged file each in their own way: what they show was not signed.
  const [damage] = file.findings;
  if (damage !== undefined) return damage.message;
  const revision = findRevision(file, coveredEnd);
  return revision === undefined ? 'unreadable' : findForeignChange(revision, file);
}
