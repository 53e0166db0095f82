import type { XmlElement } from '../xml/index.ts';
import type { ReferenceBudget } from './reference-budget.ts';
import type { ReferenceContext } from './reference-context.ts';
import {
  nodeSet,
  octetData,
  type ReferencedData,
  refusal,
  unsupported,
} from './referenced-data.ts';

const byPointer = /^#xpointer\(id\((?:'([^'"]*)'|"([^'"]*)")\)\)$/;

/**
 * The data of a URI before any transform; undefined if the URI has no target. The plain
 * same-document forms exclude comments, the XPointer forms include them.
 *
 * @throws xml.signature.invalid for an ambiguous Id or an unsupported XPointer
 * @spec XML-Signature Syntax and Processing 1.1 §4.4.3.3
 */
export function resolveUri(
  uri: string | undefined,
  context: ReferenceContext,
  budget: ReferenceBudget,
): ReferencedData | undefined {
  if (uri === '') return nodeSet(context.document, [], false);
  if (uri === '#xpointer(/)') return nodeSet(context.document, [], true);
  if (uri?.startsWith('#')) {
    const pointer = byPointer.exec(uri);
    if (pointer === null && /^#[A-Za-z]+\(/.test(uri))
      throw unsupported('an XPointer of an unsupported form');
    const element = findById(pointer?.[1] ?? pointer?.[2] ?? uri.slice(1), context);
    return element && nodeSet(element, [], pointer !== null);
  }
  const file = context.findFile?.(uri ?? '');
  if (file === undefined) return undefined;
  budget.grant(file);
  budget.spend(file.length);
  return octetData(file, { target: undefined, excluded: [] });
}

/**
 * The element with this Id, in the document or in the fragment with the signature.
 *
 * @throws xml.signature.invalid if more than one element has it
 */
export function findById(
  id: string,
  { document, signature }: ReferenceContext,
): XmlElement | undefined {
  const found = [...document.findById(id)];
  if (signature.document !== document) found.push(...signature.document.findById(id));
  if (found.length > 1) throw refusal(`${found.length} elements have the referenced Id`);
  return found[0];
}
