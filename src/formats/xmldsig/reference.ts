import { limits } from '../../base/limits.ts';
import type { DigestAlgorithm } from '../x509/index.ts';
import type { XmlElement } from '../xml/index.ts';
import { findDigest } from './algorithms.ts';
import { namespaces } from './namespaces.table.ts';
import {
  readBase64,
  readChildren,
  requireAttribute,
  requireNoText,
  signatureInvalid,
} from './structure.ts';

/** One ds:Transform. */
export interface XmlTransform {
  readonly element: XmlElement;
  /** Identifier of the algorithm. */
  readonly uri: string;
}

/** One ds:Reference: its data and transforms, and the expected digest. */
export interface XmlReference {
  readonly element: XmlElement;
  readonly id: string | undefined;
  /** Undefined if the attribute is missing; empty for the whole document. */
  readonly uri: string | undefined;
  readonly type: string | undefined;
  readonly transforms: readonly XmlTransform[];
  readonly digestUri: string;
  /** Undefined if the algorithm is unknown or not accepted. */
  readonly digest: DigestAlgorithm | undefined;
  readonly digestValue: Uint8Array;
}

/** A ds:Manifest: a list of references, covered by one reference of the signature. */
export interface XmlManifest {
  readonly references: readonly XmlReference[];
}

const { dsig } = namespaces;

/**
 * Parses a ds:Reference, without resolving or digesting it.
 *
 * @throws xml.signature.invalid if its structure does not conform to the schema
 * @spec XML-Signature Syntax and Processing 1.1 §4.4.3
 */
export function parseReference(element: XmlElement): XmlReference {
  const children = readChildren(element);
  const transforms = children.optional(dsig, 'Transforms');
  const method = children.required(dsig, 'DigestMethod');
  const value = children.required(dsig, 'DigestValue');
  children.end();
  const digestUri = requireAttribute(method, 'Algorithm');
  return {
    element,
    id: element.attribute('Id'),
    uri: element.attribute('URI'),
    type: element.attribute('Type'),
    transforms: transforms === undefined ? [] : parseTransforms(transforms),
    digestUri,
    digest: findDigest(digestUri),
    digestValue: readBase64(value),
  };
}

/**
 * The transforms of a ds:Transforms element, in order.
 *
 * @throws xml.signature.invalid if the element has other children, none, or too many
 */
function parseTransforms(element: XmlElement): readonly XmlTransform[] {
  return requireRepeated(element, element.children, 'Transform', limits.xmlTransforms).map(
    (transform) => ({ element: transform, uri: requireAttribute(transform, 'Algorithm') }),
  );
}

/**
 * The references of a ds:SignedInfo or ds:Manifest, from the child at `first` on.
 *
 * @throws xml.signature.invalid if there is another child, none, or too many
 */
export function parseReferences(element: XmlElement, first: number): readonly XmlReference[] {
  const children = element.children.slice(first);
  return requireRepeated(element, children, 'Reference', limits.xmlReferences).map(parseReference);
}

function requireRepeated(
  element: XmlElement,
  children: readonly XmlElement[],
  localName: string,
  most: number,
): readonly XmlElement[] {
  requireNoText(element);
  if (children.length === 0) throw signatureInvalid(element, `no ${localName}`);
  if (children.length > most) throw signatureInvalid(element, `more than ${most} ${localName}s`);
  for (const child of children) {
    if (child.is(dsig, localName)) continue;
    throw signatureInvalid(element, `expected ${localName}, found ${child.name.slice(0, 60)}`);
  }
  return children;
}

/**
 * Parses a ds:Manifest.
 *
 * @throws xml.signature.invalid if its structure does not conform to the schema
 * @spec XML-Signature Syntax and Processing 1.1 §5.1
 */
export function parseManifest(element: XmlElement): XmlManifest {
  if (!element.is(dsig, 'Manifest')) throw signatureInvalid(element, 'not a Manifest');
  return { references: parseReferences(element, 0) };
}
