import { InnsigliError } from '../../base/errors.ts';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from '../../formats/xades/index.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import {
  namespaces,
  parseXmlSignature,
  type ReferenceContext,
  type XmlSignature,
} from '../../formats/xmldsig/index.ts';
import type { RevocationData } from '../ports.ts';
import { appendInside, type XmlEdit } from './edits.ts';
import { type PropertyNames, propertyNames } from './property-names.ts';
import { writeElement } from './write-element.ts';

/** Context of a signature that is created separately and inserted afterwards. */
export type SignatureSurroundings = Partial<Pick<ReferenceContext, 'document' | 'findFile'>>;

/** A signature to which unsigned properties can be added. */
export interface XadesState {
  readonly signature: XmlSignature;
  readonly properties: QualifyingProperties;
  readonly context: ReferenceContext;
}

/**
 * Opens a XAdES signature of a document.
 *
 * @throws xml.signature.invalid if it is malformed, or does not have exactly one
 * QualifyingProperties of XAdES 1.3.2
 */
export function openXades(
  element: XmlElement,
  surroundings: Omit<ReferenceContext, 'signature'>,
): XadesState {
  const signature = parseXmlSignature(element);
  const [found, ...more] = findQualifyingProperties(signature);
  if (found?.namespaceUri !== namespaces.xades132 || more.length > 0) {
    const message = 'expected one QualifyingProperties of XAdES 1.3.2';
    throw new InnsigliError('xml.signature.invalid', message);
  }
  const properties = parseQualifyingProperties(found);
  return { signature, properties, context: { ...surroundings, signature: element } };
}

/** Prefixes of names among the unsigned properties of the signature. */
export function unsignedNames({ signature, properties }: XadesState): PropertyNames {
  return propertyNames(properties.unsignedElement ?? properties.element, signature.element);
}

/** Appends properties, given as text, to those of the signature. */
export function appendProperties({ properties }: XadesState, text: string): XmlEdit {
  const { element, unsignedElement, namespaceUri } = properties;
  if (unsignedElement !== undefined) return appendInside(unsignedElement, Buffer.from(text));
  const { prefix } = element;
  const name = (localName: string) => (prefix === '' ? localName : `${prefix}:${localName}`);
  const inner = writeElement(name('UnsignedSignatureProperties'), {}, text);
  const outer = element.child(namespaceUri, 'UnsignedProperties');
  if (outer === undefined) {
    return appendInside(element, Buffer.from(writeElement(name('UnsignedProperties'), {}, inner)));
  }
  if (outer.isEmptyTag) return appendInside(outer, Buffer.from(inner));
  const { contentStart } = outer;
  return { start: contentStart, end: contentStart, pieces: [Buffer.from(inner)] };
}

/** Certificates, CRLs and OCSP responses in the signature, excluding those in tokens. */
export function presentData({ signature, properties }: XadesState): RevocationData & {
  readonly certificates: readonly Uint8Array[];
} {
  const certificates = [...(signature.keyInfo?.certificates ?? [])];
  const crls: Uint8Array[] = [];
  const ocsp: Uint8Array[] = [];
  for (const property of properties.unsigned) {
    if ('certificates' in property) certificates.push(...property.certificates);
    switch (property.kind) {
      case 'revocationValues':
      case 'attributeRevocationValues':
      case 'timestampValidationData':
      case 'anyValidationData':
        ocsp.push(...property.ocsps);
        crls.push(...property.crls);
    }
  }
  return { certificates, crls, ocsp };
}
