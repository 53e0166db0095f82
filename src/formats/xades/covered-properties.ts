import type { XmlElement } from '../xml/index.ts';
import { signatureInvalid } from '../xmldsig/index.ts';
import type { QualifyingProperties } from './qualifying-properties.ts';
import type { ImprintForm, XadesTimestampKind } from './timestamp.ts';

const references = [
  'CompleteCertificateRefs',
  'CompleteRevocationRefs',
  'AttributeCertificateRefs',
  'AttributeRevocationRefs',
];
const referencesV2 = [
  'CompleteCertificateRefsV2',
  'CompleteRevocationRefs',
  'AttributeCertificateRefsV2',
  'AttributeRevocationRefs',
];
const none: readonly string[] = [];

/** Names of the properties that a kind of time-stamp covers; undefined for all of them. */
const coveredNames: Readonly<Record<XadesTimestampKind, readonly string[] | undefined>> = {
  signature: none,
  allDataObjects: none,
  individualDataObjects: none,
  sigAndRefs: ['SignatureTimeStamp', ...references],
  sigAndRefsV2: ['SignatureTimeStamp', ...referencesV2],
  refsOnly: references,
  refsOnlyV2: referencesV2,
  archive132: undefined,
  archive141: undefined,
};

/**
 * The unsigned properties that a time-stamp covers, in the order in which they are digested:
 * those before it.
 *
 * @throws xml.signature.invalid in the distributed case, where the time-stamp names properties
 * that stand elsewhere
 * @spec ETSI EN 319 132-1 §5.5.2, A.1.5
 */
export function coveredProperties(
  timestamp: ImprintForm,
  properties: QualifyingProperties,
): readonly XmlElement[] {
  const { kind, includes, element } = timestamp;
  const names = coveredNames[kind];
  if (names === none) return [];
  if (includes.length > 0) {
    throw signatureInvalid(properties.element, 'a time-stamp over properties of other elements');
  }
  const before: XmlElement[] = [];
  for (const property of properties.unsigned) {
    if (property.element.index === element?.index) break;
    if (names?.includes(property.element.localName) !== false) before.push(property.element);
  }
  return before;
}
