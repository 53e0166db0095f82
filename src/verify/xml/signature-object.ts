import { isInnsigliError } from '../../base/errors.ts';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from '../../formats/xades/index.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import { parseXmlSignature, type XmlSignature } from '../../formats/xmldsig/index.ts';
import { buildFinding, type FindingCode } from '../findings/index.ts';
import type { Finding, XmlSignatureReport } from '../report/index.ts';
import type { ListedSignature } from './list-signatures.ts';

/** One signature as read from the document, before it is verified. */
export interface XmlSignatureObject {
  readonly element: XmlElement;
  readonly form: XmlSignatureReport['form'];
  /** Undefined if the element does not have the structure of a signature. */
  readonly signature: XmlSignature | undefined;
  /** Undefined for plain XML signatures, and if the properties are malformed. */
  readonly properties: QualifyingProperties | undefined;
  /** Format violations of the signature or its properties; empty if there are none. */
  readonly faults: readonly Finding[];
  /** Further findings. */
  readonly notes: readonly Finding[];
}

/** Reads a signature and its properties. */
export function readSignatureObject({ element, nested }: ListedSignature): XmlSignatureObject {
  const base = { element, form: 'xmldsig', properties: undefined, notes: [] } as const;
  const signature = readOrExplain('signature.xml.invalid', () => parseXmlSignature(element));
  if ('code' in signature) return { ...base, signature: undefined, faults: [signature] };
  const [own, ...more] = findQualifyingProperties(signature);
  if (own === undefined) {
    return { ...base, signature, faults: [], notes: noteNested(nested, undefined) };
  }
  const xades = { ...base, form: 'xades', signature } as const;
  if (more.length > 0) {
    const message = `expected one QualifyingProperties, found ${more.length + 1}`;
    return { ...xades, faults: [buildFinding('signature.properties.invalid', message)] };
  }
  const properties = readOrExplain('signature.properties.invalid', () =>
    parseQualifyingProperties(own),
  );
  if ('code' in properties) return { ...xades, faults: [properties] };
  const { faults, notes } = checkTarget(signature, properties);
  return { ...xades, properties, faults, notes: [...notes, ...noteNested(nested, properties)] };
}

function readOrExplain<T extends object>(code: FindingCode, read: () => T): T | Finding {
  try {
    return read();
  } catch (error) {
    // A part that exceeds a limit was not checked, which refutes nothing.
    if (!isInnsigliError(error) || error.code === 'limit.exceeded') throw error;
    return buildFinding(code, error.message);
  }
}

/**
 * Checks the reference of the properties to their signature. A Target that does not identify it
 * violates the format; but Target is not signed, and the properties are bound by a reference.
 *
 * @spec ETSI EN 319 132-1 §4.3.1
 */
function checkTarget(
  { id }: XmlSignature,
  { target, signed }: QualifyingProperties,
): Pick<XmlSignatureObject, 'faults' | 'notes'> {
  if (signed === undefined) {
    const missing = buildFinding(
      'signature.properties.invalid',
      'the SignedProperties are missing',
    );
    return { faults: [missing], notes: [] };
  }
  if (id !== undefined && target === `#${id}`) return { faults: [], notes: [] };
  const found = target === undefined ? 'none' : `"${target.slice(0, 100)}"`;
  const expected = id === undefined ? 'the Id of the signature' : `"#${id.slice(0, 100)}"`;
  const message = `Target of QualifyingProperties: expected ${expected}, found ${found}`;
  return { faults: [], notes: [buildFinding('baseline.target', message)] };
}

/**
 * Distinguishes countersignatures, which are expected, from signatures in signed objects.
 * Signatures in a countersignature are handled with that one.
 */
function noteNested(
  nested: readonly XmlElement[],
  properties: QualifyingProperties | undefined,
): readonly Finding[] {
  const counter = (properties?.unsigned ?? []).flatMap((property) =>
    property.kind === 'counterSignature' ? [property.signature] : [],
  );
  const strangers = outside(nested, counter);
  const notes: Finding[] = [];
  if (counter.length > 0) {
    const message = `countersignatures of this signature: ${placesOf(counter)}`;
    notes.push(buildFinding('signature.countersigned', message));
  }
  if (strangers.length > 0) {
    const message = `not checked: signatures inside this signature, ${placesOf(strangers)}`;
    notes.push(buildFinding('signature.nested', message));
  }
  return notes;
}

/** Elements neither in `others` nor nested in one. Both lists are in document order. */
function outside(
  elements: readonly XmlElement[],
  others: readonly XmlElement[],
): readonly XmlElement[] {
  let at = 0;
  return elements.filter((element) => {
    while (at + 1 < others.length && (others[at + 1] as XmlElement).index <= element.index) at += 1;
    const other = others[at];
    return other === undefined || !(other.index === element.index || other.contains(element));
  });
}

function placesOf(elements: readonly XmlElement[]): string {
  const places = elements.slice(0, 5).map(({ startOffset }) => startOffset);
  const more = elements.length > places.length ? ', …' : '';
  return `${elements.length} (at byte ${places.join(', ')}${more})`;
}
