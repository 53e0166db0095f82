import { asBuffer } from '../../../base/bytes.ts';
import type { QualifyingProperties } from '../../../formats/xades/index.ts';
import type { XmlDocument, XmlElement } from '../../../formats/xml/index.ts';
import {
  namespaces,
  type OmittedPart,
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
  const { target, excluded, omitted } = referenced;
  if (target === undefined) return fileScope(reference);
  const left = nameParts(excluded, omitted);
  const { document, signature, properties } = owner;
  if (!('index' in target)) {
    const isAll = target === document && isWhole(reference, referenced);
    return { scope: isAll ? 'document' : 'element', target: pathOf(target.root) + left };
  }
  const described = pathOf(target) + left;
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
  const scope = isRoot && isWhole(reference, referenced) ? 'document' : 'element';
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
  const isAll = scope?.excluded.length === 0 && scope.omitted === undefined;
  return isAll && !decodesText(reference);
}

/** True when markup and text are digested and nothing but signatures is left out. */
function isWhole(reference: XmlReference, { excluded, omitted }: ReferenceScope): boolean {
  return (
    omitted === undefined &&
    !decodesText(reference) &&
    excluded.every((element) => element.is(namespaces.dsig, 'Signature'))
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

const MAX_PARTS = 3;

/** The first parts that are left out, as a clause; empty for signatures alone. */
export function nameParts(
  excluded: readonly XmlElement[],
  omitted: readonly OmittedPart[] = [],
): string {
  const others = excluded.filter((element) => !element.is(namespaces.dsig, 'Signature'));
  const all = [...others.slice(0, MAX_PARTS + 1).map(pathOf), ...omitted.map(namePart)];
  if (all.length === 0) return '';
  const more = all.length > MAX_PARTS ? ', …' : '';
  return ` without ${all.slice(0, MAX_PARTS).join(', ')}${more}`;
}

function namePart({ what, element, name = '' }: OmittedPart): string {
  const path = pathOf(element);
  switch (what) {
    case 'tags':
      return `the tags of ${path}`;
    case 'attribute':
      return `the attribute ${name.slice(0, MAX_NAME)} of ${path}`;
    case 'namespace':
      return `a namespace of ${path}`;
    case 'text':
      return `text in ${path}`;
    case 'comment':
      return `a comment in ${path}`;
    case 'instruction':
      return `a processing instruction in ${path}`;
    default:
      return path;
  }
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
