import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlDocument, XmlElement } from '../../formats/xml/index.ts';
import { namespaces } from '../../formats/xmldsig/index.ts';

/** A signature of the document and the signatures nested in it. */
export interface ListedSignature {
  readonly element: XmlElement;
  /** Countersignatures and other nested signatures. */
  readonly nested: readonly XmlElement[];
}

/**
 * Lists the signatures of a document in document order. A nested signature is listed with the outer
 * one, because it is not a signature of the document.
 *
 * @throws limit.exceeded if there are too many
 */
export function listSignatures(document: XmlDocument): readonly ListedSignature[] {
  const all = document.findAll(namespaces.dsig, 'Signature');
  if (all.length > limits.xmlSignatures) {
    throw new InnsigliError('limit.exceeded', `more than ${limits.xmlSignatures} signatures`);
  }
  const listed: { element: XmlElement; nested: XmlElement[] }[] = [];
  for (const element of all) {
    const last = listed.at(-1);
    if (last?.element.contains(element)) last.nested.push(element);
    else listed.push({ element, nested: [] });
  }
  return listed;
}
