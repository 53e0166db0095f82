import { createHash, sign } from 'node:crypto';
import { parseXml, type XmlDocument, type XmlElement } from '../../../../src/formats/xml/index.ts';
import {
  namespaces,
  parseReference,
  parseXmlSignature,
  referenceTypes,
  signatureUri,
  signedInfoBytes,
  transformUris,
  type XmlReference,
} from '../../../../src/formats/xmldsig/index.ts';
import type { XmlSignatureReport } from '../../../../src/verify/report/report.ts';
import { verifyXml, type XmlVerificationContext } from '../../../../src/verify/xml/index.ts';
import { makeTestPki, signWith, type TestMember, type TestPki } from '../../../support/pki.ts';
import { referenceBytes } from '../../../support/reference-bytes.ts';
import { anyStatus } from '../../../support/verify-document.ts';

const { dsig, xades132, excC14n } = namespaces;

/** One ds:Reference. Omitted members have valid values. */
export interface ReferenceParts {
  readonly id?: string;
  /** Undefined: no attribute. */
  readonly uri?: string;
  readonly type?: string;
  /** ds:Transform elements; default: exclusive canonicalisation. */
  readonly transforms?: string;
  readonly digestUri?: string;
  readonly digest?: string;
  /** Written in place of the correct digest, base64. */
  readonly digestValue?: string;
}

/** The signed data and the signature. Omitted members have valid values. */
export interface SignXmlParts {
  readonly signer: TestMember;
  /** Text before and after the signature. Default: the signature is the document. */
  readonly host?: readonly [before: string, after: string];
  readonly references?: readonly ReferenceParts[];
  /** ds:Object elements and other content after KeyInfo. */
  readonly objects?: string;
  /** Default: the certificate of the signer. */
  readonly keyInfo?: string;
  /** False: plain XML signature. A function changes the text of the QualifyingProperties. */
  readonly properties?: boolean | ((text: string) => string);
  readonly signed?: string;
  readonly data?: string;
  readonly unsigned?: string;
  readonly signatureUri?: string;
  readonly canonicalUri?: string;
  readonly signatureValue?: (value: Uint8Array) => Uint8Array;
  /** Changes the text of the ds:Signature before it is signed. */
  readonly edit?: (signature: string) => string;
  readonly findFile?: (uri: string) => Uint8Array | undefined;
  readonly claimedTime?: string;
  /** Appended to every Id of the signature, so that several signatures can coexist. */
  readonly suffix?: string;
}

export const exclusive = `<ds:Transform Algorithm="${excC14n}"/>`;
export const enveloped = `<ds:Transform Algorithm="${transformUris.enveloped}"/>${exclusive}`;
export const sha256Uri = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const propertiesReference: ReferenceParts = {
  uri: '#props',
  type: referenceTypes.signedProperties,
};
export const wholeDocument: ReferenceParts = { id: 'r', uri: '', transforms: enveloped };

/** The text of a ds:Reference. Its digest is a placeholder that {@link signXml} fills. */
export function referenceText(parts: ReferenceParts): string {
  const { id, uri, type, transforms = exclusive, digestUri = sha256Uri } = parts;
  const attribute = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name}="${value}"`;
  const chain = transforms === '' ? '' : `<ds:Transforms>${transforms}</ds:Transforms>`;
  return (
    `<ds:Reference${attribute('Id', id)}${attribute('URI', uri)}${attribute('Type', type)}>` +
    `${chain}<ds:DigestMethod Algorithm="${digestUri}"/>` +
    `<ds:DigestValue>${parts.digestValue ?? mark}</ds:DigestValue></ds:Reference>`
  );
}

const mark = Buffer.alloc(32).toString('base64');
const certificateDigest = (member: TestMember) =>
  createHash('sha256').update(member.der).digest('base64');

/** SigningCertificateV2 that binds a certificate. */
export function boundCertificate(member: TestMember): string {
  return (
    `<x:SigningCertificateV2><x:Cert><x:CertDigest><ds:DigestMethod Algorithm="${sha256Uri}"/>` +
    `<ds:DigestValue>${certificateDigest(member)}</ds:DigestValue></x:CertDigest></x:Cert>` +
    '</x:SigningCertificateV2>'
  );
}

/** KeyInfo with certificates. */
export function certificateInfo(...members: readonly TestMember[]): string {
  const certificates = members.map(({ der }) => {
    return `<ds:X509Certificate>${Buffer.from(der).toString('base64')}</ds:X509Certificate>`;
  });
  return `<ds:KeyInfo><ds:X509Data>${certificates.join('')}</ds:X509Data></ds:KeyInfo>`;
}

function propertiesText(parts: SignXmlParts): string {
  const { signer, references = [wholeDocument], claimedTime = '2026-06-01T11:00:00Z' } = parts;
  const formats = references
    .filter(({ id }) => id !== undefined)
    .map(
      ({ id }) =>
        `<x:DataObjectFormat ObjectReference="#${id}"><x:MimeType>text/xml</x:MimeType>` +
        '</x:DataObjectFormat>',
    )
    .join('');
  const signed = parts.signed ?? boundCertificate(signer);
  const unsigned =
    parts.unsigned === undefined
      ? ''
      : `<x:UnsignedProperties><x:UnsignedSignatureProperties>${parts.unsigned}` +
        '</x:UnsignedSignatureProperties></x:UnsignedProperties>';
  return (
    `<x:QualifyingProperties xmlns:x="${xades132}" Target="#s">` +
    `<x:SignedProperties Id="props"><x:SignedSignatureProperties>` +
    `<x:SigningTime>${claimedTime}</x:SigningTime>${signed}</x:SignedSignatureProperties>` +
    `<x:SignedDataObjectProperties>${formats}${parts.data ?? ''}</x:SignedDataObjectProperties>` +
    `</x:SignedProperties>${unsigned}</x:QualifyingProperties>`
  );
}

function templateOf(parts: SignXmlParts): string {
  const { signer, properties = true, host = ['', ''], edit = (text: string) => text } = parts;
  const { references = [wholeDocument] } = parts;
  const all = properties === false ? references : [...references, propertiesReference];
  const change = typeof properties === 'function' ? properties : (text: string) => text;
  const object =
    properties === false ? '' : `<ds:Object>${change(propertiesText(parts))}</ds:Object>`;
  const method = parts.signatureUri ?? signatureUri(signer.algorithm);
  const signature =
    `<ds:Signature xmlns:ds="${dsig}" Id="s"><ds:SignedInfo>` +
    `<ds:CanonicalizationMethod Algorithm="${parts.canonicalUri ?? excC14n}"/>` +
    `<ds:SignatureMethod Algorithm="${method}"/>${all.map(referenceText).join('')}` +
    `</ds:SignedInfo><ds:SignatureValue Id="v"></ds:SignatureValue>` +
    `${parts.keyInfo ?? certificateInfo(signer)}${object}${parts.objects ?? ''}</ds:Signature>`;
  return host[0] + edit(withSuffix(signature, parts)) + host[1];
}

function withSuffix(signature: string, { suffix = '' }: SignXmlParts): string {
  const names = /( (?:Id|Target)="#?(?:s|v|r|props)| URI="#props)"/g;
  return signature.replace(names, `$1${suffix}"`);
}

/** The text of a signed document: digests of manifests, then of references, then the value. */
export function signXml(parts: SignXmlParts): string {
  const { suffix = '' } = parts;
  let text = templateOf(parts);
  for (const place of ['Manifest', 'SignedInfo']) {
    for (let filled = 0; ; filled++) {
      const { signature, document } = open(text, suffix);
      const reference = document
        .findAll(dsig, place)
        .filter((list) => signature.element.contains(list))
        .flatMap((list) => list.childrenNamed(dsig, 'Reference'))
        .at(filled);
      if (reference === undefined) break;
      text = fillDigest(text, parts, parseReference(reference), signature.element);
    }
  }
  const bytes = signedInfoBytes(open(text, suffix).signature.signedInfo) ?? new Uint8Array();
  const value = signValue(parts.signer, bytes);
  const written = (parts.signatureValue ?? ((bytes) => bytes))(value);
  const start = `<ds:SignatureValue Id="v${suffix}">`;
  return text.replace(start, start + Buffer.from(written).toString('base64'));
}

function fillDigest(
  text: string,
  { findFile }: SignXmlParts,
  reference: XmlReference,
  signature: XmlElement,
): string {
  if (Buffer.from(reference.digestValue).toString('base64') !== mark) return text;
  const base = { document: signature.document, signature };
  const answer = referenceBytes(reference, findFile === undefined ? base : { ...base, findFile });
  const data = 'bytes' in answer ? answer.bytes : new Uint8Array();
  const value = createHash(reference.digest ?? 'sha256')
    .update(data)
    .digest('base64');
  const place = reference.element.child(dsig, 'DigestValue');
  if (place === undefined) throw new Error('a DigestValue in the text');
  const bytes = Buffer.from(text);
  const [before, after] = [bytes.subarray(0, place.contentStart), bytes.subarray(place.contentEnd)];
  return Buffer.concat([before, Buffer.from(value), after]).toString();
}

function open(text: string, suffix: string) {
  const document = parseXml(Buffer.from(text));
  const element = document
    .findAll(dsig, 'Signature')
    .find((each) => each.attribute('Id') === `s${suffix}`);
  if (element === undefined) throw new Error('a signature in the text');
  return { document, signature: parseXmlSignature(element) };
}

/** A signature value in the XML encoding. */
export function signValue(member: TestMember, bytes: Uint8Array): Uint8Array {
  const { algorithm, privateKey } = member;
  if (algorithm.scheme !== 'ecdsa') return signWith(member, bytes);
  return sign(algorithm.digest, bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/** One PKI for all tests of a file. */
export const pki: TestPki = makeTestPki();

/** The reports on a text, with the root of {@link pki} as trust anchor. */
export function check(
  text: string | Uint8Array | XmlDocument,
  context: Partial<XmlVerificationContext> = {},
): readonly XmlSignatureReport[] {
  const isBytes = typeof text === 'string' || text instanceof Uint8Array;
  const document = isBytes ? parseXml(Buffer.from(text as string)) : text;
  return verifyXml(document, {
    anchors: [pki.member('root').certificate],
    nowMs: pki.nowMs,
    revocation: anyStatus,
    ...context,
  });
}
