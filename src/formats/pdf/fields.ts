import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { PdfFile } from './pdf-file.types.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  asString,
  type PdfDict,
  type PdfObject,
  type PdfReference,
  type PdfString,
} from './syntax/objects.ts';
import { decodeText } from './syntax/text.ts';
import type { PdfUpdate } from './update.ts';

/**
 * Whether the form has a field of any type with this fully qualified name, or a parent of other
 * fields with this name.
 *
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 */
export function hasField(file: PdfFile, name: string): boolean {
  const form = asDict(file.resolve(file.catalog.get('AcroForm')));
  if (form === undefined) return false;
  const parts = name.split('.');
  let level = asArray(file.resolve(form.get('Fields'))) ?? [];
  let looked = 0;
  for (const [index, part] of parts.entries()) {
    const found = level.find((item) => {
      if (++looked > limits.pdfTreeNodes) {
        throw new InnsigliError('limit.exceeded', 'the field tree has too many nodes');
      }
      const partial = asString(file.resolve(asDict(file.resolve(item))?.get('T')));
      return partial !== undefined && decodeText(partial) === part;
    });
    if (found === undefined) return false;
    if (index === parts.length - 1) return true;
    level = asArray(file.resolve(asDict(file.resolve(found))?.get('Kids'))) ?? [];
  }
  return false;
}

/** A field of the form. */
export interface FieldObject {
  /** Fully qualified name: the partial names from the root on, joined by periods. */
  readonly name: string;
  /** Undefined if the dictionary is a direct object. */
  readonly reference: PdfReference | undefined;
  readonly dict: PdfDict;
  /** `Btn`, `Tx`, `Ch` or `Sig`, its own or inherited. */
  readonly type: string;
  /** The value, its own or inherited. */
  readonly entry: PdfObject | undefined;
}

/** A signature field of the form, signed or not. */
export interface SignatureField extends Pick<FieldObject, 'name' | 'reference' | 'dict'> {
  /** The signature dictionary, if the field is signed. */
  readonly value: PdfDict | undefined;
  readonly valueReference: PdfReference | undefined;
  /** Fields to lock on signing. @spec ISO 32000-1 §12.7.4.5 */
  readonly lock: PdfDict | undefined;
}

/** Partial names from a node up to its root; decoded only for requested fields. */
interface Path {
  readonly parent: Path | undefined;
  readonly partial: PdfString;
}

interface Inherited {
  readonly path: Path | undefined;
  readonly type: string | undefined;
  readonly value: PdfObject | undefined;
}

interface Node {
  readonly reference: PdfReference | undefined;
  readonly dict: PdfDict;
  readonly depth: number;
  readonly inherited: Inherited;
}

/**
 * All signature fields of the form, in the order of the field tree. Duplicates are dropped, and
 * entries that are not dictionaries are ignored.
 *
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §12.7.3, §12.7.4.5
 */
export function listSignatureFields(file: PdfFile): readonly SignatureField[] {
  return listFields(file, ['Sig']).map(({ name, reference, dict, entry }) => ({
    name,
    reference,
    dict,
    value: asDict(file.resolve(entry)),
    valueReference: asReference(entry),
    lock: asDict(file.resolve(dict.get('Lock'))),
  }));
}

/**
 * All fields of these types; otherwise like {@link listSignatureFields}.
 *
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §12.7.3
 */
export function listFields(file: PdfFile, types: readonly string[]): readonly FieldObject[] {
  return walkFields(file, types).found;
}

/** Dangling references of the form: to the form itself, fields, and values of signature fields. */
export function listLostFields(file: PdfFile): readonly PdfReference[] {
  const { found, lost } = walkFields(file, ['Sig']);
  noteLost(file, file.catalog.get('AcroForm'), lost);
  for (const { entry } of found) noteLost(file, entry, lost);
  return lost;
}

function noteLost(file: PdfFile, entry: PdfObject | undefined, lost: PdfReference[]): void {
  const reference = asReference(entry);
  if (reference !== undefined && file.resolve(entry) === null) lost.push(reference);
}

function walkFields(file: PdfFile, types: readonly string[]): Walk {
  const walk: Walk = { file, types, seen: new Set(), open: [], found: [], lost: [], kids: 0 };
  const form = asDict(file.resolve(file.catalog.get('AcroForm')));
  const roots = asArray(file.resolve(form?.get('Fields'))) ?? [];
  push(walk, roots, 0, { path: undefined, type: undefined, value: undefined }, false);
  for (;;) {
    const node = walk.open.pop();
    if (node === undefined) return walk;
    visit(walk, node);
  }
}

interface Walk {
  readonly file: PdfFile;
  readonly types: readonly string[];
  readonly seen: Set<number>;
  /** Nodes still to be visited, as a stack. */
  readonly open: Node[];
  readonly found: FieldObject[];
  /** Entries that reference a missing object. */
  readonly lost: PdfReference[];
  /** Number of /Kids entries visited: many nodes can share one long array. */
  kids: number;
}

/**
 * Queues the entries that are not yet visited, and returns how many were found and queued. With
 * `fieldsOnly`, entries without a name are ignored: they are widgets of their parent.
 */
function push(
  walk: Walk,
  kids: readonly PdfObject[],
  depth: number,
  inherited: Inherited,
  fieldsOnly: boolean,
): { readonly met: number; readonly queued: number } {
  let met = 0;
  const nodes: Node[] = [];
  for (const object of kids) {
    if (++walk.kids > limits.pdfTreeNodes) {
      throw new InnsigliError('limit.exceeded', 'the field tree has too many nodes');
    }
    const resolved = walk.file.resolve(object);
    const dict = asDict(resolved);
    const reference = asReference(object);
    if (resolved === null && reference !== undefined) walk.lost.push(reference);
    if (dict === undefined || (fieldsOnly && !dict.has('T'))) continue;
    met++;
    if (reference !== undefined) {
      if (walk.seen.has(reference.objectNumber)) continue;
      walk.seen.add(reference.objectNumber);
    }
    nodes.push({ reference, dict, depth, inherited });
  }
  for (let i = nodes.length - 1; i >= 0; i--) walk.open.push(nodes[i] as Node);
  return { met, queued: nodes.length };
}

function visit(walk: Walk, node: Node): void {
  const { file } = walk;
  const { reference, dict, depth, inherited } = node;
  if (depth > limits.pdfTreeDepth) {
    const message = `the field tree is deeper than ${limits.pdfTreeDepth} levels`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const partial = asString(file.resolve(dict.get('T')));
  const path = partial === undefined ? inherited.path : { parent: inherited.path, partial };
  const type = asName(file.resolve(dict.get('FT')))?.value ?? inherited.type;
  const value = dict.get('V') ?? inherited.value;
  const kids = asArray(file.resolve(dict.get('Kids'))) ?? [];
  const { met, queued } = push(walk, kids, depth + 1, { path, type, value }, true);
  // A node with child fields only passes on inherited entries and is not itself a field. But if all
  // its kids were visited before, possibly including the node itself, a signature in it would
  // otherwise be lost.
  const isField = met === 0 || (queued === 0 && value !== undefined);
  if (isField && type !== undefined && walk.types.includes(type)) {
    walk.found.push({ name: qualifiedName(path), reference, dict, type, entry: value });
  }
}

function qualifiedName(path: Path | undefined): string {
  const parts: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) {
    if (at.partial.bytes.length > limits.pdfTokenBytes) {
      const message = `a field name is longer than ${limits.pdfTokenBytes} bytes`;
      throw new InnsigliError('limit.exceeded', message);
    }
    parts.push(decodeText(at.partial));
  }
  return parts.reverse().join('.');
}

/** Replaces the interactive form dictionary in an update. @spec ISO 32000-1 §12.7.2 */
export function replaceForm(file: PdfFile, update: PdfUpdate, form: PdfDict): void {
  const holder = asReference(file.catalog.get('AcroForm'));
  if (holder !== undefined) update.set(holder, form);
  else update.set(file.catalogReference, new Map([...file.catalog, ['AcroForm', form]]));
}
