import {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from '../../../../src/formats/xades/index.ts';
import { namespaces } from '../../../../src/formats/xmldsig/index.ts';
import {
  parseSigned,
  referenceText,
  type SignedText,
  signatureText,
} from '../xmldsig/signature-text.ts';

const { xades132, xades141, dsig } = namespaces;

/** Parts of the text of {@link xadesText}. */
export interface XadesParts {
  readonly references?: string;
  /** Between SignatureValue and the object of the properties. */
  readonly before?: string;
  /** After that object. */
  readonly after?: string;
  /** Content of SignedSignatureProperties. */
  readonly signed?: string;
  /** Content of SignedDataObjectProperties. */
  readonly data?: string;
  /** Content of UnsignedSignatureProperties. Undefined: the element is omitted. */
  readonly unsigned?: string;
  readonly version?: string;
}

/** A ds:Signature with QualifyingProperties. `x` is the XAdES namespace, `y` that of 1.4.1. */
export function xadesText(parts: XadesParts = {}): string {
  const { references = referenceText('#p'), before = '', after = '', signed = '' } = parts;
  const { data = '', unsigned, version = xades132 } = parts;
  const unsignedText =
    unsigned === undefined
      ? ''
      : `<x:UnsignedProperties><x:UnsignedSignatureProperties>${unsigned}` +
        '</x:UnsignedSignatureProperties></x:UnsignedProperties>';
  const object =
    `<ds:Object><x:QualifyingProperties xmlns:x="${version}" xmlns:y="${xades141}" Target="#s">` +
    '<x:SignedProperties Id="p">' +
    `<x:SignedSignatureProperties>${signed}</x:SignedSignatureProperties>` +
    `<x:SignedDataObjectProperties>${data}</x:SignedDataObjectProperties>` +
    `</x:SignedProperties>${unsignedText}</x:QualifyingProperties></ds:Object>`;
  return signatureText(references, before + object + after, ' Id="s"');
}

/** The signature and its properties. */
export function parseXades(
  text: string,
): SignedText & { readonly properties: QualifyingProperties } {
  const parsed = parseSigned(text);
  const [element] = findQualifyingProperties(parsed.signature);
  if (element === undefined) throw new Error('properties in the text');
  return { ...parsed, properties: parseQualifyingProperties(element) };
}

/** DigestMethod and DigestValue of SHA-256. */
export const digestText = (value = 'AQID') =>
  `<ds:DigestMethod xmlns:ds="${dsig}" Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
  `<ds:DigestValue xmlns:ds="${dsig}">${value}</ds:DigestValue>`;
