import { createHash } from 'node:crypto';
import { parseXml, type XmlDocument } from '../../../../src/formats/xml/index.ts';
import {
  namespaces,
  parseXmlSignature,
  type ReferenceContext,
  type ReferenceResult,
  type XmlSignature,
} from '../../../../src/formats/xmldsig/index.ts';
import { referenceBytes } from '../../../support/reference-bytes.ts';

export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const c14n10 = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
export const enveloped = `${namespaces.dsig}enveloped-signature`;
export const base64 = `${namespaces.dsig}base64`;
export const filter2 = 'http://www.w3.org/2002/06/xmldsig-filter2';
export const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116';

/** A ds:Transform; `inside` is its content. */
export const transformText = (uri: string, inside = '') =>
  `<ds:Transform Algorithm="${uri}">${inside}</ds:Transform>`;

/** A ds:Transform with an XPath 1.0 expression. */
export const xpathText = (expression: string) =>
  transformText(xpath, `<ds:XPath>${expression}</ds:XPath>`);

/** A ds:Transform with XPath filters, each `operation path`. */
export const filterText = (...filters: readonly string[]) =>
  transformText(
    filter2,
    filters
      .map((filter) => {
        const [operation, path = ''] = filter.split(/ (.*)/s);
        return `<f:XPath xmlns:f="${filter2}" Filter="${operation}">${path}</f:XPath>`;
      })
      .join(''),
  );

/** A ds:Reference; no URI attribute when `uri` is undefined. */
export function referenceText(uri: string | undefined, transforms = '', more = ''): string {
  const wrapped = transforms === '' ? '' : `<ds:Transforms>${transforms}</ds:Transforms>`;
  const attribute = uri === undefined ? '' : ` URI="${uri}"`;
  return (
    `<ds:Reference${attribute}${more}>${wrapped}` +
    `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
    `<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>`
  );
}

/** A ds:Signature that declares only `ds`. */
export function signatureText(references: string, objects = '', attributes = ''): string {
  return (
    `<ds:Signature xmlns:ds="${namespaces.dsig}"${attributes}><ds:SignedInfo>` +
    `<ds:CanonicalizationMethod Algorithm="${exclusive}"/>` +
    '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>' +
    `${references}</ds:SignedInfo><ds:SignatureValue Id="v">AAAA</ds:SignatureValue>` +
    `${objects}</ds:Signature>`
  );
}

/** A parsed document and its first signature. */
export interface SignedText {
  readonly document: XmlDocument;
  readonly signature: XmlSignature;
  readonly context: ReferenceContext;
}

export function parseSigned(text: string | Uint8Array): SignedText {
  const document = parseXml(typeof text === 'string' ? Buffer.from(text) : text);
  const [element] = document.findAll(namespaces.dsig, 'Signature');
  if (element === undefined) throw new Error('a signature in the text');
  const signature = parseXmlSignature(element);
  return { document, signature, context: { document, signature: element } };
}

/** The text of the first reference's bytes, or the refusal, or the missing URI. */
export function answerOf(text: string, files: Readonly<Record<string, string>> = {}): string {
  const { signature, context } = parseSigned(text);
  const [reference] = signature.signedInfo.references;
  if (reference === undefined) throw new Error('a reference in the text');
  const findFile = (uri: string) =>
    files[uri] === undefined ? undefined : Buffer.from(files[uri]);
  const answer = referenceBytes(reference, { ...context, findFile });
  if ('bytes' in answer) return Buffer.from(answer.bytes).toString();
  return describeAnswer(answer);
}

/** `refused: …`, `missing: …` or `found`. */
export function describeAnswer(answer: ReferenceResult): string {
  if ('refused' in answer) return `refused: ${answer.refused}`;
  return 'missing' in answer ? `missing: ${answer.missing}` : 'found';
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
