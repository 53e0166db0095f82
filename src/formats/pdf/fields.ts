import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { PdfFile } from './file.ts';
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
} from './objects.ts';
import { decodeText } from './text.ts';

/** A signature field of the form, signed or not. */
export interface SignatureField {
  /** Fully qualified name: the partial names from the root on, joined by full stops. */
  readonly name: string;
  /** Undefined when the dictionary stands inside another object. */
  readonly reference: PdfReference | undefined;
  readonly dict: PdfDict;
  /** The signature dictionary, when the field is signed. */
  readonly value: PdfDict | undefined;
  readonly valueReference: PdfReference | undefined;
  /** What gets locked when the field is signed. @spec ISO 32000-1 §12.7.4.5 */
  readonly lock: PdfDict | undefined;
}

/** Partial names from a node up to its root; decoded only for signature fields. */
interface Path {
  readonly parent: Path | undefined;
  readonly partial: PdfString;
}

/** What a node has from its ancestors. */
interface Inherited {
  readonly path: Path | undefined;
  readonly type: string | undefined;
  readonly value: PdfObject | undefined;
}

interface Node {
  readonly object: PdfObject;
  readonly depth: number;
  readonly inherited: Inherited;
}

/**
 * All signature fields of the form, in the order of the field tree. A field that is met twice is
 * given once; entries that are no dictionaries are passed over.
 *
 * @throws limit.exceeded when the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §12.7.3, §12.7.4.5
 */
export function listSignatureFields(file: PdfFile): readonly SignatureField[] {
  const form = asDict(file.resolve(file.catalog.get('AcroForm')));
  const roots = asArray(file.resolve(form?.get('Fields')));
  if (roots === undefined || roots.length === 0) return [];
  const found: SignatureField[] = [];
  const seen = new Set<number>();
  const open: Node[] = [];
  push(open, roots, 0, { path: undefined, type: undefined, value: undefined });
  for (let count = 0; ; count++) {
    const node = open.pop();
    if (node === undefined) return found;
    if (count >= limits.pdfTreeNodes) {
      throw new CoreError('limit.exceeded', 'the field tree has too many nodes');
    }
    visit(file, node, seen, open, found);
  }
}

/** Last one first, so that the first one is taken next. */
function push(open: Node[], kids: readonly PdfObject[], depth: number, inherited: Inherited): void {
  if (open.length + kids.length > limits.pdfTreeNodes) {
    throw new CoreError('limit.exceeded', 'the field tree has too many nodes');
  }
  for (let i = kids.length - 1; i >= 0; i--) {
    open.push({ object: kids[i] ?? null, depth, inherited });
  }
}

function visit(
  file: PdfFile,
  node: Node,
  seen: Set<number>,
  open: Node[],
  found: SignatureField[],
): void {
  const reference = asReference(node.object);
  if (reference !== undefined) {
    if (seen.has(reference.objectNumber)) return;
    seen.add(reference.objectNumber);
  }
  const dict = asDict(file.resolve(node.object));
  if (dict === undefined) return;
  if (node.depth > limits.pdfTreeDepth) {
    throw new CoreError(
      'limit.exceeded',
      `the field tree is deeper than ${limits.pdfTreeDepth} levels`,
    );
  }
  const partial = asString(file.resolve(dict.get('T')));
  const { inherited } = node;
  const path = partial === undefined ? inherited.path : { parent: inherited.path, partial };
  const type = asName(file.resolve(dict.get('FT')))?.value ?? inherited.type;
  const value = dict.get('V') ?? inherited.value;
  const kids = asArray(file.resolve(dict.get('Kids'))) ?? [];
  const fields = kids.filter((kid) => asDict(file.resolve(kid))?.has('T') === true);
  if (fields.length > 0) push(open, fields, node.depth + 1, { path, type, value });
  // A node above other fields holds what they inherit and is no field of its own.
  else if (type === 'Sig') found.push(signatureField(file, path, reference, dict, value));
}

function signatureField(
  file: PdfFile,
  path: Path | undefined,
  reference: PdfReference | undefined,
  dict: PdfDict,
  value: PdfObject | undefined,
): SignatureField {
  return {
    name: nameOf(path),
    reference,
    dict,
    value: asDict(file.resolve(value)),
    valueReference: asReference(value),
    lock: asDict(file.resolve(dict.get('Lock'))),
  };
}

function nameOf(path: Path | undefined): string {
  const parts: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) {
    if (at.partial.bytes.length > limits.pdfTokenBytes) {
      throw new CoreError(
        'limit.exceeded',
        `a field name is longer than ${limits.pdfTokenBytes} bytes`,
      );
    }
    parts.push(decodeText(at.partial));
  }
  return parts.reverse().join('.');
}
