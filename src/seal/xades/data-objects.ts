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

/** One thing that a signature shall cover. */
export interface DataObject {
  /** URI of its reference. */
  readonly uri: string;
  /** Text of its ds:Transform elements; empty for none. */
  readonly transforms: string;
  readonly type?: string;
  /** Media type that the signer declares. */
  readonly mimeType: string;
  /** A ds:Object that the signature gets for it. */
  readonly object?: readonly Uint8Array[];
  /** Gives the bytes that are digested; a piece is valid during the call only. */
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
 * All signatures are taken away, also those to come, as the DSS library of the EU writes it: a
 * document can be signed again and again. The path needs the prefix `ds` of the signature.
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
 * A document, or an element of it, that the signature is put into or beside.
 *
 * @param target an element with a unique Id
 * @param removal undefined when the signature stands outside the element
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

/** A file that stays beside the signature; its bytes are signed as they are. */
export function fileObject(uri: string, content: Uint8Array, mimeType: string): DataObject {
  return { uri, transforms: '', mimeType, feed: (take) => take(content) };
}

/** XML inside the signature: `content` must be well-formed, without an XML declaration. */
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

/** Any bytes inside the signature, as base64; the bytes themselves are signed. */
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
