import { isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlElement } from '../xml/index.ts';
import { namespaces, signatureInvalid } from '../xmldsig/index.ts';
import {
  type CertificateReference,
  childOf,
  type DigestAndValue,
  parseCertificateReferences,
  readDigestAndValue,
} from './certificate-reference.ts';
import { parseXadesTimestamp, type XadesTimestamp, type XadesTimestampKind } from './timestamp.ts';
import { parseCertificateValues, parseRevocationValues } from './validation-values.ts';

interface PropertyBase {
  readonly element: XmlElement;
  readonly id: string | undefined;
}

/** A time-stamp property in its place. */
export interface TimestampProperty extends PropertyBase {
  readonly kind: 'timestamp';
  readonly timestamp: XadesTimestamp;
}
/** CertificateValues or AttrAuthoritiesCertValues. */
export interface CertificateValuesProperty extends PropertyBase {
  readonly kind: 'certificateValues' | 'attributeCertificateValues';
  /** DER. */
  readonly certificates: readonly Uint8Array[];
}
/** RevocationValues or AttributeRevocationValues. */
export interface RevocationValuesProperty extends PropertyBase {
  readonly kind: 'revocationValues' | 'attributeRevocationValues';
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** OCSPResponse values, DER. */
  readonly ocsps: readonly Uint8Array[];
}
/** TimeStampValidationData or AnyValidationData: certificates and revocation data. */
export interface ValidationDataProperty extends PropertyBase {
  readonly kind: 'timestampValidationData' | 'anyValidationData';
  /** `#` and the Id of a time-stamp, when the data are for one. */
  readonly uri: string | undefined;
  readonly certificates: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
}
/** CompleteCertificateRefs, AttributeCertificateRefs and their second versions. */
export interface CertificateRefsProperty extends PropertyBase {
  readonly kind: 'certificateRefs' | 'attributeCertificateRefs';
  readonly references: readonly CertificateReference[];
}
/** CompleteRevocationRefs, AttributeRevocationRefs: digests of CRLs and OCSP responses. */
export interface RevocationRefsProperty extends PropertyBase {
  readonly kind: 'revocationRefs' | 'attributeRevocationRefs';
  readonly crls: readonly DigestAndValue[];
  readonly ocsps: readonly DigestAndValue[];
}
/** A signature over this signature's value. */
export interface CounterSignatureProperty extends PropertyBase {
  readonly kind: 'counterSignature';
  /** The ds:Signature inside. */
  readonly signature: XmlElement;
}
/** A property whose content cannot be read; the others can. */
export interface MalformedProperty extends PropertyBase {
  readonly kind: 'malformed';
  /** Reason, with the place. */
  readonly fault: string;
}
/** A property that is known by name only, or not at all. */
export interface OtherProperty extends PropertyBase {
  readonly kind: 'signaturePolicyStore' | 'renewedDigests' | 'sealingEvidenceRecords' | 'unknown';
}

/** One unsigned property of the signature. */
export type UnsignedProperty =
  | TimestampProperty
  | CertificateValuesProperty
  | RevocationValuesProperty
  | ValidationDataProperty
  | CertificateRefsProperty
  | RevocationRefsProperty
  | CounterSignatureProperty
  | MalformedProperty
  | OtherProperty;

const timestampKinds: Readonly<Record<string, XadesTimestampKind>> = {
  SignatureTimeStamp: 'signature',
  SigAndRefsTimeStamp: 'sigAndRefs',
  RefsOnlyTimeStamp: 'refsOnly',
  ArchiveTimeStamp: 'archive132',
};
const timestampKinds141: Readonly<Record<string, XadesTimestampKind>> = {
  SigAndRefsTimeStampV2: 'sigAndRefsV2',
  RefsOnlyTimeStampV2: 'refsOnlyV2',
  ArchiveTimeStamp: 'archive141',
};

/**
 * The properties of UnsignedSignatureProperties, in their order. An unknown property is `unknown`,
 * an unreadable one `malformed`.
 *
 * @throws xml.signature.invalid when there are too many
 * @spec ETSI EN 319 132-1 §4.3.6, §5.3 to §5.5, Annex A
 */
export function parseUnsignedProperties(element: XmlElement): readonly UnsignedProperty[] {
  const { children } = element;
  if (children.length > limits.xmlProperties) {
    throw signatureInvalid(element, `more than ${limits.xmlProperties} properties`);
  }
  return children.map((child) => {
    try {
      return parseProperty(child, element.namespaceUri);
    } catch (error) {
      if (!isInnsigliError(error) || error.code !== 'xml.signature.invalid') throw error;
      const fault = error.message;
      return { kind: 'malformed', element: child, id: child.attribute('Id'), fault };
    }
  });
}

function parseProperty(element: XmlElement, base: string): UnsignedProperty {
  const { localName, namespaceUri } = element;
  const place = { element, id: element.attribute('Id') };
  const isLater = namespaceUri === namespaces.xades141;
  if (isLater || namespaceUri === base) {
    const kinds = isLater ? timestampKinds141 : timestampKinds;
    const kind = Object.hasOwn(kinds, localName) ? kinds[localName] : undefined;
    if (kind !== undefined) {
      return { ...place, kind: 'timestamp', timestamp: parseXadesTimestamp(element, kind) };
    }
    return (isLater ? parseLater : parseFirst)(place, localName);
  }
  const isEvidence = localName === 'SealingEvidenceRecords';
  return { ...place, kind: isEvidence ? 'sealingEvidenceRecords' : 'unknown' };
}

/** Properties that stand in the namespace of the QualifyingProperties. */
function parseFirst(place: PropertyBase, localName: string): UnsignedProperty {
  const { element } = place;
  switch (localName) {
    case 'CertificateValues':
      return { ...place, kind: 'certificateValues', certificates: parseCertificateValues(element) };
    case 'AttrAuthoritiesCertValues': {
      const certificates = parseCertificateValues(element);
      return { ...place, kind: 'attributeCertificateValues', certificates };
    }
    case 'RevocationValues':
      return { ...place, kind: 'revocationValues', ...parseRevocationValues(element) };
    case 'AttributeRevocationValues':
      return { ...place, kind: 'attributeRevocationValues', ...parseRevocationValues(element) };
    case 'CompleteCertificateRefs':
      return { ...place, kind: 'certificateRefs', references: parseCertificateRefs(element) };
    case 'AttributeCertificateRefs': {
      const references = parseCertificateRefs(element);
      return { ...place, kind: 'attributeCertificateRefs', references };
    }
    case 'CompleteRevocationRefs':
      return { ...place, kind: 'revocationRefs', ...parseRevocationRefs(element) };
    case 'AttributeRevocationRefs':
      return { ...place, kind: 'attributeRevocationRefs', ...parseRevocationRefs(element) };
    case 'CounterSignature': {
      const [signature, ...more] = element.children;
      if (!signature?.is(namespaces.dsig, 'Signature') || more.length > 0) {
        throw signatureInvalid(element, 'expected one Signature');
      }
      return { ...place, kind: 'counterSignature', signature };
    }
    default:
      return { ...place, kind: 'unknown' };
  }
}

/** Properties of the namespace of version 1.4.1. */
function parseLater(place: PropertyBase, localName: string): UnsignedProperty {
  const { element } = place;
  switch (localName) {
    case 'TimeStampValidationData':
      return { ...place, kind: 'timestampValidationData', ...parseValidationData(element) };
    case 'AnyValidationData':
      return { ...place, kind: 'anyValidationData', ...parseValidationData(element) };
    case 'CompleteCertificateRefsV2':
      return { ...place, kind: 'certificateRefs', references: parseCertificateRefs(element) };
    case 'AttributeCertificateRefsV2': {
      const references = parseCertificateRefs(element);
      return { ...place, kind: 'attributeCertificateRefs', references };
    }
    case 'SignaturePolicyStore':
      return { ...place, kind: 'signaturePolicyStore' };
    case 'RenewedDigests':
      return { ...place, kind: 'renewedDigests' };
    case 'SealingEvidenceRecords':
      return { ...place, kind: 'sealingEvidenceRecords' };
    default:
      return { ...place, kind: 'unknown' };
  }
}

function parseValidationData(
  element: XmlElement,
): Pick<ValidationDataProperty, 'uri' | 'certificates' | 'crls' | 'ocsps'> {
  const inside = (name: string) => element.children.find(({ localName }) => localName === name);
  return {
    uri: element.attribute('URI'),
    certificates: parseCertificateValues(inside('CertificateValues')),
    ...parseRevocationValues(inside('RevocationValues')),
  };
}

function parseCertificateRefs(element: XmlElement): readonly CertificateReference[] {
  const list = childOf(element, 'CertRefs');
  return list === undefined ? [] : parseCertificateReferences(list);
}

function parseRevocationRefs(element: XmlElement): Pick<RevocationRefsProperty, 'crls' | 'ocsps'> {
  const digestsIn = (list: string) =>
    (childOf(element, list)?.children ?? []).flatMap((reference) => {
      const digest = childOf(reference, 'DigestAlgAndValue');
      return digest === undefined ? [] : [readDigestAndValue(digest)];
    });
  return { crls: digestsIn('CRLRefs'), ocsps: digestsIn('OCSPRefs') };
}
