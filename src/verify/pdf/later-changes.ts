import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import { getOrCompute } from '../../base/memo.ts';
import type { PdfFile, PrintBudget } from '../../formats/pdf/index.ts';
import type { Outcome } from '../check-signer.ts';
import { mergeData, type StoredValidationData } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { ChangesReport, Finding } from '../report/index.ts';
import { valueKey } from '../value-key.ts';
import { findLaterChanges } from './changes/changes.ts';
import { type LaterChange, levelOfChanges, otherChange } from './changes/later-change.ts';
import { type EarlierStore, storesSince } from './earlier-revisions.ts';
import { findRevision } from './origin.ts';
import { docMdpOf, findProhibition, type Permissions, permissionsOf } from './permissions.ts';
import type { SignatureObject } from './signature-objects.ts';

/** The document, with intermediate results shared by its signatures. */
export interface SignedFile {
  readonly file: PdfFile;
  /** Signatures and time-stamps in the order of their creation. */
  readonly objects: readonly SignatureObject[];
  /** Validation data of the revisions, and of the current file. */
  readonly stores: readonly EarlierStore[];
  present(): StoredValidationData;
  /** Remaining budget for comparing pages. */
  readonly printing: PrintBudget;
  /** Cached changes: signatures over the same bytes have the same changes. */
  readonly found: Map<string, readonly LaterChange[]>;
}

/**
 * Applies later updates to the outcome. An update that is not permitted leaves the signature
 * intact, but the current content is not the signed content. Such updates are reported for every
 * intact signature, whatever its indication: a forgery remains one after the signature has expired.
 */
export function withChanges(
  signed: SignedFile,
  evidence: SignatureObject,
  { outcome, intact }: { readonly outcome: Outcome; readonly intact: boolean },
  findings: Finding[],
): { readonly outcome: Outcome; readonly changes?: ChangesReport } {
  if (!intact || evidence.coverage === 'partial') return { outcome };
  if (evidence.coverage === 'whole-file') {
    return { outcome, changes: { level: 'none', permitted: true, list: [] } };
  }
  const { found, permissions } = readChanges(signed, evidence);
  const judged = withoutRepeats(found).map((change) => {
    const why = permissions === undefined ? undefined : findProhibition(permissions, change);
    return { change, ...defined({ why: change.level === 'other' ? 'not permitted' : why }) };
  });
  judged.sort((a, b) => weightOf(b) - weightOf(a));
  for (const { change } of judged) {
    if (change.covers === true) findings.push(coveringFinding(change));
  }
  const changes: ChangesReport = {
    level: levelOfChanges(found),
    permitted: judged.every(({ why }) => why === undefined),
    list: judged.slice(0, limits.toldChanges).map(({ change }) => {
      const { level, kind, message, page, field } = change;
      return { level, kind, message, ...defined({ page, field }) };
    }),
  };
  const [first] = judged;
  if (first?.why === undefined) return { outcome, changes };
  const { level, message } = first.change;
  const why = level === 'other' ? '' : `; ${first.why}`;
  const changed = `an update after the signature changed the document: ${message}${why}`;
  findings.push(buildFinding('document.changed', changed));
  if (outcome.indication !== 'TOTAL-PASSED') return { outcome, changes };
  return { outcome: { indication: 'INDETERMINATE' }, changes };
}

function readChanges(
  signed: SignedFile,
  evidence: SignatureObject,
): { readonly found: readonly LaterChange[]; readonly permissions?: Permissions } {
  const { file } = signed;
  const { coveredEnd, field, dict } = evidence;
  // Readers repair a corrupt file differently, and none of the results was signed.
  const [damage] = file.findings;
  if (damage !== undefined) return { found: [otherChange(damage.message)] };
  const revision = findRevision(file, coveredEnd);
  if (revision === undefined) return { found: [otherChange('the signed bytes are unreadable')] };
  const isCertification = docMdpOf(revision, dict) !== undefined;
  const found = foundChanges(signed, revision, evidence, isCertification);
  if (found.length === 0) return { found };
  return { found, permissions: permissionsOf(revision, field, dict) };
}

function foundChanges(
  { file, objects, stores, present, printing, found }: SignedFile,
  revision: PdfFile,
  evidence: SignatureObject,
  isCertification: boolean,
): readonly LaterChange[] {
  // Each later signature is compared at most twice, not once for every earlier one.
  const next = nextSignature(objects, evidence);
  const key = JSON.stringify([evidence.coveredEnd, isCertification, next]);
  const isLookedAt = (later: string) => isCertification || later === next;
  return getOrCompute(found, key, () => [
    ...findLaterChanges(revision, file, { printing, isLookedAt }),
    ...lostDataChanges(storesSince(stores, evidence.coveredEnd), present),
  ]);
}

/** Field of the next signature. */
function nextSignature(
  objects: readonly SignatureObject[],
  { coveredEnd }: SignatureObject,
): string | undefined {
  return objects.find((one) => one.kind === 'signature' && one.coveredEnd > coveredEnd)?.field;
}

/** Rank of a change: first never permitted, then not permitted here, then visible ones. */
function weightOf({ change, why }: { readonly change: LaterChange; readonly why?: string }) {
  if (change.level === 'other') return 4;
  const isRead = change.kind === 'value' || change.kind === 'annotation';
  return (why === undefined ? 0 : 2) + (isRead ? 1 : 0);
}

/** Merges changes with the same message: a field and its widgets are one change to the reader. */
function withoutRepeats(found: readonly LaterChange[]): readonly LaterChange[] {
  const seen = new Map<string, LaterChange>();
  for (const change of found) {
    const earlier = seen.get(change.message);
    if (earlier?.page === undefined) seen.set(change.message, { ...earlier, ...change });
  }
  return [...seen.values()];
}

function coveringFinding({ field = '', page, adds }: LaterChange): Finding {
  const where = page === undefined ? 'its page' : `page ${page}`;
  const what =
    adds === 'shown field' ? `the field "${field}", shown` : `the signature "${field}", added`;
  const message = `${what} later, may cover content of ${where}`;
  return buildFinding('document.look.covers', message);
}

/**
 * Changes for validation data of the signed revision or a later update that is now missing. If the
 * store has lost all of it, it counts as removed. The lost data still proves revocations.
 */
function lostDataChanges(
  earlier: readonly StoredValidationData[],
  now: () => StoredValidationData,
): readonly LaterChange[] {
  const had = mergeData(earlier);
  if (countOf(had) === 0) return [];
  const has = now();
  if (countOf(has) === 0) return [otherChange('validation data (/DSS) was removed')];
  const lost = [
    told(countMissing(had.certificates, has.certificates), 'certificate'),
    told(countMissing(had.ocsp, has.ocsp), 'OCSP response'),
    told(countMissing(had.crls, has.crls), 'CRL'),
  ].filter((each) => each !== undefined);
  if (lost.length === 0) return [];
  const message = `validation data was omitted: ${lost.join(', ')}`;
  return [{ level: 'long-term-data', kind: 'validation-data', message }];
}

function countOf({ certificates, ocsp, crls }: StoredValidationData): number {
  return certificates.length + ocsp.length + crls.length;
}

function countMissing(old: readonly Uint8Array[], now: readonly Uint8Array[]): number {
  const kept = new Set(now.map(valueKey));
  return new Set(old.map(valueKey).filter((each) => !kept.has(each))).size;
}

function told(count: number, what: string): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
