import { concatBytes, createDigest } from '../../base/bytes.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import {
  canonicalize,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../../formats/xml/index.ts';
import {
  canonicalUris,
  namespaces,
  referenceTypes,
  transformUris,
} from '../../formats/xmldsig/index.ts';
import type { SignatureIds } from './signature-ids.ts';
import { openElement, writeBase64, writeElement } from './write-element.ts';

/** A data object that a signature covers. */
export interface DataObject {
  /** URI of its reference. */
  readonly uri: string;
  /** Text of its ds:Transform elements. Empty if there are none. */
  readonly transforms: string;
  readonly type?: string;
  /** Media type declared by the signer. */
  readonly mimeType: string;
  /** Content of the ds:Object that is added to the signature for it. */
  readonly object?: readonly Uint8Array[];
  /** Passes the bytes to be digested in chunks, each of which is valid only during the call. */
  feed(take: (piece: Uint8Array) => void): void;
}

/** The digest of a data object. */
export function digestObject(object: DataObject, digest: DigestAlgorithm): Uint8Array {
  const hash = createDigest(digest);
  object.feed((piece) => hash.update(piece));
  return hash.digest();
}

const exclusive = transformText(canonicalUris.exclusive);

/**
 * Removes all signatures, including later ones, in the notation of the EU's DSS library, so that a
 * document can be signed repeatedly. The path needs the prefix `ds` of the signature.
 */
const withoutSignatures = transformText(
  transformUris.filter2,
  writeElement(
    'dsig-filter2:XPath',
    { 'xmlns:dsig-filter2': namespaces.filter2, Filter: 'subtract' },
    '/descendant::ds:Signature',
  ),
);

/** Transform that removes a signature inside the data before digesting. */
export type EnvelopedTransform = 'filter' | 'enveloped';

const removals: Readonly<Record<EnvelopedTransform, string>> = {
  filter: withoutSignatures,
  enveloped: transformText(transformUris.enveloped),
};

function transformText(algorithm: string, ...content: readonly string[]): string {
  return writeElement('ds:Transform', { Algorithm: algorithm }, ...content);
}

/**
 * A document, or one of its elements, in or next to which the signature is placed.
 *
 * @param target an element with a unique Id
 * @param removal undefined if the signature is outside the element
 */
export function documentObject(
  target: XmlDocument | { readonly element: XmlElement; readonly id: string },
  removal: EnvelopedTransform | undefined,
  mimeType: string,
): DataObject {
  const isElement = 'element' in target;
  const nodes = isElement ? target.element : target;
  const document = isElement ? target.element.document : target;
  const exclude = removal === 'filter' ? document.findAll(namespaces.dsig, 'Signature') : [];
  return {
    uri: isElement ? `#${target.id}` : '',
    transforms: `${removal === undefined ? '' : removals[removal]}${exclusive}`,
    mimeType,
    feed: (take) => canonicalize(nodes, 'exc-c14n', { exclude }, take),
  };
}

/** A detached file. Its bytes are signed without a transform. */
export function fileObject(uri: string, content: Uint8Array, mimeType: string): DataObject {
  return { uri, transforms: '', mimeType, feed: (take) => take(content) };
}

/** XML within the signature. `content` must be well-formed, without an XML declaration. */
export function xmlObject(ids: SignatureIds, content: Uint8Array, mimeType: string): DataObject {
  const id = ids.object(0);
  const attributes = { 'xmlns:ds': namespaces.dsig, Id: id, MimeType: mimeType };
  const start = Buffer.from(openElement('ds:Object', attributes));
  const object = [start, content, objectEnd];
  return {
    uri: `#${id}`,
    type: referenceTypes.object,
    transforms: exclusive,
    mimeType,
    object,
    feed: (take) => canonicalize(parseXml(concatBytes(object)).root, 'exc-c14n', {}, take),
  };
}

/** Arbitrary bytes within the signature, encoded in base64. The decoded bytes are signed. */
export function base64Object(ids: SignatureIds, content: Uint8Array, mimeType: string): DataObject {
  const id = ids.object(0);
  const attributes = { Encoding: transformUris.base64, Id: id, MimeType: mimeType };
  const start = Buffer.from(openElement('ds:Object', attributes));
  return {
    uri: `#${id}`,
    type: referenceTypes.object,
    transforms: transformText(transformUris.base64),
    mimeType,
    object: [start, Buffer.from(writeBase64(content), 'latin1'), objectEnd],
    feed: (take) => take(content),
  };
}

const objectEnd = Buffer.from('</ds:Object>');
