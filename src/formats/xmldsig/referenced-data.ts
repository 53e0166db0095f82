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

/** A document or element with all that is inside it, without some subtrees; or any nodes. */
export interface NodeSet {
  readonly kind: 'nodes';
  readonly target: XmlDocument | XmlElement;
  readonly excluded: readonly XmlElement[];
  readonly hasComments: boolean;
  readonly scope: ReferenceScope;
  /** The nodes, when they are not the target without subtrees. */
  readonly selection?: NodeSelection;
}

/** Bytes that are made when they are asked for. */
export interface ByteData {
  readonly kind: 'bytes';
  readonly feed: (take: (piece: Uint8Array) => void) => void;
  readonly scope: ReferenceScope;
  /** The same for the same bytes of one document; undefined for all that is not its own. */
  readonly identity?: string;
}

/** Data passed from one transform to the next. */
export type ReferencedData = NodeSet | ByteData;

/** Bytes that are there already. */
export function octetData(bytes: Uint8Array, scope: ReferenceScope): ByteData {
  return { kind: 'bytes', feed: (take) => take(bytes), scope };
}

/** A node-set of the document that the signature is about; its scope is itself. */
export function nodeSet(
  target: XmlDocument | XmlElement,
  excluded: readonly XmlElement[],
  hasComments: boolean,
): NodeSet {
  return { kind: 'nodes', target, excluded, hasComments, scope: { target, excluded } };
}

/** The refusal of a reference, as an error; {@link feedReference} makes it a value. */
export function refusal(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message);
}

/** The refusal of a reference that asks for what nobody here can do: nothing is wrong with it. */
export function unsupported(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message, { details: { unsupported: true } });
}

/** The document of a node-set. */
export function documentOf(target: XmlDocument | XmlElement): XmlDocument {
  return 'index' in target ? target.document : target;
}

/** True when the element stands inside the target. */
export function holds(target: XmlDocument | XmlElement, element: XmlElement): boolean {
  return 'index' in target ? target.contains(element) : element.document === target;
}

/** The bytes of a node-set in a canonical form. */
export function canonicalData(
  nodes: NodeSet,
  method: CanonicalMethod,
  prefixList: readonly string[],
  budget: ReferenceBudget,
): ByteData {
  const { target, excluded, hasComments } = nodes;
  const plain = hasComments ? method : (method.replace('-comments', '') as CanonicalMethod);
  // A form of what another form made covers no comments that the first one left out.
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
  // For data parsed anew by a transform the scope is still the place in the document.
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
  // The default namespace has the empty prefix: a list of it alone is no empty list.
  const prefixes = prefixList.map((prefix) => `${prefix}:`);
  return [method, prefixes.join(' '), place, left.join(' ')].join('\n');
}

/**
 * Passes the canonical bytes to `take`; the bytes read, or written beyond that, count against the
 * budget.
 *
 * @throws xml.limit when the budget is spent; xml.invalid when no canonical form exists
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

/** Passes pieces on; `lengthBytes` are spent, and what is made beyond them. */
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

/** The bytes of `data`; a node-set takes the given form. */
export function bytesOf(
  data: ReferencedData,
  form: { readonly method: CanonicalMethod; readonly prefixList?: readonly string[] },
  budget: ReferenceBudget,
): ByteData {
  if (data.kind === 'bytes') return data;
  return canonicalData(data, form.method, form.prefixList ?? [], budget);
}

/** The bytes of `data` in one piece. */
export function collectBytes(data: ByteData): Uint8Array {
  const pieces: Uint8Array[] = [];
  data.feed((piece) => pieces.push(new Uint8Array(piece)));
  return concatBytes(pieces);
}

/**
 * The node-set for a transform that needs one; bytes are parsed.
 *
 * @throws xml.invalid and others of the parser when they are no XML
 */
export function nodesOf(data: ReferencedData, budget: ReferenceBudget): NodeSet {
  if (data.kind === 'nodes') return data;
  const bytes = collectBytes(data);
  budget.spend(bytes.length);
  const target = parseXml(bytes);
  return { kind: 'nodes', target, excluded: [], hasComments: true, scope: data.scope };
}
