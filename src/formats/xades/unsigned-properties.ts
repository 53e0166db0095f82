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
import {
  parseCertificateValues,
  parseRevocationValues,
  type RevocationValues,
} from './validation-values.ts';

type PropertyContent =
  | { readonly kind: 'timestamp'; readonly timestamp: XadesTimestamp }
  | {
      readonly kind: 'certificateValues' | 'attributeCertificateValues';
      /** DER. */
      readonly certificates: readonly Uint8Array[];
    }
  | ({
      readonly kind: 'revocationValues' | 'attributeRevocationValues';
    } & RevocationValues)
  /** TimeStampValidationData or AnyValidationData: certificates and revocation data. */
  | ({
      readonly kind: 'timestampValidationData' | 'anyValidationData';
      readonly certificates: readonly Uint8Array[];
    } & RevocationValues)
  /** CompleteCertificateRefs, AttributeCertificateRefs and their second versions. */
  | {
      readonly kind: 'certificateRefs' | 'attributeCertificateRefs';
      readonly references: readonly CertificateReference[];
    }
  /** Digests of CRLs and OCSP responses. */
  | {
      readonly kind: 'revocationRefs' | 'attributeRevocationRefs';
      readonly crls: readonly DigestAndValue[];
      readonly ocsps: readonly DigestAndValue[];
    }
  /** A countersignature: the ds:Signature inside. */
  | { readonly kind: 'counterSignature'; readonly signature: XmlElement }
  /** A property with unreadable content, with the reason and position. */
  | { readonly kind: 'malformed'; readonly fault: string }
  /** A property recognised only by name, or not at all. */
  | {
      readonly kind:
        | 'signaturePolicyStore'
        | 'renewedDigests'
        | 'sealingEvidenceRecords'
        | 'unknown';
    };

/** One unsigned property of the signature. */
export type UnsignedProperty = PropertyContent & {
  readonly element: XmlElement;
  readonly id: string | undefined;
};

type ContentReader = (element: XmlElement) => PropertyContent;

const stamp = (kind: XadesTimestampKind): ContentReader => {
  return (element) => ({ kind: 'timestamp', timestamp: parseXadesTimestamp(element, kind) });
};

/** Properties in the namespace of the QualifyingProperties. */
const first: ReadonlyMap<string, ContentReader> = new Map([
  ['SignatureTimeStamp', stamp('signature')],
  ['SigAndRefsTimeStamp', stamp('sigAndRefs')],
  ['RefsOnlyTimeStamp', stamp('refsOnly')],
  ['ArchiveTimeStamp', stamp('archive132')],
  ['CertificateValues', certificateValues('certificateValues')],
  ['AttrAuthoritiesCertValues', certificateValues('attributeCertificateValues')],
  ['RevocationValues', revocationValues('revocationValues')],
  ['AttributeRevocationValues', revocationValues('attributeRevocationValues')],
  ['CompleteCertificateRefs', certificateRefs('certificateRefs')],
  ['AttributeCertificateRefs', certificateRefs('attributeCertificateRefs')],
  ['CompleteRevocationRefs', revocationRefs('revocationRefs')],
  ['AttributeRevocationRefs', revocationRefs('attributeRevocationRefs')],
  ['CounterSignature', parseCounterSignature],
]);

/** Properties in the namespace of version 1.4.1. */
const later: ReadonlyMap<string, ContentReader> = new Map([
  ['SigAndRefsTimeStampV2', stamp('sigAndRefsV2')],
  ['RefsOnlyTimeStampV2', stamp('refsOnlyV2')],
  ['ArchiveTimeStamp', stamp('archive141')],
  ['TimeStampValidationData', validationData('timestampValidationData')],
  ['AnyValidationData', validationData('anyValidationData')],
  ['CompleteCertificateRefsV2', certificateRefs('certificateRefs')],
  ['AttributeCertificateRefsV2', certificateRefs('attributeCertificateRefs')],
  ['SignaturePolicyStore', () => ({ kind: 'signaturePolicyStore' })],
  ['RenewedDigests', () => ({ kind: 'renewedDigests' })],
  ['SealingEvidenceRecords', () => ({ kind: 'sealingEvidenceRecords' })],
]);

/**
 * Parses the properties of UnsignedSignatureProperties, in order. An unknown property becomes
 * `unknown`, an unreadable one `malformed`.
 *
 * @throws xml.signature.invalid if there are too many
 * @spec ETSI EN 319 132-1 §4.3.6, §5.3 to §5.5, Annex A
 */
export function parseUnsignedProperties(element: XmlElement): readonly UnsignedProperty[] {
  const { children } = element;
  if (children.length > limits.xmlProperties) {
    throw signatureInvalid(element, `more than ${limits.xmlProperties} properties`);
  }
  return children.map((child) => {
    const place = { element: child, id: child.attribute('Id') };
    try {
      return { ...place, ...parseContent(child, element.namespaceUri) };
    } catch (error) {
      if (!isInnsigliError(error) || error.code !== 'xml.signature.invalid') throw error;
      return { ...place, kind: 'malformed', fault: error.message };
    }
  });
}

function parseContent(element: XmlElement, base: string): PropertyContent {
  const { localName, namespaceUri } = element;
  const isLater = namespaceUri === namespaces.xades141;
  if (isLater || namespaceUri === base) {
    return (isLater ? later : first).get(localName)?.(element) ?? { kind: 'unknown' };
  }
  const isEvidence = localName === 'SealingEvidenceRecords';
  return { kind: isEvidence ? 'sealingEvidenceRecords' : 'unknown' };
}

function certificateValues(
  kind: 'certificateValues' | 'attributeCertificateValues',
): ContentReader {
  return (element) => ({ kind, certificates: parseCertificateValues(element) });
}

function revocationValues(kind: 'revocationValues' | 'attributeRevocationValues'): ContentReader {
  return (element) => ({ kind, ...parseRevocationValues(element) });
}

function validationData(kind: 'timestampValidationData' | 'anyValidationData'): ContentReader {
  return (element) => {
    const inside = (name: string) => element.children.find(({ localName }) => localName === name);
    return {
      kind,
      certificates: parseCertificateValues(inside('CertificateValues')),
      ...parseRevocationValues(inside('RevocationValues')),
    };
  };
}

function certificateRefs(kind: 'certificateRefs' | 'attributeCertificateRefs'): ContentReader {
  return (element) => {
    const list = childOf(element, 'CertRefs');
    return { kind, references: list === undefined ? [] : parseCertificateReferences(list) };
  };
}

function revocationRefs(kind: 'revocationRefs' | 'attributeRevocationRefs'): ContentReader {
  return (element) => {
    const digestsIn = (list: string) =>
      (childOf(element, list)?.children ?? []).flatMap((reference) => {
        const digest = childOf(reference, 'DigestAlgAndValue');
        return digest === undefined ? [] : [readDigestAndValue(digest)];
      });
    return { kind, crls: digestsIn('CRLRefs'), ocsps: digestsIn('OCSPRefs') };
  };
}

function parseCounterSignature(element: XmlElement): PropertyContent {
  const [signature, ...more] = element.children;
  if (!signature?.is(namespaces.dsig, 'Signature') || more.length > 0) {
    throw signatureInvalid(element, 'expected one Signature');
  }
  return { kind: 'counterSignature', signature };
}
