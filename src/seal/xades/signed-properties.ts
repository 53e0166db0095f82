import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import { escapeText } from '../../formats/xml/index.ts';
import { namespaces } from '../../formats/xmldsig/index.ts';
import type { StrongDigest } from '../signing.ts';
import type { SignatureIds } from './signature-ids.ts';
import { digestText, signingCertificateText } from './signature-key.ts';
import { writeElement } from './write-element.ts';

/** Place of signing, as claimed by the signer. @spec ETSI EN 319 132-1 §5.2.5 */
export interface XadesPlace {
  /** Such as `Reykjavík`. */
  readonly city?: string | undefined;
  /** Street and number. */
  readonly street?: string | undefined;
  /** State or province. */
  readonly state?: string | undefined;
  /** Such as `101`. */
  readonly postalCode?: string | undefined;
  /** Name or ISO 3166 code of the country, such as `IS`. */
  readonly country?: string | undefined;
}

/** The signature policy. @spec ETSI EN 319 132-1 §5.2.9 */
export interface XadesPolicy {
  /** Object identifier or URI. */
  readonly id: string;
  /** Digest of the policy document. */
  readonly digest: Uint8Array;
  /** Algorithm of {@link digest}. */
  readonly digestAlgorithm: DigestAlgorithm;
  /** Address of the policy document. */
  readonly uri?: string | undefined;
  /** Notice to display to users. */
  readonly notice?: string | undefined;
}

/** Claims of the signer besides the signature itself. */
export interface XadesClaims {
  /** Roles claimed by the signer, such as `Buyer`. Default: none. */
  readonly roles?: readonly string[] | undefined;
  /** Place of signing, as claimed by the signer. Default: none. */
  readonly place?: XadesPlace | undefined;
  /** Object identifiers, URIs, or keywords such as `approval` and `origin`. Default: none. */
  readonly commitments?: readonly string[] | undefined;
  /** The signature policy. Default: none. */
  readonly policy?: XadesPolicy | undefined;
}

/** Content of all signed properties. */
export interface SignedPropertiesInput extends XadesClaims {
  readonly signedAtMs: number;
  readonly certificate: Certificate;
  readonly digest: StrongDigest;
  /** Media types of the data objects, in the order of their references. */
  readonly mimeTypes: readonly string[];
}

/** Keywords for the commitments that EN 319 132-1 §5.2.3 names. */
export const commitmentWords: ReadonlyMap<string, string> = new Map(
  ['Origin', 'Receipt', 'Delivery', 'Sender', 'Approval', 'Creation'].map((name) => [
    name.toLowerCase(),
    `http://uri.etsi.org/01903/v1.2.2#ProofOf${name}`,
  ]),
);

/**
 * xades:SignedProperties in exclusive canonical form, with the prefixes `ds` and `xades`, each
 * declared on the outermost elements that use it.
 *
 * @spec ETSI EN 319 132-1 §4.3.4, §4.3.5, §6.3
 */
export function signedPropertiesText(ids: SignatureIds, input: SignedPropertiesInput): string {
  const { signedAtMs, certificate, digest, policy, place, roles = [], commitments = [] } = input;
  const aboutSignature = writeElement(
    'xades:SignedSignatureProperties',
    {},
    textElement('xades:SigningTime', dateTime(signedAtMs)),
    signingCertificateText(certificate, digest),
    policy === undefined ? '' : policyText(policy),
    place === undefined ? '' : placeText(place),
    roles.length === 0 ? '' : rolesText(roles),
  );
  const formats = input.mimeTypes.map((mimeType, index) =>
    writeElement(
      'xades:DataObjectFormat',
      { ObjectReference: `#${ids.reference(index)}` },
      textElement('xades:MimeType', mimeType),
    ),
  );
  const aboutData = writeElement(
    'xades:SignedDataObjectProperties',
    {},
    ...formats,
    ...commitments.map(commitmentText),
  );
  const attributes = { 'xmlns:xades': namespaces.xades132, Id: ids.properties };
  return writeElement('xades:SignedProperties', attributes, aboutSignature, aboutData);
}

/** UTC with whole seconds: fractions have no benefit, and some readers reject them. */
function dateTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

function textElement(name: string, text: string): string {
  return writeElement(name, {}, escapeText(text));
}

function optionalElement(name: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : textElement(name, text);
}

function placeText({ city, street, state, postalCode, country }: XadesPlace): string {
  const parts = [
    optionalElement('xades:City', city),
    optionalElement('xades:StreetAddress', street),
    optionalElement('xades:StateOrProvince', state),
    optionalElement('xades:PostalCode', postalCode),
    optionalElement('xades:CountryName', country),
  ].join('');
  return parts === '' ? '' : writeElement('xades:SignatureProductionPlaceV2', {}, parts);
}

function rolesText(roles: readonly string[]): string {
  const claimed = roles.map((role) => textElement('xades:ClaimedRole', role));
  return writeElement('xades:SignerRoleV2', {}, writeElement('xades:ClaimedRoles', {}, ...claimed));
}

function commitmentText(commitment: string): string {
  return writeElement(
    'xades:CommitmentTypeIndication',
    {},
    writeElement('xades:CommitmentTypeId', {}, identifierText(commitment)),
    writeElement('xades:AllSignedDataObjects', {}),
  );
}

/** An Identifier. Object identifiers become URNs. @spec ETSI EN 319 132-1 §5.1.2 */
function identifierText(given: string): string {
  const oid = given.startsWith('urn:oid:') ? given.slice(8) : given;
  if (/^[0-2](\.[0-9]+)+$/.test(oid)) {
    return writeElement('xades:Identifier', { Qualifier: 'OIDAsURN' }, `urn:oid:${oid}`);
  }
  return textElement('xades:Identifier', commitmentWords.get(given.toLowerCase()) ?? given);
}

function policyText({ id, digest, digestAlgorithm, uri, notice }: XadesPolicy): string {
  const qualifiers = [
    uri === undefined ? '' : qualifierText(textElement('xades:SPURI', uri)),
    notice === undefined
      ? ''
      : qualifierText(
          writeElement('xades:SPUserNotice', {}, textElement('xades:ExplicitText', notice)),
        ),
  ].join('');
  const policy = writeElement(
    'xades:SignaturePolicyId',
    {},
    writeElement('xades:SigPolicyId', {}, identifierText(id)),
    writeElement('xades:SigPolicyHash', {}, digestText(digestAlgorithm, digest)),
    qualifiers === '' ? '' : writeElement('xades:SigPolicyQualifiers', {}, qualifiers),
  );
  return writeElement('xades:SignaturePolicyIdentifier', {}, policy);
}

function qualifierText(content: string): string {
  return writeElement('xades:SigPolicyQualifier', {}, content);
}
