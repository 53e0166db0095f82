import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  asReference,
  asStream,
  asString,
  decodeText,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../../formats/pdf/index.ts';

/** A field, or a widget of one, that is an indirect object. */
export interface FormNode {
  readonly objectNumber: number;
  readonly dict: PdfDict;
  /** The parent field. Undefined at the root. */
  readonly parent: FormNode | undefined;
}

/**
 * Collects fields and their widgets by object number, each at its first occurrence.
 *
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 * @spec ISO 32000-2 §12.7.4.1
 */
export function collectFormNodes(file: PdfFile): ReadonlyMap<number, FormNode> {
  const nodes = new Map<number, FormNode>();
  const form = asDict(file.resolve(file.catalog.get('AcroForm')));
  const open: { readonly items: PdfObject; readonly parent?: FormNode; readonly depth: number }[] =
    [{ items: file.resolve(form?.get('Fields')), depth: 0 }];
  let looked = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { items, parent, depth } = next;
    if (depth > limits.pdfTreeDepth) throw tooLarge('is too deep');
    for (const item of asArray(items) ?? []) {
      if (++looked > limits.pdfTreeNodes) throw tooLarge('has too many nodes');
      const objectNumber = asReference(item)?.objectNumber;
      const dict = asDict(file.resolve(item));
      if (objectNumber === undefined || dict === undefined || nodes.has(objectNumber)) continue;
      const node: FormNode = { objectNumber, dict, parent };
      nodes.set(objectNumber, node);
      const kids = file.resolve(dict.get('Kids'));
      if (kids !== null) open.push({ items: kids, parent: node, depth: depth + 1 });
    }
  }
  return nodes;
}

function tooLarge(how: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `the field tree ${how}`);
}

/** The field itself, or the field of a widget. */
export function fieldOf(node: FormNode): FormNode {
  let field = node;
  while (!field.dict.has('T') && field.parent !== undefined) field = field.parent;
  return field;
}

/** The fully qualified name: partial names from the root on, joined by periods. */
export function fieldName(file: PdfFile, node: FormNode): string {
  const parts: string[] = [];
  for (let at: FormNode | undefined = node; at !== undefined; at = at.parent) {
    const partial = asString(file.resolve(at.dict.get('T')));
    if (partial !== undefined) parts.push(decodeText(partial));
  }
  return parts.reverse().join('.');
}

/** The entry of the node, or the inherited one. Null if there is none. */
function inheritedValue(file: PdfFile, node: FormNode, key: string): PdfObject {
  for (let at: FormNode | undefined = node; at !== undefined; at = at.parent) {
    const value = file.resolve(at.dict.get(key));
    if (value !== null) return value;
  }
  return null;
}

/** True for a signature field and its widgets. */
export function isSignatureNode(file: PdfFile, node: FormNode): boolean {
  return asName(inheritedValue(file, node, 'FT'))?.value === 'Sig';
}

/** The value of a signature field that contains something to verify. Undefined if it is empty. */
export function signedValue(file: PdfFile, field: FormNode): PdfDict | undefined {
  const value = asDict(file.resolve(field.dict.get('V')));
  const contents = asString(file.resolve(value?.get('Contents')));
  const range = asArray(file.resolve(value?.get('ByteRange')));
  return contents === undefined || range === undefined ? undefined : value;
}

/** The rectangle of a widget. Undefined if it is empty, so that nothing is displayed. */
export function visibleArea(file: PdfFile, dict: PdfDict): Rectangle | undefined {
  const area = rectangleOf(file, file.resolve(dict.get('Rect')));
  return area === undefined || area[0] === area[2] || area[1] === area[3] ? undefined : area;
}

type Rectangle = readonly [number, number, number, number];

/** The rectangle with its lower left corner first. @spec ISO 32000-2 §7.9.5 */
export function rectangleOf(file: PdfFile, value: PdfObject | undefined): Rectangle | undefined {
  const sides = (asArray(value) ?? []).map((side) => asNumber(file.resolve(side)));
  const [x1, y1, x2, y2] = sides;
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) {
    return undefined;
  }
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Whether an appearance stream of the widget paints anything. */
export function hasAppearance(file: PdfFile, dict: PdfDict): boolean {
  const looks = asDict(file.resolve(dict.get('AP')));
  for (const look of looks?.values() ?? []) {
    const value = file.resolve(look);
    const streams = asDict(value) === undefined ? [value] : [...(asDict(value) ?? []).values()];
    for (const item of streams) {
      const stream = asStream(file.resolve(item));
      if (stream === undefined) continue;
      if (file.decode(stream).some((byte) => byte > 0x20)) return true;
    }
  }
  return false;
}
