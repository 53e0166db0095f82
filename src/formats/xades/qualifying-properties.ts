import type { XmlElement } from '../xml/index.ts';
import { namespaces, signatureInvalid, type XmlSignature } from '../xmldsig/index.ts';
import { childOf } from './certificate-reference.ts';
import { parseSignedProperties, type SignedProperties } from './signed-properties.ts';
import { parseUnsignedProperties, type UnsignedProperty } from './unsigned-properties.ts';

/** The QualifyingProperties of a signature. */
export interface QualifyingProperties {
  readonly element: XmlElement;
  readonly id: string | undefined;
  /** `#` and the Id of the signature that they qualify. */
  readonly target: string | undefined;
  /** Namespace of the XAdES version. */
  readonly namespaceUri: string;
  readonly signed: SignedProperties | undefined;
  /** UnsignedSignatureProperties, for appending to it. */
  readonly unsignedElement: XmlElement | undefined;
  /** In document order. */
  readonly unsigned: readonly UnsignedProperty[];
}

const versions: readonly string[] = [namespaces.xades132, namespaces.xades122, namespaces.xades111];

/**
 * The QualifyingProperties elements in the signature's objects, of any version. A valid signature
 * has at most one; the verifier must reject more.
 */
export function findQualifyingProperties(signature: XmlSignature): readonly XmlElement[] {
  return signature.objects.flatMap((object) => object.children).filter(isQualifyingProperties);
}

function isQualifyingProperties({ localName, namespaceUri }: XmlElement): boolean {
  return localName === 'QualifyingProperties' && versions.includes(namespaceUri);
}

/**
 * Parses QualifyingProperties.
 *
 * @throws xml.signature.invalid if its structure does not conform to the schema
 * @spec ETSI EN 319 132-1 §4.3
 */
export function parseQualifyingProperties(element: XmlElement): QualifyingProperties {
  if (!isQualifyingProperties(element)) {
    throw signatureInvalid(element, 'not QualifyingProperties of a known version');
  }
  const [signed, unsigned] = ['SignedProperties', 'UnsignedProperties'].map((name) => {
    const [only, ...more] = element.childrenNamed(element.namespaceUri, name);
    if (more.length > 0) throw signatureInvalid(element, `${name} occurs twice`);
    return only;
  });
  const unsignedElement = unsigned && childOf(unsigned, 'UnsignedSignatureProperties');
  return {
    element,
    id: element.attribute('Id'),
    target: element.attribute('Target'),
    namespaceUri: element.namespaceUri,
    signed: signed && parseSignedProperties(signed),
    unsignedElement,
    unsigned: unsignedElement === undefined ? [] : parseUnsignedProperties(unsignedElement),
  };
}
