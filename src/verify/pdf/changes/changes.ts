import { isInnsigliError } from '../../../base/errors.ts';
import { asArray, type PdfFile } from '../../../formats/pdf/index.ts';
import { sameObject } from './compare-objects.ts';
import { createChangeCheck } from './permitted-changes.ts';
import { attempt, laterSections, readObject } from './reading.ts';
import { referenceGraph } from './reference-graph.ts';
import { findLooseForm } from './update-form.ts';

/**
 * What updates after a revision changed besides adding signatures, time-stamps and validation
 * data, for people; undefined when nothing. An allow-list: whatever it does not know is a change,
 * because content that a signer never saw must not pass for what was signed.
 *
 * @spec ETSI EN 319 142-1 §5.5; ISO 32000-2 §12.8.2.2.2
 */
export function findForeignChange(before: PdfFile, after: PdfFile): string | undefined {
  try {
    return findChange(before, after);
  } catch (error) {
    if (isInnsigliError(error)) return `the change cannot be read: ${error.message}`;
    throw error;
  }
}

function findChange(before: PdfFile, after: PdfFile): string | undefined {
  if (after.catalogReference.objectNumber !== before.catalogReference.objectNumber) {
    return 'the catalog was replaced';
  }
  if (!endsWithSectionsOf(before, after))
    return 'the cross-reference sections skip earlier sections of the file';
  if (!sameEncryption(before, after)) return 'the encryption was changed';
  const graph = referenceGraph(before);
  const check = createChangeCheck(before, after, graph);
  for (const number of laterNumbers(before, after)) {
    // What was absent and not referred to is new, and seen only where something leads to it.
    if (before.locate(number) === undefined) continue;
    const [old, now] = [readObject(before, number), readObject(after, number)];
    const change = sameObject(old, now) ? undefined : check(number, old, now);
    if (change !== undefined) return change;
  }
  for (const number of graph.absent) {
    if (attempt(() => after.locate(number)) === undefined) continue;
    return `object ${number}, which the document refers to, was missing and exists now`;
  }
  for (const number of graph.unreadable) {
    if (attempt(() => readObject(after, number)) === undefined) continue;
    return `object ${number} is not in the signed bytes`;
  }
  return findLooseForm(before, after);
}

/** The sections that the old file is read by must be the last that the new one is read by. */
function endsWithSectionsOf(before: PdfFile, after: PdfFile): boolean {
  const added = after.sections.length - before.sections.length;
  return before.sections.every(
    ({ offsetBytes }, index) => after.sections[added + index]?.offsetBytes === offsetBytes,
  );
}

/** Compares the dictionary in the trailer and the identifier that its key is made from. */
function sameEncryption(before: PdfFile, after: PdfFile): boolean {
  const [old, now] = [before, after].map(({ trailer }) => trailer.get('Encrypt') ?? null);
  if (!sameObject(old ?? null, now ?? null)) return false;
  if ((now ?? null) === null) return true;
  const [oldId, newId] = [before, after].map((file) => {
    const [first] = asArray(file.resolve(file.trailer.get('ID'))) ?? [];
    return file.resolve(first);
  });
  return sameObject(oldId ?? null, newId ?? null);
}

/** Numbers of old objects that the sections behind the old file speak of. */
function laterNumbers(before: PdfFile, after: PdfFile): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { ranges } of laterSections(before, after)) {
    for (const { first, count } of ranges) {
      for (let i = 0; i < count && first + i < before.objectCount; i++) numbers.add(first + i);
    }
  }
  numbers.delete(0);
  return numbers;
}
