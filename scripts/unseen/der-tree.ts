import { childrenOf, contentOf, type DerNode, der, readDer } from '../../src/formats/asn1/index.ts';

/** A mutable element: children, or content if it has none. */
export interface Element {
  tag: number;
  children?: Element[];
  content: Uint8Array;
  /** Written with the indefinite length of BER. */
  isIndefinite?: boolean;
}

/** Returns the elements of a DER or BER structure, copied. */
export function treeOf(bytes: Uint8Array): Element {
  return copyOf(readDer(bytes));
}

function copyOf(node: DerNode): Element {
  const content = new Uint8Array(contentOf(node));
  const { tag } = node;
  if ((tag & 0x20) === 0) return { tag, content };
  return { tag, content, children: childrenOf(node).map(copyOf) };
}

/** Returns the bytes of a tree, as DER except for elements marked as indefinite. */
export function bytesOfTree({ tag, children, content, isIndefinite }: Element): Uint8Array {
  const parts = children === undefined ? [content] : children.map(bytesOfTree);
  if (isIndefinite !== true) return new Uint8Array(der.element(tag, parts));
  return new Uint8Array(Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]));
}

/** Returns a deep copy. */
export function cloneTree(element: Element): Element {
  return treeOf(bytesOfTree(element));
}

/** Returns a constructed element. */
export function constructed(tag: number, children: readonly Element[]): Element {
  return { tag, content: new Uint8Array(0), children: [...children] };
}

/** The elements of a SignedData that are altered. Undefined if it is not one. */
export interface CmsTree {
  readonly root: Element;
  readonly fields: Element[];
  readonly encapsulated: Element;
  readonly certificates: Element | undefined;
  readonly signerInfos: Element;
  readonly signers: readonly SignerTree[];
}

/** The elements of a SignerInfo. */
export interface SignerTree {
  readonly element: Element;
  readonly fields: Element[];
  readonly identifier: Element;
  readonly digestAlgorithm: Element;
  readonly signed: Element | undefined;
  readonly signatureAlgorithm: Element;
  readonly signature: Element;
  readonly unsigned: Element | undefined;
}

/** Returns a new mutable tree of a CMS file. */
export function cmsTreeOf(bytes: Uint8Array): CmsTree {
  const root = treeOf(bytes);
  const fields = root.children?.[1]?.children?.[0]?.children as Element[];
  const signerInfos = fields.at(-1) as Element;
  return {
    root,
    fields,
    encapsulated: fields[2] as Element,
    certificates: fields.find(({ tag }) => tag === 0xa0),
    signerInfos,
    signers: (signerInfos.children as Element[]).map(signerTreeOf),
  };
}

function signerTreeOf(element: Element): SignerTree {
  const fields = element.children as Element[];
  const signed = fields[3]?.tag === 0xa0 ? fields[3] : undefined;
  const [signatureAlgorithm, signature, unsigned] = fields.slice(signed === undefined ? 3 : 4);
  return {
    element,
    fields,
    identifier: fields[1] as Element,
    digestAlgorithm: fields[2] as Element,
    signed,
    signatureAlgorithm: signatureAlgorithm as Element,
    signature: signature as Element,
    unsigned,
  };
}
