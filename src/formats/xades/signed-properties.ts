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

/** The signature policy named by the signer. */
export interface SignaturePolicy {
  /** URI or `urn:oid:…`, as written; undefined if the policy is implied. */
  readonly identifier: string | undefined;
  /** Digest of the policy document. */
  readonly hash: DigestAndValue | undefined;
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
  /** `#` and the Id of a ds:Reference; undefined if the attribute is missing. */
  readonly objectReference: string | undefined;
  readonly mimeType: string | undefined;
}

/** The SignedProperties of a signature: claims of the signer, protected by the signature. */
export interface SignedProperties {
  readonly element: XmlElement;
  readonly id: string | undefined;
  /** Undefined if missing or not a date. */
  readonly signingTimeMs: number | undefined;
  /** Whether one of the two signing-certificate properties names no certificate. */
  readonly isBindingEmpty: boolean;
  /** References of SigningCertificateV2, otherwise of SigningCertificate; empty without both. */
  readonly signingCertificates: readonly CertificateReference[];
  /** The references that identify the signer's certificate: the first one of each property. */
  readonly signerReferences: readonly CertificateReference[];
  readonly policy: SignaturePolicy | undefined;
  readonly productionPlace: ProductionPlace | undefined;
  /** Claimed roles, as text. */
  readonly claimedRoles: readonly string[];
  /** Commitments of the signer: URIs or `urn:oid:…`, as written. */
  readonly commitments: readonly string[];
  readonly dataObjectFormats: readonly DataObjectFormat[];
  readonly contentTimestamps: readonly XadesTimestamp[];
  /** Names of unsupported properties. */
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
 * Parses SignedProperties.
 *
 * @throws xml.signature.invalid if a property is malformed, or repeated where only one is allowed
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
  const role = find('SignerRole');
  const claimed = role && childOf(role, 'ClaimedRoles');
  return {
    element,
    id: element.attribute('Id'),
    signingTimeMs: time && parseDateTimeMs(time.text),
    signingCertificates: certificates[0] ?? [],
    isBindingEmpty: certificates.some(({ length }) => length === 0),
    signerReferences: certificates.flatMap(([reference]) => reference ?? []),
    policy: policy && parsePolicy(policy),
    productionPlace: place && parsePlace(place),
    claimedRoles: claimed?.children.map((role) => role.text.trim()) ?? [],
    ...parseDataObjectProperties(element, unknown),
    unknown,
  };
}

function parsePolicy(element: XmlElement): SignaturePolicy {
  const policy = childOf(element, 'SignaturePolicyId');
  if (policy === undefined) return { identifier: undefined, hash: undefined };
  const hash = childOf(policy, 'SigPolicyHash');
  const identifier = childOf(policy, 'SigPolicyId');
  return {
    identifier: identifier && childOf(identifier, 'Identifier')?.text.trim(),
    hash: hash && readDigestAndValue(hash),
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

function parseDataObjectProperties(
  element: XmlElement,
  unknown: string[],
): Pick<SignedProperties, 'commitments' | 'dataObjectFormats' | 'contentTimestamps'> {
  const commitments: string[] = [];
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
  return {
    objectReference: element.attribute('ObjectReference'),
    mimeType: childText(element, 'MimeType'),
  };
}

function parseCommitment(element: XmlElement): string {
  const identifier = childOf(element, 'CommitmentTypeId');
  return (identifier && childText(identifier, 'Identifier')) ?? '';
}

function childText(element: XmlElement, localName: string): string | undefined {
  return childOf(element, localName)?.text.trim();
}
