import {
  asArray,
  asDict,
  asName,
  asReference,
  asString,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  PdfReference,
} from '../../../formats/pdf/index.ts';
import { sameBut, sameObject, saysAllOf } from './compare-objects.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** Entries of the catalog that signing and archiving change. */
const catalogKeys = new Set(['AcroForm', 'DSS', 'Perms', 'Extensions', 'Version', 'Metadata']);
/** Entries of a form that signing changes; only `SigFlags` may become anything. */
const formKeys = new Set(['Fields', 'SigFlags', 'DR', 'DA']);
/** Entries of a field or its widget that signing changes. */
const fieldKeys = new Set(['V', 'AP', 'F', 'Lock', 'M']);
/** Entries of a new field that is not signed yet: nothing that is drawn or run. */
const emptyFieldKeys = new Set(
  'Type Subtype FT T TU Rect F P Ff Parent Kids Lock SV StructParent'.split(' '),
);
/** Entries of a signed field or its widget: no actions, no links. */
const signedFieldKeys = new Set([
  ...emptyFieldKeys,
  ...'TM V AP AS MK M NM BS Border DA DR Q H C Contents Lang'.split(' '),
]);
const annotationsKey = new Set(['Annots']);
/** Entries of a page that signing changes; some tools give equal resources a new place. */
const pageKeys = new Set(['Annots', 'Resources']);
const empty: PdfDict = new Map();

type Role = 'catalog' | 'form' | 'fields' | 'signature field' | 'validation data' | 'description';

/** Gives a function that says why a changed object is more than signing, or undefined. */
export function createChangeCheck(
  before: PdfFile,
  after: PdfFile,
  graph: ReferenceGraph,
): (objectNumber: number, old: PdfObject, now: PdfObject) => string | undefined {
  const roles = collectRoles(before);
  const comparison = createComparison(before, after);
  const permits = (number: number, old: PdfObject, now: PdfObject): boolean => {
    const role = roles.get(number);
    if (role === 'catalog') {
      const [perms, later] = [old, now].map((catalog) => asDict(catalog)?.get('Perms') ?? empty);
      if (!saysAllOf(perms ?? empty, later ?? empty)) return false;
      return sameBut(old, now, catalogKeys) && comparison.formGrew();
    }
    if (role === 'signature field') return comparison.wasSigned(old, now);
    if (role === undefined && comparison.pageGrew(old, now)) return true;
    // An object of these kinds that a page leads to as well is not only what it claims to be.
    if (graph.content.has(number)) return false;
    if (role === undefined) {
      return graph.annotationLists.has(number) && comparison.listGrew(old, now);
    }
    if (role === 'form') return sameBut(old, now, formKeys) && comparison.formGrew();
    return role === 'fields' ? comparison.listGrew(old, now) : true;
  };
  return (number, old, now) => {
    if (permits(number, old, now)) return undefined;
    const role = roles.get(number);
    return `object ${number}${role === undefined ? '' : ` (${role})`} was changed`;
  };
}

/** Objects of the old revision that signing and archiving may touch, by number. */
function collectRoles(file: PdfFile): ReadonlyMap<number, Role> {
  const roles = new Map<number, Role>();
  const mark = (value: PdfObject | undefined, role: Role) => {
    const reference = asReference(value);
    if (reference !== undefined) roles.set(reference.objectNumber, role);
  };
  const note = (value: PdfObject | undefined, role: Role) => {
    mark(value, role);
    return file.resolve(value);
  };
  const store = asDict(note(file.catalog.get('DSS'), 'validation data'));
  for (const key of ['Certs', 'OCSPs', 'CRLs', 'VRI']) note(store?.get(key), 'validation data');
  // Data about the document: tools renew its dates, and no page shows it.
  mark(file.catalog.get('Metadata'), 'description');
  mark(file.catalog.get('Extensions'), 'description');
  mark(file.trailer.get('Info'), 'description');
  const form = asDict(note(file.catalog.get('AcroForm'), 'form'));
  note(form?.get('Fields'), 'fields');
  for (const { reference, dict } of listSignatureFields(file)) {
    mark(reference, 'signature field');
    for (const widget of asArray(file.resolve(dict.get('Kids'))) ?? []) {
      mark(widget, 'signature field');
    }
  }
  mark(file.catalogReference, 'catalog');
  return roles;
}

/** Ways in which signing changes objects, between two states of a file. */
interface Comparison {
  /** The form has the same fields as before, and signature fields behind them. */
  formGrew(): boolean;
  /** The object got annotations that are signature fields, and nothing else. */
  pageGrew(old: PdfObject, now: PdfObject): boolean;
  /** The list has what it had, and signature fields behind that. */
  listGrew(old: PdfObject, now: PdfObject): boolean;
  /** The field, or its widget, had no signature and has one. */
  wasSigned(old: PdfObject, now: PdfObject): boolean;
}

function createComparison(before: PdfFile, after: PdfFile): Comparison {
  const fields = new Set<number>();
  const owners = new Map<number, PdfDict>();
  for (const { reference, dict } of listSignatureFields(after)) {
    if (reference === undefined) continue;
    fields.add(reference.objectNumber);
    for (const kid of numbersIn(after, dict.get('Kids'))) owners.set(kid, dict);
  }
  const isWidget = (number: number): boolean => {
    const owner = owners.get(number);
    const dict = asDict(after.resolve(new PdfReference(number)));
    if (owner === undefined || dict === undefined || dict.has('T') || dict.has('FT')) return false;
    return isPlain(dict, isSigned(after, owner));
  };
  const isAddedField = (item: PdfObject): boolean => {
    const number = asReference(item)?.objectNumber;
    const dict = asDict(after.resolve(item));
    if (number === undefined || dict === undefined) return false;
    if (!fields.has(number)) return isWidget(number);
    // One that was there before is compared as an object of its own.
    if (before.locate(number) !== undefined) return true;
    return (
      isPlain(dict, isSigned(after, dict)) && numbersIn(after, dict.get('Kids')).every(isWidget)
    );
  };
  const listGrew = (old: PdfObject, now: PdfObject): boolean => {
    const [a, b] = [asArray(old) ?? [], asArray(now)];
    if (b === undefined) return old === null && now === null;
    if (b.length < a.length || !a.every((item, index) => sameObject(item, b[index] ?? null))) {
      return false;
    }
    return b.slice(a.length).every(isAddedField);
  };
  // What signatures look like changes with each; texts of other fields are drawn with the rest.
  const resourcesGrew = (old: PdfDict, now: PdfDict): boolean => {
    const [was, is] = [before.resolve(old.get('DR')), after.resolve(now.get('DR'))];
    const fixed = [...(asDict(was) ?? empty)].filter(([key]) => key !== 'XObject');
    return was === null || saysAllOf(new Map(fixed), is);
  };
  return {
    listGrew,
    formGrew() {
      const [old = empty, now = empty] = [before, after].map((file) =>
        asDict(file.resolve(file.catalog.get('AcroForm'))),
      );
      if (!sameBut(old, now, formKeys)) return false;
      if (!resourcesGrew(old, now)) return false;
      if (old.has('DA') && !sameObject(old.get('DA') ?? null, now.get('DA') ?? null)) return false;
      return listGrew(before.resolve(old.get('Fields')), after.resolve(now.get('Fields')));
    },
    pageGrew(old, now) {
      const [a, b] = [asDict(old), asDict(now)];
      if (b?.has('Annots') !== true || !sameBut(old, now, pageKeys)) return false;
      if (!sameBut(old, now, annotationsKey)) {
        const [was, is] = [before.resolve(a?.get('Resources')), after.resolve(b.get('Resources'))];
        if (!sameObject(was, is)) return false;
      }
      return listGrew(before.resolve(a?.get('Annots')), after.resolve(b.get('Annots')));
    },
    wasSigned(old, now) {
      const [a, b] = [asDict(old), asDict(now)];
      if (a === undefined || b === undefined || isSigned(before, a)) return false;
      return isSigned(after, b) && sameBut(old, now, fieldKeys);
    },
  };
}

/** Numbers of the objects that a list refers to, -1 for what is no reference. */
function numbersIn(file: PdfFile, list: PdfObject | undefined): readonly number[] {
  return (asArray(file.resolve(list)) ?? []).map((item) => asReference(item)?.objectNumber ?? -1);
}

/** True when a new field or widget has nothing besides what signing needs. */
function isPlain(dict: PdfDict, signed: boolean): boolean {
  const keys = signed ? signedFieldKeys : emptyFieldKeys;
  const subtype = asName(dict.get('Subtype'))?.value ?? 'Widget';
  return subtype === 'Widget' && [...dict.keys()].every((key) => keys.has(key));
}

/** True when the field, or the field that the widget belongs to, holds a signature to check. */
function isSigned(file: PdfFile, field: PdfDict): boolean {
  const parent = asDict(file.resolve(field.get('Parent')));
  const isWidgetOnly = !field.has('T') && asName(file.resolve(field.get('FT'))) === undefined;
  const value = asDict(file.resolve((isWidgetOnly ? parent : field)?.get('V')));
  const contents = asString(file.resolve(value?.get('Contents')));
  return contents !== undefined && asArray(file.resolve(value?.get('ByteRange'))) !== undefined;
}
