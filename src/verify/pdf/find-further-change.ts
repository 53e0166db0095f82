import { type PdfFile, printBudget } from '../../formats/pdf/index.ts';
import { findLaterChanges } from './changes/changes.ts';

/** Changes that are part of signing and leave the signed content unchanged. */
const kinds: ReadonlySet<string> = new Set([
  'signature',
  'validation-data',
  'timestamp',
  'description',
]);

/**
 * The first change by updates after a revision that is more than the signature in one field and
 * data about it. Undefined if there is none.
 *
 * @param field name of the field
 * @spec ETSI EN 319 142-1 §5.5; ISO 32000-2 §12.8.2.2.2
 */
export function findFurtherChange(
  before: PdfFile,
  after: PdfFile,
  field: string,
): string | undefined {
  const looking = { printing: printBudget(), isLookedAt: () => false };
  const further = findLaterChanges(before, after, looking).find(
    ({ level, kind, field: own }) =>
      level === 'other' || !kinds.has(kind) || (kind === 'signature' && own !== field),
  );
  return further?.message;
}
