import { latin1Text } from '../../../../base/bytes.ts';
import {
  asArray,
  asDict,
  asReference,
  type PdfDict,
  type PdfObject,
  serializeObject,
} from '../../../../formats/pdf/index.ts';
import { isComment } from '../comment.ts';
import { equalExcept, sameObject } from '../compare-objects.ts';
import { type LaterChange, otherChange } from '../later-change.ts';
import { isNewObject, type Revisions } from '../revisions.ts';
import { changedKeys } from './catalog-rule.ts';

/** Entries of a page that signing changes. Some tools move equal resources to another object. */
const pageKeys = new Set(['Annots', 'Resources']);
const listKey = new Set(['Annots']);
/** Returns a function listing the changes to a page's annotations. A widget may be placed once. */
function annotationRule(revisions: Revisions, added: ReadonlySet<number>) {
  const { before, after } = revisions;
  const placed = new Set<number>();

  const addition = (item: PdfObject, page: number): LaterChange | undefined => {
    const object = asReference(item)?.objectNumber;
    if (object === undefined || placed.has(object) || !isNewObject(revisions, object)) {
      const message = `an existing object was put on page ${page}`;
      return otherChange(message, { page, object });
    }
    placed.add(object);
    if (added.has(object)) return undefined;
    if (!isComment(after, after.resolve(item))) {
      return otherChange(`an annotation was added on page ${page}`, { page, object });
    }
    return commented(`a comment was added on page ${page}`, page);
  };

  const removal = (item: PdfObject, page: number): LaterChange => {
    const isHarmless = isComment(before, before.resolve(item));
    if (!isHarmless) return otherChange(`an annotation was removed from page ${page}`, { page });
    return commented(`a comment was removed from page ${page}`, page);
  };

  return (was: PdfObject, is: PdfObject, page: number): readonly LaterChange[] => {
    if (was === null && is === null) return [];
    const [a, b] = [asArray(was) ?? [], asArray(is)];
    const broken = otherChange(`annotations of page ${page} were moved or replaced`, { page });
    if (b === undefined) return [broken];
    const still = new Set(b.map(keyOf));
    const kept = a.filter((item) => still.has(keyOf(item)));
    const removed = a.filter((item) => !still.has(keyOf(item)));
    if (!kept.every((item, index) => sameObject(item, b[index] ?? null))) return [broken];
    const found = b.slice(kept.length).map((item) => addition(item, page));
    const gone = removed.map((item) => removal(item, page));
    return [...found, ...gone].filter((change) => change !== undefined);
  };
}

/** A comparison key, equal for equal items, so that long lists are compared in linear time. */
function keyOf(item: PdfObject): string {
  const reference = asReference(item);
  if (reference === undefined) return latin1Text(serializeObject(item));
  return `${reference.objectNumber} ${reference.generation} R`;
}

function commented(message: string, page: number): LaterChange {
  return { level: 'annotations', kind: 'annotation', message, page };
}

/** Returns functions that list the changes to pages and their annotations. */
export function pageRule(revisions: Revisions, added: ReadonlySet<number>) {
  const { before, after, oldPages } = revisions;
  const listChanges = annotationRule(revisions, added);
  return {
    /** The changes if the object is a page. Undefined if it is not. */
    page(objectNumber: number, old: PdfObject, now: PdfObject) {
      const page = oldPages.pageNumber(objectNumber);
      const [was, is] = [asDict(old), asDict(now)];
      if (page === undefined || was === undefined) return undefined;
      if (is === undefined) return [otherChange(`page ${page} was replaced`, { page })];
      if (!equalExcept(was, is, pageKeys)) return [pageChange(was, is, page)];
      if (!equalExcept(was, is, listKey)) {
        const [a, b] = [before.resolve(was.get('Resources')), after.resolve(is.get('Resources'))];
        const message = `fonts or images of page ${page} were replaced`;
        if (!sameObject(a, b)) return [otherChange(message, { page })];
      }
      return listChanges(before.resolve(was.get('Annots')), after.resolve(is.get('Annots')), page);
    },
    /** The changes if the object is the annotation array of a page, and nothing else. */
    list(objectNumber: number, old: PdfObject, now: PdfObject) {
      const page = oldPages.pageOfList(objectNumber);
      if (page === undefined) return undefined;
      // An addition to a shared array would appear on all of its pages. @spec ISO 32000-2 §12.5.2
      if (oldPages.isSharedList(objectNumber)) {
        return [otherChange('annotations shared by several pages were changed', { page })];
      }
      return listChanges(old, now, page);
    },
    /** The change if the object is a comment. Undefined if it is not. */
    comment(objectNumber: number, old: PdfObject, now: PdfObject): LaterChange | undefined {
      const page = oldPages.pageOfAnnotation(objectNumber);
      const [was, is] = [asDict(old), asDict(now)];
      if (page === undefined || was === undefined || is === undefined) return undefined;
      if (!isComment(before, was) || !isComment(after, is)) return undefined;
      if (changedKeys(was, is).includes('Subtype')) return undefined;
      if (!revisions.graph.isOnlyComment(objectNumber)) return undefined;
      return commented(`a comment on page ${page} was changed`, page);
    },
  };
}

function pageChange(was: PdfDict, is: PdfDict, page: number): LaterChange {
  const keys = changedKeys(was, is).filter((key) => !pageKeys.has(key));
  if (keys.includes('Contents')) {
    return otherChange(`the content of page ${page} was replaced`, { page });
  }
  if (keys.some((key) => key === 'Rotate' || key.endsWith('Box'))) {
    return otherChange(`page ${page} was rotated or cropped`, { page });
  }
  const names = keys.map((key) => `/${key}`).join(', ');
  return otherChange(`page ${page} was changed: ${names}`, { page });
}
