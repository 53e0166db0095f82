import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  asStream,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  PdfStream,
} from '../../../../formats/pdf/index.ts';
import { coversPrint } from '../covered-print.ts';
import { type FormNode, fieldName, fieldOf, isSignatureNode, signedValue } from '../form-nodes.ts';
import { type LaterChange, otherChange } from '../later-change.ts';
import type { Revisions } from '../revisions.ts';
import { changedKeys } from './catalog-rule.ts';
import { located, signedChange } from './form-rule.ts';

/** Entries of a signature field or its widget that signing changes. */
const signingKeys = new Set(['V', 'AP', 'AS', 'F', 'M', 'Lock']);
/** Entries of any other field or its widget that filling in changes. */
const fillingKeys = new Set(['V', 'AP', 'AS', 'F', 'DA', 'Q']);
const READ_ONLY = 1;
/** Annotation flags Hidden and NoView. @spec ISO 32000-2 §12.5.3 */
const UNSEEN = 2 | 32;

/** A changed object that was a field or widget before. */
interface ChangedNode {
  readonly old: FormNode;
  readonly now: FormNode;
  readonly field: string;
}

/**
 * The change of a field or widget: signed, filled in, or something else. Undefined if nothing
 * visible was changed.
 *
 * @spec ISO 32000-2 §12.7.4, §12.8.2.2.2
 */
export function fieldChange(
  revisions: Revisions,
  objectNumber: number,
  now: PdfObject,
): LaterChange | undefined {
  const { before, after, oldNodes, newNodes } = revisions;
  const old = oldNodes.get(objectNumber) as FormNode;
  const field = fieldName(before, fieldOf(old));
  const node = newNodes.get(objectNumber);
  const isSame = node?.parent?.objectNumber === old.parent?.objectNumber;
  if (node === undefined || !isSame || asDict(now) === undefined) {
    return otherChange(`the field "${field}" was removed or replaced`, { field });
  }
  const keys = harmfulKeys(old.dict, node.dict);
  const changed = { old, now: node, field };
  const isSignature = isSignatureNode(before, old);
  if (keys.length === 0) {
    if (isSignature || !changedKeys(old.dict, node.dict).includes('Ff')) return undefined;
    // Signing locks fields in this way, so a lock does not forbid it.
    const message = `the field "${field}" was made read-only`;
    return located(revisions, [node], { level: 'form-filling', kind: 'value', message });
  }
  const allowed = isSignature ? signingKeys : fillingKeys;
  const odd = keys.filter((key) => {
    // A lock set by the author of the form must not change.
    if (!allowed.has(key) || (key === 'Lock' && old.dict.has('Lock'))) return true;
    return !isUsual(after, key, node.dict.get(key));
  });
  if (odd.length > 0) return changedField(revisions, changed, odd);
  if (keys.includes('AP') && isShared(revisions, old))
    return changedField(revisions, changed, ['AP']);
  if (isSignature !== isSignatureNode(after, node)) return changedField(revisions, changed, ['FT']);
  if (!isSignature) return filled(revisions, changed);
  return signedNow(revisions, changed) ?? changedField(revisions, changed, keys);
}

/** Whether anything but the widget refers to its appearance dictionary. */
function isShared({ graph }: Revisions, { dict }: FormNode): boolean {
  const looks = asReference(dict.get('AP'))?.objectNumber;
  return looks !== undefined && graph.countReferences(looks) !== 1;
}

/** Changed keys except the read-only flag and the type, which tools set without visible change. */
function harmfulKeys(old: PdfDict, now: PdfDict): readonly string[] {
  return changedKeys(old, now).filter((key) => {
    if (key === 'Type') return old.has('Type') || asName(now.get('Type'))?.value !== 'Annot';
    if (key !== 'Ff') return true;
    const [was, is] = [asInteger(old.get('Ff') ?? 0), asInteger(now.get('Ff') ?? 0)];
    return was === undefined || is !== (was | READ_ONLY);
  });
}

/** Whether the entry has the type that readers expect. */
function isUsual(file: PdfFile, key: string, value: PdfObject | undefined): boolean {
  if (value === undefined) return key !== 'AP';
  const found = file.resolve(value);
  if (key === 'F' || key === 'Q') return asInteger(found) !== undefined;
  if (key === 'AS') return asName(found) !== undefined;
  if (key !== 'AP') return true;
  const looks = asDict(found);
  if (looks === undefined) return false;
  return [...looks].every(([name, look]) => {
    const shown = file.resolve(look);
    return ['N', 'R', 'D'].includes(name) && (asDict(shown) ?? asStream(shown)) !== undefined;
  });
}

function changedField(
  revisions: Revisions,
  { old, field }: ChangedNode,
  keys: readonly string[],
): LaterChange {
  const names = keys.map((key) => `/${key}`).join(', ');
  const message = `the field "${field}" was changed: ${names}`;
  return located(revisions, [old], otherChange(message, { field, object: old.objectNumber }));
}

/** Change of a field that was filled in, or just shown or hidden, as scripts and forgers do. */
function filled(revisions: Revisions, { old, now, field }: ChangedNode): LaterChange {
  const change = (what: string): LaterChange => {
    const message = `the field "${field}" was ${what}`;
    return { level: 'form-filling', kind: 'value', message, field };
  };
  const [was, is] = [old, now].map(({ dict }) => ((asInteger(dict.get('F')) ?? 0) & UNSEEN) !== 0);
  if (was === is) return located(revisions, [now], change('filled in'));
  if (is === true) return located(revisions, [now], change('hidden'));
  const covers = coversPrint(revisions, [now]);
  return located(revisions, [now], { ...change('shown'), covers, adds: 'shown field' });
}

/** The change if the field was empty and is now signed. Undefined for any other change. */
function signedNow(
  revisions: Revisions,
  { old, now, field }: ChangedNode,
): LaterChange | undefined {
  const { before, after, newNodes } = revisions;
  if (fieldOf(old).dict.has('V')) return undefined;
  const node = fieldOf(now);
  const value = signedValue(after, node);
  if (value === undefined) return undefined;
  const widgets = (asArray(after.resolve(node.dict.get('Kids'))) ?? []).flatMap((kid) => {
    const widget = newNodes.get(asReference(kid)?.objectNumber ?? -1);
    return widget?.parent === node ? [widget] : [];
  });
  if (before.locate(node.objectNumber) === undefined) return undefined;
  return signedChange(revisions, { node, shown: [node, ...widgets], value, field, isNew: false });
}

/** Widgets by the number of their appearance stream or their appearance dictionary. */
export function collectLooks(revisions: Revisions): ReadonlyMap<number, FormNode> {
  const { before, oldNodes } = revisions;
  const looks = new Map<number, FormNode>();
  for (const node of oldNodes.values()) {
    // Check boxes and buttons change their state, not their appearances.
    if (node.dict.has('AS')) continue;
    const entry = node.dict.get('AP');
    const dictNumber = asReference(entry)?.objectNumber;
    if (dictNumber !== undefined) looks.set(dictNumber, node);
    for (const look of asDict(before.resolve(entry))?.values() ?? []) {
      const number = asReference(look)?.objectNumber;
      if (number !== undefined) looks.set(number, node);
    }
  }
  return looks;
}

/** An appearance rewritten under its object number fills in its field if nothing else uses it. */
export function appearanceChange(
  revisions: Revisions,
  node: FormNode,
  objectNumber: number,
  old: PdfObject,
  now: PdfObject,
): LaterChange {
  const { before, after, graph, newNodes } = revisions;
  const field = fieldName(before, fieldOf(node));
  const isStream = old instanceof PdfStream;
  const isAlone = graph.countReferences(objectNumber) === 1 && !isShared(revisions, node);
  const isForm = !isStream || asName(old.dict.get('Subtype'))?.value === 'Form';
  const isDict = isStream || (asDict(now) !== undefined && isUsual(after, 'AP', now));
  const later = newNodes.get(node.objectNumber);
  const message = `the appearance of the field "${field}" was replaced`;
  const more = { field, object: objectNumber };
  const isSameKind = isStream === now instanceof PdfStream;
  if (!isAlone || !isSameKind || !isForm || !isDict || later === undefined) {
    return located(revisions, [node], otherChange(message, more));
  }
  if (isSignatureNode(before, node)) {
    const signed = signedNow(revisions, { old: node, now: later, field });
    return signed ?? located(revisions, [node], otherChange(message, more));
  }
  return located(revisions, [node], { level: 'form-filling', kind: 'value', message, field });
}
