import { limits } from '../../base/limits.ts';
import type { SignatureAlgorithm } from '../x509/index.ts';
import { canonicalBytes, canonicalMethods, type XmlElement } from '../xml/index.ts';
import { readSignatureMethod } from './algorithms.ts';
import { namespaces } from './namespaces.table.ts';
import { readPrefixList } from './prefix-list.ts';
import { parseReferences, type XmlReference } from './reference.ts';
import {
  parseBase64,
  readBase64,
  readChildren,
  requireAttribute,
  signatureInvalid,
} from './structure.ts';

/** Content of SignedInfo: algorithms and references. */
export interface XmlSignedInfo {
  readonly element: XmlElement;
  /** Canonicalisation identifier. */
  readonly canonicalUri: string;
  /** Prefixes that exclusive canonicalisation treats inclusively. */
  readonly prefixList: readonly string[];
  readonly signatureMethod: {
    readonly uri: string;
    /** Undefined if the algorithm is unknown or not accepted. */
    readonly algorithm: SignatureAlgorithm | undefined;
  };
  /** At least one. */
  readonly references: readonly XmlReference[];
}

/** Hints about the key, which do not establish trust in it. */
export interface XmlKeyInfo {
  readonly element: XmlElement;
  /** DER, in document order. */
  readonly certificates: readonly Uint8Array[];
  /** A bare public key, not parsed. */
  readonly keyValue: XmlElement | undefined;
}

/** A parsed ds:Signature. */
export interface XmlSignature {
  readonly element: XmlElement;
  readonly id: string | undefined;
  readonly signedInfo: XmlSignedInfo;
  readonly signatureValue: {
    readonly element: XmlElement;
    readonly id: string | undefined;
    /** ECDSA as r and s, concatenated. */
    readonly bytes: Uint8Array;
  };
  readonly keyInfo: XmlKeyInfo | undefined;
  /** The ds:Object elements. */
  readonly objects: readonly XmlElement[];
}

const { dsig } = namespaces;

/**
 * Parses a ds:Signature, without verification.
 *
 *     Signature { SignedInfo, SignatureValue, KeyInfo?, Object* }
 *
 * @throws xml.signature.invalid if its structure does not conform to the schema
 * @spec XML-Signature Syntax and Processing 1.1 §4
 */
export function parseXmlSignature(element: XmlElement): XmlSignature {
  if (!element.is(dsig, 'Signature')) throw signatureInvalid(element, 'not a Signature');
  const children = readChildren(element);
  const signedInfo = parseSignedInfo(children.required(dsig, 'SignedInfo'));
  const value = children.required(dsig, 'SignatureValue');
  const keyInfo = children.optional(dsig, 'KeyInfo');
  const objects: XmlElement[] = [];
  for (;;) {
    const object = children.optional(dsig, 'Object');
    if (object === undefined) break;
    objects.push(object);
  }
  children.end();
  return {
    element,
    id: element.attribute('Id'),
    signedInfo,
    signatureValue: { element: value, id: value.attribute('Id'), bytes: readBase64(value) },
    keyInfo: keyInfo && parseKeyInfo(keyInfo),
    objects,
  };
}

function parseSignedInfo(element: XmlElement): XmlSignedInfo {
  const children = readChildren(element);
  const canonical = children.required(dsig, 'CanonicalizationMethod');
  const method = children.required(dsig, 'SignatureMethod');
  return {
    element,
    canonicalUri: requireAttribute(canonical, 'Algorithm'),
    prefixList: readPrefixList(canonical),
    signatureMethod: {
      uri: requireAttribute(method, 'Algorithm'),
      algorithm: readSignatureMethod(method),
    },
    references: parseReferences(element, 2),
  };
}

function parseKeyInfo(element: XmlElement): XmlKeyInfo {
  const certificates: Uint8Array[] = [];
  for (const data of element.childrenNamed(dsig, 'X509Data')) {
    for (const certificate of data.childrenNamed(dsig, 'X509Certificate')) {
      // They are not signed, so an unreadable one is treated as missing.
      const bytes = certificate.children.length > 0 ? undefined : parseBase64(certificate.text);
      if (bytes !== undefined) certificates.push(bytes);
      if (certificates.length > limits.certificates) {
        throw signatureInvalid(element, `more than ${limits.certificates} certificates`);
      }
    }
  }
  return {
    element,
    certificates,
    keyValue:
      element.child(dsig, 'KeyValue') ?? element.child(namespaces.dsig11, 'DEREncodedKeyValue'),
  };
}

/**
 * The bytes that the signature value signs: the canonical ds:SignedInfo. Undefined if the
 * canonicalisation method is unknown.
 *
 * @throws xml.limit
 * @spec XML-Signature Syntax and Processing 1.1 §3.1.2
 */
export function signedInfoBytes(signedInfo: XmlSignedInfo): Uint8Array | undefined {
  const method = canonicalMethods.get(signedInfo.canonicalUri);
  if (method === undefined) return undefined;
  return canonicalBytes(signedInfo.element, method, { prefixList: signedInfo.prefixList });
}
