import {
  asArray,
  asDict,
  asName,
  asReference,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../../../formats/pdf/index.ts';
import { containsAll, sameObject } from '../compare-objects.ts';
import { coversPrint } from '../covered-print.ts';
import {
  type FormNode,
  fieldName,
  hasAppearance,
  isSignatureNode,
  signedValue,
  visibleArea,
} from '../form-nodes.ts';
import { type LaterChange, otherChange } from '../later-change.ts';
import { isNewObject, type Revisions } from '../revisions.ts';
import { changedKeys } from './catalog-rule.ts';

/** Entries of the form dictionary that signing and filling in change. */
const formKeys = new Set(['Fields', 'SigFlags', 'DR', 'DA']);
/** Permitted entries of a new unsigned field: nothing that is drawn or run. */
const emptyFieldKeys = new Set(
  'Type Subtype FT T TU Rect F P Ff Parent Kids Lock SV StructParent'.split(' '),
);
/** Permitted entries of a signed field or its widget: no actions, no links. */
const signedFieldKeys = new Set([
  ...emptyFieldKeys,
  ...'TM V AP AS MK M NM BS Border DA DR Q H C Contents Lang'.split(' '),
]);
const empty: PdfDict = new Map();

/** Changes of the form. */
export interface FormChanges {
  readonly changes: readonly LaterChange[];
  /** Object numbers of the added fields and their widgets. */
  readonly added: ReadonlySet<number>;
}

/**
 * Changes to the form dictionary, and added fields. Only signature fields may be added.
 *
 * @spec ISO 32000-2 §12.7.3, §12.8.2.2.2
 */
export function formChanges(revisions: Revisions): FormChanges {
  const { before, after } = revisions;
  const added = new Set<number>();
  const [old = empty, now = empty] = [before, after].map((file) =>
    asDict(file.resolve(file.catalog.get('AcroForm'))),
  );
  const changes: LaterChange[] = [];
  const keys = changedKeys(old, now);
  const others = keys.filter((key) => !formKeys.has(key)).map((key) => `/${key}`);
  if (others.length > 0) changes.push(otherChange(`the form was changed: ${others.join(', ')}`));
  if (!keepsFlags(before.resolve(old.get('SigFlags')), after.resolve(now.get('SigFlags')))) {
    changes.push(otherChange('signature flags of the form were removed'));
  }
  changes.push(...resourceChanges(before, after, old, now));
  if (old.has('DA') && keys.includes('DA')) {
    changes.push(otherChange('the default appearance of text in the form was changed'));
  }
  const [was, is] = [before.resolve(old.get('Fields')), after.resolve(now.get('Fields'))];
  const [a, b] = [asArray(was) ?? [], asArray(is) ?? []];
  if (!a.every((item, index) => sameObject(item, b[index] ?? null))) {
    changes.push(otherChange('fields of the form were removed or moved'));
    return { changes, added };
  }
  const names = new Set<string>();
  for (const node of b.length > a.length ? revisions.oldNodes.values() : []) {
    names.add(fieldName(before, node));
  }
  for (const item of b.slice(a.length)) changes.push(addedField(revisions, item, names, added));
  return { changes, added };
}

function keepsFlags(old: PdfObject, now: PdfObject): boolean {
  if (typeof old !== 'number') return true;
  return typeof now === 'number' && (old & ~now) === 0;
}

/** Changes to form resources. Signatures may add some; appearances of other fields use the rest. */
function resourceChanges(
  before: PdfFile,
  after: PdfFile,
  old: PdfDict,
  now: PdfDict,
): readonly LaterChange[] {
  const [was, is] = [before.resolve(old.get('DR')), after.resolve(now.get('DR'))];
  if (was === null || sameObject(was, is)) return [];
  const fixed = [...(asDict(was) ?? empty)].filter(([key]) => key !== 'XObject');
  if (containsAll(new Map(fixed), is)) return [];
  return [otherChange('resources of the form (fonts) were replaced')];
}

function addedField(
  revisions: Revisions,
  item: PdfObject,
  names: Set<string>,
  added: Set<number>,
): LaterChange {
  const { after, newNodes } = revisions;
  const object = asReference(item)?.objectNumber;
  const node = object === undefined ? undefined : newNodes.get(object);
  if (node === undefined || object === undefined || !isNewObject(revisions, object)) {
    return otherChange('an existing object was made a form field');
  }
  const field = fieldName(after, node);
  const isTwice = names.has(field) || added.has(object);
  names.add(field);
  if (isTwice) return otherChange(`a second field "${field}" was added`, { field });
  if (!isSignatureNode(after, node)) {
    return otherChange(`the field "${field}", not a signature field, was added`, { field });
  }
  const value = signedValue(after, node);
  const widgets = widgetsOf(revisions, node);
  const isUsual = isPlain(after, node.dict, value !== undefined) && asDict(item) === undefined;
  if (
    widgets === undefined ||
    !isUsual ||
    !widgets.every(({ dict }) => isPlain(after, dict, value !== undefined))
  ) {
    const message = `the field "${field}" was added with more than a signature needs`;
    return otherChange(message, { field });
  }
  added.add(object);
  for (const { objectNumber } of widgets) added.add(objectNumber);
  const shown = [node, ...widgets];
  if (value === undefined) {
    const message = `the empty signature field "${field}" was added`;
    const change = { level: 'form-filling', kind: 'field', message, field, adds: 'field' } as const;
    return located(revisions, shown, change);
  }
  return signedChange(revisions, { node, shown, value, field, isNew: true });
}

/** The widgets of a new field. Undefined if they are not new, or are themselves fields. */
function widgetsOf(revisions: Revisions, node: FormNode): readonly FormNode[] | undefined {
  const { after, newNodes } = revisions;
  const kids = asArray(after.resolve(node.dict.get('Kids'))) ?? [];
  const widgets: FormNode[] = [];
  for (const kid of kids) {
    const widget = newNodes.get(asReference(kid)?.objectNumber ?? -1);
    if (widget?.parent !== node || !isNewObject(revisions, widget.objectNumber)) return undefined;
    if (widget.dict.has('T') || widget.dict.has('FT') || widget.dict.has('Kids')) return undefined;
    widgets.push(widget);
  }
  return widgets;
}

/** Whether a new field or widget has only what signing needs, and perhaps a blank appearance. */
function isPlain(file: PdfFile, dict: PdfDict, signed: boolean): boolean {
  const keys = signed ? signedFieldKeys : emptyFieldKeys;
  const subtype = asName(dict.get('Subtype'))?.value ?? 'Widget';
  if (subtype !== 'Widget') return false;
  const isBlank = (key: string) => key === 'AP' && !hasAppearance(file, dict);
  return [...dict.keys()].every((key) => keys.has(key) || isBlank(key));
}

/** A field that was signed or time-stamped. */
export interface SignedField {
  readonly node: FormNode;
  /** The field and its widgets. */
  readonly shown: readonly FormNode[];
  readonly value: PdfDict;
  readonly field: string;
  readonly isNew: boolean;
}

/** The change for a signature, or for a time-stamp, which must not be visible. */
export function signedChange(revisions: Revisions, signed: SignedField): LaterChange {
  const { after } = revisions;
  const { node, shown, value, field, isNew } = signed;
  const reference = asReference(node.dict.get('V'));
  if (reference === undefined || !isNewObject(revisions, reference.objectNumber)) {
    const message = `the field "${field}" was given an existing value`;
    return otherChange(message, { field });
  }
  const isVisible = shown.some(({ dict }) => visibleArea(after, dict) !== undefined);
  const type = asName(after.resolve(value.get('Type')))?.value;
  const subFilter = asName(after.resolve(value.get('SubFilter')))?.value;
  if (type === 'DocTimeStamp' || subFilter === 'ETSI.RFC3161') {
    if (isVisible || shown.some(({ dict }) => hasAppearance(after, dict))) {
      const message = `the document time-stamp "${field}" was added with an appearance`;
      return located(revisions, shown, otherChange(message, { field }));
    }
    const message = `the document time-stamp "${field}" was added`;
    return { level: 'long-term-data', kind: 'timestamp', message, field };
  }
  const message = isNew ? `the signature "${field}" was added` : `the field "${field}" was signed`;
  const change: LaterChange = { level: 'form-filling', kind: 'signature', message, field };
  if (!isVisible) return change;
  // If the field existed before, its position was signed as well.
  if (!isNew) return located(revisions, shown, change);
  const covers = revisions.looking.isLookedAt(field) && coversPrint(revisions, shown);
  return located(revisions, shown, { ...change, covers, adds: 'visible signature' });
}

/** Adds the first page with one of the widgets to the change, if any is visible. */
export function located(
  { after, newPages }: Revisions,
  shown: readonly FormNode[],
  change: LaterChange,
): LaterChange {
  for (const { objectNumber, dict } of shown) {
    if (visibleArea(after, dict) === undefined) continue;
    const page = newPages.pageOfAnnotation(objectNumber);
    if (page !== undefined) return { ...change, page };
  }
  return change;
}
