import type { XmlElement } from '../../../formats/xml/index.ts';
import { namespaces } from '../../../formats/xmldsig/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding } from '../../report/index.ts';
import { knownElements, signedParents } from './known-elements.table.ts';

const { dsig } = namespaces;
const blank = /^[ \t\r\n]*$/;

/**
 * A finding when something stands in a signature that is neither part of its form nor covered:
 * who reads the document may take it for content, and anybody can put it there. A signature that
 * does not hold covers nothing.
 *
 * @param covered indexes of elements inside that a valid reference covers whole
 */
export function noteForeignContent(
  signature: XmlElement,
  covered: ReadonlySet<number>,
): readonly Finding[] {
  const foreign = findForeign(signature, covered);
  if (foreign === undefined) return [];
  const { element, what } = foreign;
  const message = `not covered: ${what} in the signature, at byte ${element.startOffset}`;
  return [buildFinding('signature.object.uncovered', message)];
}

interface Foreign {
  readonly element: XmlElement;
  readonly what: string;
}

/** The first foreign thing; elements are walked with a list of their own, however deep they are. */
function findForeign(signature: XmlElement, covered: ReadonlySet<number>): Foreign | undefined {
  const left: XmlElement[] = [signature];
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    if (covered.has(element.index)) continue;
    const { children } = element;
    const isForm = element === signature || isKnown(element);
    if (!isForm) return { element, what: `<${element.name.slice(0, 60)}>` };
    const holdsElements = children.length > 0 || element.is(dsig, 'Object');
    if (holdsElements && !blank.test(element.text)) {
      return { element, what: `text in <${element.name.slice(0, 60)}>` };
    }
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i] as XmlElement);
  }
  return undefined;
}

function isKnown(element: XmlElement): boolean {
  const { namespaceUri, localName, parent } = element;
  // Countersignatures are signatures of their own form.
  if (element.is(dsig, 'Signature')) return parent?.localName === 'CounterSignature';
  if (parent?.is(dsig, 'Object') === true) return localName === 'QualifyingProperties';
  if (element.is(dsig, 'Object')) return true;
  const above = namespaceUri === dsig ? undefined : signedParents.get(localName);
  if (above !== undefined && parent?.localName !== above) return false;
  return knownElements.get(namespaceUri)?.has(localName) === true;
}
