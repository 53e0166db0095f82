import { concatBytes } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  type CanonicalMethod,
  type CanonicalOptions,
  canonicalize,
  canonicalizeNodes,
  type NodeSelection,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../xml/index.ts';
import type { ReferenceBudget } from './reference-budget.ts';
import type { ReferenceScope } from './reference-context.ts';

/** A document, or an element with its content, without some subtrees; or an arbitrary node-set. */
export interface NodeSet {
  readonly kind: 'nodes';
  readonly target: XmlDocument | XmlElement;
  readonly excluded: readonly XmlElement[];
  readonly hasComments: boolean;
  readonly scope: ReferenceScope;
  /** The nodes, if they are not the target excluding subtrees. */
  readonly selection?: NodeSelection;
}

/** Bytes that are generated on demand. */
export interface ByteData {
  readonly kind: 'bytes';
  readonly feed: (take: (piece: Uint8Array) => void) => void;
  readonly scope: ReferenceScope;
  /** Equal for equal bytes of one document; undefined for data not directly from it. */
  readonly identity?: string;
}

/** Data passed from one transform to the next. */
export type ReferencedData = NodeSet | ByteData;

/** Existing bytes as data. */
export function octetData(bytes: Uint8Array, scope: ReferenceScope): ByteData {
  return { kind: 'bytes', feed: (take) => take(bytes), scope };
}

/** A node-set of the signed document; its scope is the node-set itself. */
export function nodeSet(
  target: XmlDocument | XmlElement,
  excluded: readonly XmlElement[],
  hasComments: boolean,
): NodeSet {
  return { kind: 'nodes', target, excluded, hasComments, scope: { target, excluded } };
}

/** The refusal of a reference as an error; {@link feedReference} turns it into a result. */
export function refusal(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message);
}

/** The refusal of a reference that requires something unsupported, but is not invalid. */
export function unsupported(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message, { details: { unsupported: true } });
}

/** The document of a node-set. */
export function documentOf(target: XmlDocument | XmlElement): XmlDocument {
  return 'index' in target ? target.document : target;
}

/** Whether the element is inside the target. */
export function holds(target: XmlDocument | XmlElement, element: XmlElement): boolean {
  return 'index' in target ? target.contains(element) : element.document === target;
}

/** The bytes of a node-set in canonical form. */
export function canonicalData(
  nodes: NodeSet,
  method: CanonicalMethod,
  prefixList: readonly string[],
  budget: ReferenceBudget,
): ByteData {
  const { target, excluded, hasComments } = nodes;
  const plain = hasComments ? method : (method.replace('-comments', '') as CanonicalMethod);
  // Comments that an earlier canonicalisation removed are not covered by a later one.
  const coversComments = nodes.scope.coversComments !== false && plain.endsWith('-comments');
  const scope = { ...nodes.scope, coversComments };
  const { selection } = nodes;
  if (selection !== undefined) {
    const { bytes } = documentOf(target);
    const write = (take: (piece: Uint8Array) => void) =>
      canonicalizeNodes(selection, plain, prefixList, take);
    const feed = (take: (piece: Uint8Array) => void) => metered(bytes.length, budget, write, take);
    return { kind: 'bytes', feed, scope };
  }
  const options = { prefixList, exclude: excluded };
  // For data parsed again by a transform, the scope still refers to the original document.
  const isOwn = target === scope.target && excluded === scope.excluded;
  return {
    kind: 'bytes',
    feed: (take) => feedCanonical(target, plain, options, budget, take),
    scope,
    ...(isOwn ? { identity: identityOf(target, plain, options) } : {}),
  };
}

function identityOf(
  target: XmlDocument | XmlElement,
  method: CanonicalMethod,
  { prefixList = [], exclude = [] }: CanonicalOptions,
): string {
  const place = 'index' in target ? target.index : 'document';
  const left = exclude.map(({ index }) => index);
  // The default namespace has the empty prefix: a list with only this prefix is not empty.
  const prefixes = prefixList.map((prefix) => `${prefix}:`);
  return [method, prefixes.join(' '), place, left.join(' ')].join('\n');
}

/**
 * Passes the canonical bytes to `take`; the bytes read, and any written beyond that, count against
 * the budget.
 *
 * @throws xml.limit if the budget is exhausted; xml.invalid if no canonical form exists
 */
export function feedCanonical(
  target: XmlDocument | XmlElement,
  method: CanonicalMethod,
  options: CanonicalOptions,
  budget: ReferenceBudget,
  take: (piece: Uint8Array) => void,
): void {
  const lengthBytes =
    'index' in target ? target.endOffset - target.startOffset : target.bytes.length;
  metered(lengthBytes, budget, (give) => canonicalize(target, method, options, give), take);
}

/** Passes pieces on. Spends `lengthBytes`, and any generated bytes beyond that. */
function metered(
  lengthBytes: number,
  budget: ReferenceBudget,
  make: (give: (piece: Uint8Array) => void) => void,
  take: (piece: Uint8Array) => void,
): void {
  let spent = lengthBytes;
  budget.spend(spent);
  make((piece) => {
    spent -= piece.length;
    if (spent < 0) {
      budget.spend(-spent);
      spent = 0;
    }
    take(piece);
  });
}

/** The bytes of `data`; a node-set is serialised in the given form. */
export function bytesOf(
  data: ReferencedData,
  form: { readonly method: CanonicalMethod; readonly prefixList?: readonly string[] },
  budget: ReferenceBudget,
): ByteData {
  if (data.kind === 'bytes') return data;
  return canonicalData(data, form.method, form.prefixList ?? [], budget);
}

/** The bytes of `data` as one array. */
export function collectBytes(data: ByteData): Uint8Array {
  const pieces: Uint8Array[] = [];
  data.feed((piece) => pieces.push(new Uint8Array(piece)));
  return concatBytes(pieces);
}

/**
 * The node-set for a transform that requires one; bytes are parsed.
 *
 * @throws xml.invalid and other parser errors if they are not XML
 */
export function nodesOf(data: ReferencedData, budget: ReferenceBudget): NodeSet {
  if (data.kind === 'nodes') return data;
  const bytes = collectBytes(data);
  budget.spend(bytes.length);
  const target = parseXml(bytes);
  return { kind: 'nodes', target, excluded: [], hasComments: true, scope: data.scope };
}
