import { isInnsigliError } from '../../base/errors.ts';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from '../../formats/xades/index.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import { parseXmlSignature, type XmlSignature } from '../../formats/xmldsig/index.ts';
import type { Finding, XmlSignatureReport } from '../report.ts';
import type { ListedSignature } from './list-signatures.ts';

/** One signature as the document presents it, before any conclusion. */
export interface XmlSignatureObject {
  readonly element: XmlElement;
  readonly form: XmlSignatureReport['form'];
  /** Undefined when the element is no signature by its structure. */
  readonly signature: XmlSignature | undefined;
  /** Undefined for plain XML signatures, and when the properties are not sound. */
  readonly properties: QualifyingProperties | undefined;
  /** Why the signature or its properties are not what the format demands; empty when they are. */
  readonly faults: readonly Finding[];
  /** What else was noticed. */
  readonly notes: readonly Finding[];
}

/** Reads a signature and the properties that are its own. */
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
    return { ...xades, faults: [fault('signature.properties.invalid', message)] };
  }
  const properties = readOrExplain('signature.properties.invalid', () =>
    parseQualifyingProperties(own),
  );
  if ('code' in properties) return { ...xades, faults: [properties] };
  const target = checkTarget(signature, properties);
  const isFault = (finding: Finding) => finding.severity === 'error';
  return {
    ...xades,
    properties,
    faults: target.filter(isFault),
    notes: [...target.filter((each) => !isFault(each)), ...noteNested(nested, properties)],
  };
}

function readOrExplain<T extends object>(code: string, read: () => T): T | Finding {
  try {
    return read();
  } catch (error) {
    if (isInnsigliError(error)) return fault(code, error.message);
    throw error;
  }
}

/**
 * Properties that say that they are about another signature are none of this one. What says
 * nothing, or the Id without its `#`, departs from the form: a reference binds the properties.
 *
 * @spec ETSI EN 319 132-1 §4.3.1
 */
function checkTarget(
  { id }: XmlSignature,
  { target, signed }: QualifyingProperties,
): readonly Finding[] {
  if (signed === undefined) {
    return [fault('signature.properties.invalid', 'the SignedProperties are missing')];
  }
  if (id !== undefined && target === `#${id}`) return [];
  const isSilent = target === undefined || /^#?$/.test(target);
  if (isSilent || target === id || id === undefined) {
    const what = isSilent ? 'does not name' : `is «${target.slice(0, 100)}», not # and the Id of`;
    const message = `Target of QualifyingProperties ${what} the signature`;
    return [{ code: 'baseline.target', severity: 'warning', message }];
  }
  const found = target.slice(0, 100);
  const expected = `#${id.slice(0, 100)}`;
  const message = `properties of another signature: expected ${expected}, found ${found}`;
  return [fault('signature.properties.target', message)];
}

function fault(code: string, message: string): Finding {
  return { code, severity: 'error', message };
}

/** Told apart: counter-signatures, which belong there, and signatures inside signed objects. */
function noteNested(
  nested: readonly XmlElement[],
  properties: QualifyingProperties | undefined,
): readonly Finding[] {
  const counter = new Set<number>();
  for (const property of properties?.unsigned ?? []) {
    if (property.kind === 'counterSignature') counter.add(property.signature.index);
  }
  const strangers = nested.filter(({ index }) => !counter.has(index));
  const notes: Finding[] = [];
  if (counter.size > 0) {
    const message = `not checked: counter-signatures of this signature, ${placesOf(
      nested.filter(({ index }) => counter.has(index)),
    )}`;
    notes.push({ code: 'signature.countersigned', severity: 'info', message });
  }
  if (strangers.length > 0) {
    const message = `not checked: signatures inside this signature, ${placesOf(strangers)}`;
    notes.push({ code: 'signature.nested', severity: 'warning', message });
  }
  return notes;
}

function placesOf(elements: readonly XmlElement[]): string {
  const places = elements.slice(0, 5).map(({ startOffset }) => startOffset);
  const more = elements.length > places.length ? ', …' : '';
  return `${elements.length} (at byte ${places.join(', ')}${more})`;
}
