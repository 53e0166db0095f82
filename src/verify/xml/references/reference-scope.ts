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

/** The signature to which references belong. */
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

/** The ds:Manifest that a reference covers completely. Undefined if it covers something else. */
export function findManifest(
  reference: XmlReference,
  scope: ReferenceScope | undefined,
): XmlElement | undefined {
  const target = scope?.target;
  if (target === undefined || !('index' in target)) return undefined;
  const isManifest = target.is(namespaces.dsig, 'Manifest') && coversAll(reference, scope);
  return isManifest ? target : undefined;
}

/** Whether nothing of the target was excluded: neither elements nor markup. */
export function coversAll(reference: XmlReference, scope: ReferenceScope | undefined): boolean {
  const isAll = scope?.excluded.length === 0 && scope.omitted === undefined;
  return isAll && !decodesText(reference);
}

/** Whether markup and text are digested and only signatures are excluded. */
function isWhole(reference: XmlReference, { excluded, omitted }: ReferenceScope): boolean {
  return (
    omitted === undefined &&
    !decodesText(reference) &&
    excluded.every((element) => element.is(namespaces.dsig, 'Signature'))
  );
}

/** Whether only the text is digested, so that the surrounding markup can be changed. */
function decodesText({ transforms }: XmlReference): boolean {
  return transforms.some(({ uri }) => uri === transformUris.base64);
}

/**
 * Whether there is no processing instruction before or after the root: an added one can name a
 * style sheet, so that people see a different document than the signed one.
 */
export function isAlone({ document, startOffset, endOffset }: XmlElement): boolean {
  const { bytes, prologEnd } = document;
  const around = [bytes.subarray(prologEnd, startOffset), bytes.subarray(endOffset)];
  return around.every((piece) => !asBuffer(piece).includes('<?'));
}

const MAX_PARTS = 3;

/** The first excluded parts, as a clause. Empty if only signatures are excluded. */
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

/** The path of an element: the names from the root down, limited to the last sixteen. */
function pathOf(element: XmlElement): string {
  const names: string[] = [];
  let at: XmlElement | undefined = element;
  for (; at !== undefined && names.length < MAX_STEPS; at = at.parent) {
    names.unshift(at.name.slice(0, MAX_NAME));
  }
  return `${at === undefined ? '' : '/…'}/${names.join('/')}`;
}
