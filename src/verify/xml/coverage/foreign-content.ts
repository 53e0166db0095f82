import type { XmlElement } from '../../../formats/xml/index.ts';
import { namespaces } from '../../../formats/xmldsig/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding } from '../../report/index.ts';
import { knownElements, signedParents } from './known-elements.table.ts';

const { dsig } = namespaces;
const blank = /^[ \t\r\n]*$/;

/**
 * A finding if a signature contains something that is neither part of its format nor covered:
 * readers of the document may take it for content, and anyone can put it there. An invalid
 * signature covers nothing.
 *
 * @param covered indexes of elements within it that a valid reference covers completely
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

/** The first foreign item. The traversal uses an explicit stack, so nesting depth is unlimited. */
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
  // Countersignatures are checked as separate signatures.
  if (element.is(dsig, 'Signature')) return parent?.localName === 'CounterSignature';
  if (parent?.is(dsig, 'Object') === true) return localName === 'QualifyingProperties';
  if (element.is(dsig, 'Object')) return true;
  const above = namespaceUri === dsig ? undefined : signedParents.get(localName);
  if (above !== undefined && parent?.localName !== above) return false;
  return knownElements.get(namespaceUri)?.has(localName) === true;
}
