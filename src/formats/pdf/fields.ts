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

interface Node {
  readonly object: PdfObject;
  readonly depth: number;
  /** From the ancestors. */
  readonly name: string;
  readonly type: string | undefined;
  readonly value: PdfObject | undefined;
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
  const parent = { name: '', type: undefined, value: undefined };
  push(open, roots, 0, parent);
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
function push(
  open: Node[],
  kids: readonly PdfObject[],
  depth: number,
  from: { name: string; type: string | undefined; value: PdfObject | undefined },
): void {
  if (open.length + kids.length > limits.pdfTreeNodes) {
    throw new CoreError('limit.exceeded', 'the field tree has too many nodes');
  }
  const { name, type, value } = from;
  for (let i = kids.length - 1; i >= 0; i--) {
    open.push({ object: kids[i] ?? null, depth, name, type, value });
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
  const own = partial === undefined ? '' : decodeText(partial);
  const name = node.name === '' ? own : partial === undefined ? node.name : `${node.name}.${own}`;
  const type = asName(file.resolve(dict.get('FT')))?.value ?? node.type;
  const value = dict.get('V') ?? node.value;
  const kids = asArray(file.resolve(dict.get('Kids'))) ?? [];
  const fields = kids.filter((kid) => asDict(file.resolve(kid))?.has('T') === true);
  if (fields.length > 0) push(open, fields, node.depth + 1, { name, type, value });
  // A node above other fields holds what they inherit and is no field of its own.
  else if (type === 'Sig') found.push(signatureField(file, name, reference, dict, value));
}

function signatureField(
  file: PdfFile,
  name: string,
  reference: PdfReference | undefined,
  dict: PdfDict,
  value: PdfObject | undefined,
): SignatureField {
  return {
    name,
    reference,
    dict,
    value: asDict(file.resolve(value)),
    valueReference: asReference(value),
    lock: asDict(file.resolve(dict.get('Lock'))),
  };
}
