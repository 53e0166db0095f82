import { asBuffer } from '../../../base/bytes.ts';
import type { QualifyingProperties } from '../../../formats/xades/index.ts';
import type { XmlDocument, XmlElement } from '../../../formats/xml/index.ts';
import {
  namespaces,
  type ReferenceScope,
  transformUris,
  type XmlReference,
  type XmlSignature,
} from '../../../formats/xmldsig/index.ts';
import type { ReferenceReport } from '../../report/index.ts';

/** The signature that references belong to. */
export interface ReferencingSignature {
  readonly document: XmlDocument;
  readonly signature: XmlSignature;
  readonly properties: QualifyingProperties | undefined;
}

/** Scope of a reference, in the terms of the report. */
export type DescribedScope = Pick<ReferenceReport, 'scope' | 'target'>;

/** The scope of a reference whose bytes were found. */
export function describeScope(
  reference: XmlReference,
  referenced: ReferenceScope,
  owner: ReferencingSignature,
): DescribedScope {
  const { target, excluded } = referenced;
  if (target === undefined) return fileScope(reference);
  const { document, signature, properties } = owner;
  if (!('index' in target)) {
    const scope = target === document && isWhole(reference, excluded) ? 'document' : 'element';
    return { scope, target: pathOf(target.root) + without(excluded) };
  }
  const described = pathOf(target) + without(excluded);
  if (findManifest(reference, referenced)) return { scope: 'manifest', target: described };
  if (signature.element.contains(target)) {
    const isAll = coversAll(reference, referenced);
    const isProperties = isAll && properties?.signed?.element.index === target.index;
    const isKey = isAll && signature.keyInfo?.element.index === target.index;
    return {
      scope: isProperties ? 'properties' : isKey ? 'key' : 'signature',
      target: described,
    };
  }
  const isRoot = target.index === 0 && target.document === document && isAlone(target);
  const scope = isRoot && isWhole(reference, excluded) ? 'document' : 'element';
  return { scope, target: described };
}

/** The probable scope of a reference whose bytes were not found. */
export function guessScope(reference: XmlReference): DescribedScope {
  const { uri, type } = reference;
  if (uri === '' || uri === '#xpointer(/)') return { scope: 'document' };
  if (uri?.startsWith('#') !== true) return fileScope(reference);
  return { scope: type?.endsWith('#SignedProperties') ? 'properties' : 'element' };
}

function fileScope({ uri }: XmlReference): DescribedScope {
  return uri === undefined ? { scope: 'file' } : { scope: 'file', target: uri };
}

/** The ds:Manifest of which a reference covers all; undefined when it covers something else. */
export function findManifest(
  reference: XmlReference,
  scope: ReferenceScope | undefined,
): XmlElement | undefined {
  const target = scope?.target;
  if (target === undefined || !('index' in target)) return undefined;
  const isManifest = target.is(namespaces.dsig, 'Manifest') && coversAll(reference, scope);
  return isManifest ? target : undefined;
}

/** True when nothing of the target was left out: neither elements nor the markup. */
export function coversAll(reference: XmlReference, scope: ReferenceScope | undefined): boolean {
  return scope?.excluded.length === 0 && !decodesText(reference);
}

/** True when markup and text are digested and nothing but signatures is left out. */
function isWhole(reference: XmlReference, excluded: readonly XmlElement[]): boolean {
  return (
    !decodesText(reference) && excluded.every((element) => element.is(namespaces.dsig, 'Signature'))
  );
}

/** True when only the text is digested: the markup around it can be changed. */
function decodesText({ transforms }: XmlReference): boolean {
  return transforms.some(({ uri }) => uri === transformUris.base64);
}

/**
 * True when no processing instruction stands before or behind the root: one that is put there
 * names a style sheet, and people see another document than was signed.
 */
export function isAlone({ document, startOffset, endOffset }: XmlElement): boolean {
  const { bytes, prologEnd } = document;
  const around = [bytes.subarray(prologEnd, startOffset), bytes.subarray(endOffset)];
  return around.every((piece) => !asBuffer(piece).includes('<?'));
}

function without(excluded: readonly XmlElement[]): string {
  const others = excluded.filter((element) => !element.is(namespaces.dsig, 'Signature'));
  if (others.length === 0) return '';
  const more = others.length > 3 ? ', …' : '';
  return ` without ${others.slice(0, 3).map(pathOf).join(', ')}${more}`;
}

const MAX_STEPS = 16;
const MAX_NAME = 64;

/** The path of an element: the names from the root down, the last sixteen of them. */
function pathOf(element: XmlElement): string {
  const names: string[] = [];
  let at: XmlElement | undefined = element;
  for (; at !== undefined && names.length < MAX_STEPS; at = at.parent) {
    names.unshift(at.name.slice(0, MAX_NAME));
  }
  return `${at === undefined ? '' : '/…'}/${names.join('/')}`;
}
