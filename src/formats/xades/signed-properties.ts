import { limits } from '../../base/limits.ts';
import type { XmlElement } from '../xml/index.ts';
import { signatureInvalid } from '../xmldsig/index.ts';
import {
  type CertificateReference,
  childOf,
  type DigestAndValue,
  parseCertificateReferences,
  readDigestAndValue,
} from './certificate-reference.ts';
import { parseDateTimeMs } from './date-time.ts';
import { parseXadesTimestamp, type XadesTimestamp } from './timestamp.ts';

/** The policy that the signer names. */
export interface SignaturePolicy {
  /** The policy follows from the context; nothing else is known of it. */
  readonly isImplied: boolean;
  /** URI or `urn:oid:…`, as it is written. */
  readonly identifier: string | undefined;
  /** Digest of the policy document. */
  readonly hash: DigestAndValue | undefined;
  /** Claimed address of the policy document. */
  readonly uri: string | undefined;
}

/** Place of signing, as claimed by the signer. */
export interface ProductionPlace {
  readonly city: string | undefined;
  readonly streetAddress: string | undefined;
  readonly stateOrProvince: string | undefined;
  readonly postalCode: string | undefined;
  readonly countryName: string | undefined;
}

/** Statements of the signer about one data object. */
export interface DataObjectFormat {
  readonly element: XmlElement;
  /** `#` and the Id of a ds:Reference; undefined when the attribute is missing. */
  readonly objectReference: string | undefined;
  readonly description: string | undefined;
  readonly identifier: string | undefined;
  readonly mimeType: string | undefined;
  readonly encoding: string | undefined;
}

/** To what the signer commits, and for which references. */
export interface Commitment {
  /** URI or `urn:oid:…`, as it is written. */
  readonly identifier: string;
  /** `#` and Ids of ds:Reference elements; empty: all signed data. */
  readonly objectReferences: readonly string[];
}

/** The SignedProperties of a signature: claims of the signer, protected by the signature. */
export interface SignedProperties {
  readonly element: XmlElement;
  readonly id: string | undefined;
  /** Undefined when absent or no date. */
  readonly signingTimeMs: number | undefined;
  /** One of the two properties names no certificate. */
  readonly isBindingEmpty: boolean;
  /** References of SigningCertificateV2, else of SigningCertificate; empty without both. */
  readonly signingCertificates: readonly CertificateReference[];
  /** What names the certificate of the signer: the first reference of each of the two. */
  readonly signerReferences: readonly CertificateReference[];
  readonly policy: SignaturePolicy | undefined;
  readonly productionPlace: ProductionPlace | undefined;
  /** Claimed roles, as text. */
  readonly claimedRoles: readonly string[];
  /** There are certified or signed roles, which are not read. */
  readonly hasOtherRoles: boolean;
  readonly commitments: readonly Commitment[];
  readonly dataObjectFormats: readonly DataObjectFormat[];
  readonly contentTimestamps: readonly XadesTimestamp[];
  /** Names of properties that are not read. */
  readonly unknown: readonly string[];
}

const single = [
  'SigningTime',
  'SigningCertificate',
  'SigningCertificateV2',
  'SignaturePolicyIdentifier',
  'SignatureProductionPlace',
  'SignatureProductionPlaceV2',
  'SignerRole',
  'SignerRoleV2',
];

/**
 * SignedProperties as a value.
 *
 * @throws xml.signature.invalid when a property that may stand once stands twice, or is malformed
 * @spec ETSI EN 319 132-1 §4.3.4, §4.3.5, §5.2
 */
export function parseSignedProperties(element: XmlElement): SignedProperties {
  const properties = new Map<string, XmlElement>();
  const unknown: string[] = [];
  const about = childOf(element, 'SignedSignatureProperties');
  for (const property of about?.children ?? []) {
    const { localName } = property;
    if (property.namespaceUri !== element.namespaceUri || !single.includes(localName)) {
      unknown.push(property.name.slice(0, 100));
    } else if (properties.has(localName)) {
      throw signatureInvalid(property, 'the property occurs twice');
    } else properties.set(localName, property);
  }
  const find = (name: string) => properties.get(`${name}V2`) ?? properties.get(name);
  const time = find('SigningTime');
  const certificates = ['SigningCertificateV2', 'SigningCertificate'].flatMap((name) => {
    const property = properties.get(name);
    return property === undefined ? [] : [parseCertificateReferences(property)];
  });
  const policy = find('SignaturePolicyIdentifier');
  const place = find('SignatureProductionPlace');
  return {
    element,
    id: element.attribute('Id'),
    signingTimeMs: time && parseDateTimeMs(time.text),
    signingCertificates: certificates[0] ?? [],
    isBindingEmpty: certificates.some(({ length }) => length === 0),
    signerReferences: certificates.flatMap(([reference]) => reference ?? []),
    policy: policy && parsePolicy(policy),
    productionPlace: place && parsePlace(place),
    ...parseRoles(find('SignerRole')),
    ...parseDataObjectProperties(element, unknown),
    unknown,
  };
}

function parsePolicy(element: XmlElement): SignaturePolicy {
  const policy = childOf(element, 'SignaturePolicyId');
  if (policy === undefined) {
    return { isImplied: true, identifier: undefined, hash: undefined, uri: undefined };
  }
  const hash = childOf(policy, 'SigPolicyHash');
  const qualifiers = childOf(policy, 'SigPolicyQualifiers')?.children ?? [];
  const identifier = childOf(policy, 'SigPolicyId');
  return {
    isImplied: false,
    identifier: identifier && childOf(identifier, 'Identifier')?.text.trim(),
    hash: hash && readDigestAndValue(hash),
    uri: qualifiers
      .map((qualifier) => childText(qualifier, 'SPURI'))
      .find((uri) => uri !== undefined),
  };
}

function parsePlace(element: XmlElement): ProductionPlace {
  return {
    city: childText(element, 'City'),
    streetAddress: childText(element, 'StreetAddress'),
    stateOrProvince: childText(element, 'StateOrProvince'),
    postalCode: childText(element, 'PostalCode'),
    countryName: childText(element, 'CountryName'),
  };
}

function parseRoles(
  element: XmlElement | undefined,
): Pick<SignedProperties, 'claimedRoles' | 'hasOtherRoles'> {
  const claimed = element && childOf(element, 'ClaimedRoles');
  const groups = element?.children.length ?? 0;
  return {
    claimedRoles: claimed?.children.map((role) => role.text.trim()) ?? [],
    hasOtherRoles: groups > (claimed === undefined ? 0 : 1),
  };
}

function parseDataObjectProperties(
  element: XmlElement,
  unknown: string[],
): Pick<SignedProperties, 'commitments' | 'dataObjectFormats' | 'contentTimestamps'> {
  const commitments: Commitment[] = [];
  const dataObjectFormats: DataObjectFormat[] = [];
  const contentTimestamps: XadesTimestamp[] = [];
  const properties = childOf(element, 'SignedDataObjectProperties')?.children ?? [];
  if (properties.length > limits.xmlReferences) {
    throw signatureInvalid(element, `more than ${limits.xmlReferences} properties of data`);
  }
  for (const property of properties) {
    if (property.localName === 'DataObjectFormat') dataObjectFormats.push(parseFormat(property));
    else if (property.localName === 'CommitmentTypeIndication') {
      commitments.push(parseCommitment(property));
    } else if (property.localName === 'AllDataObjectsTimeStamp') {
      contentTimestamps.push(parseXadesTimestamp(property, 'allDataObjects'));
    } else if (property.localName === 'IndividualDataObjectsTimeStamp') {
      contentTimestamps.push(parseXadesTimestamp(property, 'individualDataObjects'));
    } else unknown.push(property.name.slice(0, 100));
  }
  return { commitments, dataObjectFormats, contentTimestamps };
}

function parseFormat(element: XmlElement): DataObjectFormat {
  const identifier = childOf(element, 'ObjectIdentifier');
  return {
    element,
    objectReference: element.attribute('ObjectReference'),
    description: childText(element, 'Description'),
    identifier: identifier && childText(identifier, 'Identifier'),
    mimeType: childText(element, 'MimeType'),
    encoding: childText(element, 'Encoding'),
  };
}

function parseCommitment(element: XmlElement): Commitment {
  const identifier = childOf(element, 'CommitmentTypeId');
  return {
    identifier: (identifier && childText(identifier, 'Identifier')) ?? '',
    objectReferences: element
      .childrenNamed(element.namespaceUri, 'ObjectReference')
      .map((reference) => reference.text.trim()),
  };
}

function childText(element: XmlElement, localName: string): string | undefined {
  return childOf(element, localName)?.text.trim();
}
