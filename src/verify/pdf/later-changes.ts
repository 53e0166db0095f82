import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import type { Outcome } from '../check-signer.ts';
import type { ChangesReport, Finding } from '../report.ts';
import { findLaterChanges } from './changes/changes.ts';
import { type LaterChange, levelOfChanges, otherChange } from './changes/later-change.ts';
import { findProhibition, type Permissions, permissionsOf } from './changes/permissions.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';

/** A conclusion that knows of the updates after the signature. */
export interface OutcomeWithChanges {
  readonly outcome: Outcome;
  readonly changes?: ChangesReport;
}

/**
 * The outcome with later updates considered: one that is more than the signature permits leaves it
 * intact, but what is read now is not what was signed. They are told whatever else the conclusion
 * is: a forgery that has expired is a forgery.
 */
export function withChanges(
  file: PdfFile,
  evidence: SignatureObject,
  outcome: Outcome,
  findings: Finding[],
): OutcomeWithChanges {
  if (evidence.coverage === 'partial') return { outcome };
  if (evidence.coverage === 'whole-file') {
    return { outcome, changes: { level: 'none', permitted: true, list: [] } };
  }
  const { found, permissions } = readChanges(file, evidence);
  const judged = withoutRepeats(found).map((change) => {
    const why = permissions === undefined ? undefined : findProhibition(permissions, change);
    return { change, why: change.level === 'other' ? 'nothing permits that' : why };
  });
  judged.sort((a, b) => Number(a.why === undefined) - Number(b.why === undefined));
  for (const { change } of judged) {
    if (change.covers === true) findings.push(coveringFinding(change));
  }
  const changes: ChangesReport = {
    level: levelOfChanges(found),
    permitted: judged.every(({ why }) => why === undefined),
    list: judged.slice(0, limits.toldChanges).map(({ change }) => {
      const { level, message, page, field } = change;
      return { level, message, ...defined({ page, field }) };
    }),
  };
  const [first] = judged;
  if (first?.why === undefined) return { outcome, changes };
  const { level, message } = first.change;
  const why = level === 'other' ? '' : `; ${first.why}`;
  findings.push({
    code: 'document.changed',
    severity: 'warning',
    message: `an update after the signature changed the document: ${message}${why}`,
  });
  if (outcome.indication !== 'TOTAL-PASSED') return { outcome, changes };
  return { outcome: { indication: 'INDETERMINATE' }, changes };
}

function readChanges(
  file: PdfFile,
  { coveredEnd, field, dict }: SignatureObject,
): { readonly found: readonly LaterChange[]; readonly permissions?: Permissions } {
  // Readers mend a damaged file each in their own way: what they show was not signed.
  const [damage] = file.findings;
  if (damage !== undefined) return { found: [otherChange(damage.message)] };
  const revision = findRevision(file, coveredEnd);
  if (revision === undefined) return { found: [otherChange('the signed bytes are unreadable')] };
  const found = findLaterChanges(revision, file);
  if (found.length === 0) return { found };
  return { found, permissions: permissionsOf(revision, field, dict) };
}

/** A field and its widgets are one change for people. */
function withoutRepeats(found: readonly LaterChange[]): readonly LaterChange[] {
  const seen = new Map<string, LaterChange>();
  for (const change of found) {
    const earlier = seen.get(change.message);
    if (earlier?.page === undefined) seen.set(change.message, { ...earlier, ...change });
  }
  return [...seen.values()];
}

function coveringFinding({ field = '', page }: LaterChange): Finding {
  const where = page === undefined ? 'its page' : `page ${page}`;
  const message = `the signature «${field}», added later, may cover what ${where} prints`;
  return { code: 'document.look.covers', severity: 'warning', message };
}
