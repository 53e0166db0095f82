import { attempt } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  type PdfFile,
  type PdfObject,
  readUndamaged,
} from '../../../formats/pdf/index.ts';
import { wasChangedBack } from './changed-back.ts';
import { sameObject } from './compare-objects.ts';
import type { FormNode } from './form-nodes.ts';
import { findGenerationFault } from './generations.ts';
import { type LaterChange, otherChange } from './later-change.ts';
import { laterSections, readObject } from './reading.ts';
import { referenceGraph } from './reference-graph.ts';
import { compareRevisions, type Looking, type Revisions } from './revisions.ts';
import {
  catalogChanges,
  collectLooks,
  fieldChange,
  formChanges,
  lookChange,
  pageRule,
  storeChanges,
} from './rules/index.ts';
import { findLooseForm } from './update-form.ts';

/**
 * Changes by updates after a revision, each with its level. This is an allow-list: an unknown
 * change has the level `other`, because content that a signer never saw must not pass as signed.
 *
 * @spec ETSI EN 319 142-1 §5.5; ISO 32000-2 §12.8.2.2.2
 */
export function findLaterChanges(
  before: PdfFile,
  after: PdfFile,
  looking: Looking,
): readonly LaterChange[] {
  return attempt(
    () => findChanges(before, after, looking),
    ({ message }) => [otherChange(`the change cannot be read: ${message}`)],
  );
}

function findChanges(before: PdfFile, after: PdfFile, looking: Looking): readonly LaterChange[] {
  const [root, old] = [after.catalogReference, before.catalogReference];
  if (root.objectNumber !== old.objectNumber || root.generation !== old.generation) {
    return [otherChange('the catalog was replaced')];
  }
  if (!endsWithSectionsOf(before, after)) {
    return [otherChange('the cross-reference sections skip earlier sections of the file')];
  }
  if (!sameEncryption(before, after)) return [otherChange('the encryption was changed')];
  const generation = findGenerationFault(before, after);
  if (generation !== undefined) return [generation];
  const graph = referenceGraph(before);
  const revisions = { ...compareRevisions(before, after, graph), looking };
  const form = formChanges(revisions);
  const found = [...catalogChanges(before, after), ...storeChanges(before, after), ...form.changes];
  found.push(...objectChanges(revisions, form.added));
  for (const number of graph.absent) {
    if (readUndamaged(() => after.locate(number)) === undefined) continue;
    const message = 'an object referenced by the document was missing and now exists';
    found.push(shownAt(revisions, number, message));
  }
  for (const number of graph.unreadable) {
    if (readUndamaged(() => readObject(after, number)) === undefined) continue;
    found.push(shownAt(revisions, number, 'an object of the document is not in the signed bytes'));
  }
  const loose = findLooseForm(before, after);
  return loose === undefined ? found : [...found, otherChange(loose)];
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
  const [was, is] = [before, after].map((file) => file.resolve(file.trailer.get('Encrypt')));
  if (!sameObject(was ?? null, is ?? null)) return false;
  if ((now ?? null) === null) return true;
  const [oldId, newId] = [before, after].map((file) => {
    const [first] = asArray(file.resolve(file.trailer.get('ID'))) ?? [];
    return file.resolve(first);
  });
  return sameObject(oldId ?? null, newId ?? null);
}

/** Objects of the signed revision that say something else now. */
function objectChanges(revisions: Revisions, added: ReadonlySet<number>): readonly LaterChange[] {
  const { before, after, graph, oldNodes } = revisions;
  const pages = pageRule(revisions, added);
  const data = dataObjects(before);
  const judged = new Set([...data, ...formObjects(before)]);
  const found: LaterChange[] = [];
  let looks: ReadonlyMap<number, FormNode> | undefined;
  const changesOf = (number: number, old: PdfObject, now: PdfObject): readonly LaterChange[] => {
    if (number === before.catalogReference.objectNumber) return [];
    // An object of these kinds that a page leads to as well is not only what it claims to be.
    const isList = graph.annotationLists.has(number);
    const isContent = graph.content.has(number) || (isList && judged.has(number));
    if (judged.has(number)) return isContent ? [describeOther(revisions, number, old)] : [];
    const node = oldNodes.get(number);
    if (node !== undefined && asName(node.dict.get('Type'))?.value !== 'Page') {
      const change = fieldChange(revisions, number, now);
      return change === undefined ? [] : [change];
    }
    const page = pages.page(number, old, now);
    if (page !== undefined) return page;
    if (!isContent && isList) {
      return pages.list(number, old, now) ?? [describeOther(revisions, number, old)];
    }
    looks ??= collectLooks(revisions);
    const owner = looks.get(number);
    if (owner !== undefined) return [lookChange(revisions, owner, number, old, now)];
    return [pages.comment(number, old, now) ?? describeOther(revisions, number, old)];
  };
  const later = laterSections(before, after);
  let others = 0;
  for (const number of laterNumbers(before, after)) {
    // An object that was absent and not referred to is new, and visible only if something leads to
    // it.
    if (before.locate(number) === undefined) continue;
    const [old, now] = [readObject(before, number), readObject(after, number)];
    const isSame = sameObject(old, now);
    if (isSame && (data.has(number) || !wasChangedBack(after, later, number))) continue;
    const back = 'the visible content was changed and changed back';
    const changes = isSame ? [shownAt(revisions, number, back)] : changesOf(number, old, now);
    for (const change of changes) {
      found.push(change);
      if (change.level === 'other') others++;
    }
    // Nothing permits these: more of them say no more.
    if (others >= limits.toldChanges) break;
  }
  return found;
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

/** Objects that the rules on validation data and descriptions have looked into. */
function dataObjects(file: PdfFile): ReadonlySet<number> {
  const judged = new Set<number>();
  const note = noteIn(file, judged);
  const store = asDict(note(file.catalog.get('DSS')));
  for (const key of ['Certs', 'OCSPs', 'CRLs']) note(store?.get(key));
  for (const entry of asDict(note(store?.get('VRI')))?.values() ?? []) {
    for (const value of asDict(note(entry))?.values() ?? []) {
      if (asArray(file.resolve(value)) !== undefined) note(value);
    }
  }
  note(file.catalog.get('Metadata'));
  note(file.catalog.get('Extensions'));
  note(file.trailer.get('Info'));
  return judged;
}

/** Objects that the rule on the form has looked into. */
function formObjects(file: PdfFile): ReadonlySet<number> {
  const judged = new Set<number>();
  const note = noteIn(file, judged);
  const form = asDict(note(file.catalog.get('AcroForm')));
  for (const key of ['Fields', 'DR']) note(form?.get(key));
  return judged;
}

/** Resolves values, and notes the objects that they stand in. */
function noteIn(file: PdfFile, judged: Set<number>) {
  return (value: PdfObject | undefined): PdfObject => {
    const reference = asReference(value);
    if (reference !== undefined) judged.add(reference.objectNumber);
    return readUndamaged(() => file.resolve(value)) ?? null;
  };
}

const shownAs: Readonly<Record<string, string>> = {
  Contents: 'the content of page',
  Resources: 'a font, image or other resource of page',
  Annots: 'an annotation of page',
};

/** The change of an object that no rule knows, named by the page that leads to it. */
function describeOther(revisions: Revisions, number: number, old: PdfObject): LaterChange {
  const type = asName(asDict(old)?.get('Type'))?.value;
  if (type === 'Pages') {
    return otherChange('pages were added, removed or moved', { object: number });
  }
  const shown = revisions.oldPages.findShown(number);
  const what = shownAs[shown?.entry ?? ''];
  if (shown !== undefined && what !== undefined) {
    const message = `${what} ${shown.page} was replaced`;
    return otherChange(message, { page: shown.page, object: number });
  }
  return shownAt(revisions, number, 'an object that is not part of a page was changed');
}

function shownAt({ oldPages }: Revisions, object: number, message: string): LaterChange {
  const page = oldPages.pageNumber(object) ?? oldPages.findShown(object)?.page;
  return otherChange(page === undefined ? message : `${message} (page ${page})`, { page, object });
}
