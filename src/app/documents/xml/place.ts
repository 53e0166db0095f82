import { InnsigliError } from '../../../base/errors.ts';
import type { XmlDocument, XmlElement } from '../../../formats/xml/index.ts';
import { namespaces } from '../../../formats/xmldsig/index.ts';
import { appendInside, insertAfter, type XmlEdit } from '../../../seal/xades/index.ts';

/** Position of a signature in a document, and the part of the document it covers. */
export interface XmlPlace {
  /** The covered element; undefined for the whole document. */
  readonly target: XmlElement | undefined;
  /** Whether the signature is inside what it covers. */
  readonly isInside: boolean;
  /** Returns the edit that inserts the signature. */
  insert(signature: Uint8Array): XmlEdit;
}

/** The members of a request that determine the position. */
export interface XmlPlaceRequest {
  /** Id of the element to cover. */
  readonly id?: string | undefined;
  /** Parent of the signature as its last child: an element, `#id`, or a path of local names. */
  readonly into?: string | XmlElement | undefined;
  /** True: inside the covered element; false: after it. */
  readonly isEnveloped: boolean;
}

/**
 * Finds the position for a signature: as given by `into`; else as the last child of the covered
 * element, or directly after it.
 *
 * @throws xml.target.invalid if an element is missing, ambiguous or cannot contain a signature
 */
export function findPlace(document: XmlDocument, request: XmlPlaceRequest): XmlPlace {
  const { id, into, isEnveloped } = request;
  const target = id === undefined ? undefined : requireElement(document, id);
  const covered = target ?? document.root;
  requireOutsideSignatures(covered);
  if (into === undefined && !isEnveloped) {
    if (covered.parent === undefined) {
      throw invalid('nothing can follow the root of a document', 'choose enveloped');
    }
    return { target, isInside: false, insert: (bytes) => insertAfter(covered, bytes) };
  }
  const parent = into === undefined ? covered : requireParent(document, into);
  requireOutsideSignatures(parent);
  const isInside = covered.contains(parent);
  if (isInside && !isEnveloped) {
    throw invalid('the position is inside the covered element', 'choose enveloped');
  }
  return { target, isInside, insert: (bytes) => appendInside(parent, bytes) };
}

function requireElement(document: XmlDocument, id: string): XmlElement {
  const [element, ...more] = document.findById(id);
  if (element === undefined) {
    const advice = 'the attributes Id, ID, id and xml:id are searched';
    throw invalid(`no element has the Id "${id}"`, advice);
  }
  if (more.length > 0) {
    throw invalid(`${more.length + 1} elements have the Id "${id}"`, 'make the Ids unique');
  }
  return element;
}

function requireParent(document: XmlDocument, into: string | XmlElement): XmlElement {
  if (typeof into !== 'string') return into;
  if (into.startsWith('#')) return requireElement(document, into.slice(1));
  const [first, ...names] = into.split('/').filter((name) => name !== '');
  let element: XmlElement | undefined = document.root;
  if (element.localName !== first) element = undefined;
  for (const name of names) {
    element = element?.children.find(({ localName }) => localName === name);
  }
  if (element !== undefined) return element;
  throw invalid(`there is no element ${into}`, 'pass local names from the root: Invoice/Note');
}

function requireOutsideSignatures(element: XmlElement): void {
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) {
    if (!at.is(namespaces.dsig, 'Signature')) continue;
    throw invalid('the element is inside a signature', 'choose an element outside of it');
  }
}

function invalid(message: string, hint: string): InnsigliError {
  return new InnsigliError('xml.target.invalid', message, { hint });
}
