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
  appearanceChange,
  catalogChanges,
  collectLooks,
  fieldChange,
  formChanges,
  pageRule,
  storeChanges,
} from './rules/index.ts';
import { findAmbiguousForm } from './update-form.ts';

/**
 * Lists the changes by updates after a revision, each with its level. This is an allow-list: an
 * unknown change has the level `other`, because content that the signer never saw must not pass as
 * signed.
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
  const loose = findAmbiguousForm(before, after);
  return loose === undefined ? found : [...found, otherChange(loose)];
}

/** Whether the cross-reference sections of the old file are the last ones of the new file. */
function endsWithSectionsOf(before: PdfFile, after: PdfFile): boolean {
  const added = after.sections.length - before.sections.length;
  return before.sections.every(
    ({ offsetBytes }, index) => after.sections[added + index]?.offsetBytes === offsetBytes,
  );
}

/** Compares the trailer's encryption dictionary and the identifier from which its key derives. */
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

/** Changes to objects of the signed revision. */
function objectChanges(revisions: Revisions, added: ReadonlySet<number>): readonly LaterChange[] {
  const { before, after, graph, oldNodes } = revisions;
  const pages = pageRule(revisions, added);
  const data = dataObjects(before);
  const judged = new Set([...data, ...formObjects(before)]);
  const found: LaterChange[] = [];
  let looks: ReadonlyMap<number, FormNode> | undefined;
  const changesOf = (number: number, old: PdfObject, now: PdfObject): readonly LaterChange[] => {
    if (number === before.catalogReference.objectNumber) return [];
    // If a page also refers to an object of these kinds, the object is more than it claims to be.
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
    if (owner !== undefined) return [appearanceChange(revisions, owner, number, old, now)];
    return [pages.comment(number, old, now) ?? describeOther(revisions, number, old)];
  };
  const later = laterSections(before, after);
  let others = 0;
  for (const number of laterNumbers(before, after)) {
    // An absent object that was not referred to is new, and visible only if something refers to it.
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
    // These are never permitted, so further ones add no information.
    if (others >= limits.toldChanges) break;
  }
  return found;
}

/** Numbers of old objects listed in the sections after the old file. */
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

/** Objects examined by the rules on validation data and descriptions. */
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

/** Objects examined by the rule on the form. */
function formObjects(file: PdfFile): ReadonlySet<number> {
  const judged = new Set<number>();
  const note = noteIn(file, judged);
  const form = asDict(note(file.catalog.get('AcroForm')));
  for (const key of ['Fields', 'DR']) note(form?.get(key));
  return judged;
}

/** Resolves values, and records the objects that contain them. */
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

/** The change of an object without a rule, named by the page that refers to it. */
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
