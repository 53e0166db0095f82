import {
  asArray,
  asDict,
  asInteger,
  asName,
  asString,
  certificationOf,
  decodeText,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
} from '../../formats/pdf/index.ts';
import type { LaterChange } from './changes/later-change.ts';

/** Later changes permitted by a signature. */
export interface Permissions {
  /** The strictest of its own DocMDP, the lock of its field and the certification. */
  readonly docMdp: 1 | 2 | 3 | undefined;
  /** Whether the signature itself permits comments. */
  readonly allowsComments: boolean;
  isLocked(field: string): boolean;
}

/**
 * Reads the changes that the signature permits from the signed revision.
 *
 * @spec ISO 32000-2 §12.7.5.5, §12.8.2.2, §12.8.2.4
 */
export function permissionsOf(revision: PdfFile, field: string, dict: PdfDict): Permissions {
  const lock = listSignatureFields(revision).find(({ name }) => name === field)?.lock;
  const own = [docMdpOf(revision, dict), permission(revision, lock)].filter(isKnown);
  const all = [...own, certificationOf(revision)].filter(isKnown);
  const locks = [...transformParameters(revision, dict, 'FieldMDP'), ...(lock ? [lock] : [])];
  const docMdp = all.length === 0 ? undefined : (Math.min(...all) as 1 | 2 | 3);
  return {
    docMdp,
    allowsComments: docMdp === 3 && own.length > 0,
    isLocked: (name) => locks.some((each) => locksField(revision, each, name)),
  };
}

/** The DocMDP permission of a signature. Undefined if it has none. The default is 2. */
export function docMdpOf(file: PdfFile, signature: PdfDict): 1 | 2 | 3 | undefined {
  const [parameters] = transformParameters(file, signature, 'DocMDP');
  return parameters === undefined ? undefined : (permission(file, parameters) ?? 2);
}

function isKnown(value: 1 | 2 | 3 | undefined): value is 1 | 2 | 3 {
  return value !== undefined;
}

function permission(file: PdfFile, dict: PdfDict | undefined): 1 | 2 | 3 | undefined {
  const value = asInteger(file.resolve(dict?.get('P')));
  return value === 1 || value === 2 || value === 3 ? value : undefined;
}

/** Parameters of each reference with this method; empty if they are omitted. */
function transformParameters(file: PdfFile, signature: PdfDict, method: string): PdfDict[] {
  return (asArray(file.resolve(signature.get('Reference'))) ?? []).flatMap((item) => {
    const reference = asDict(file.resolve(item));
    const found = asName(file.resolve(reference?.get('TransformMethod')))?.value;
    if (found !== method) return [];
    return [asDict(file.resolve(reference?.get('TransformParams'))) ?? new Map()];
  });
}

function locksField(file: PdfFile, lock: PdfDict, field: string): boolean {
  const action = asName(file.resolve(lock.get('Action')))?.value;
  if (action === 'All') return true;
  const names = (asArray(file.resolve(lock.get('Fields'))) ?? []).flatMap((item) => {
    const name = asString(file.resolve(item));
    return name === undefined ? [] : [decodeText(name)];
  });
  // A name also applies to the fields below it.
  const isNamed = names.some((name) => field === name || field.startsWith(`${name}.`));
  if (action === 'Include') return isNamed;
  return action === 'Exclude' && !isNamed;
}

/** The reason, in words, why a change is not permitted. Undefined if it is. */
export function findProhibition(
  { docMdp, allowsComments, isLocked }: Permissions,
  { level, adds, covers, field }: LaterChange,
): string | undefined {
  if (level === 'other') return 'not permitted';
  if (level === 'annotations' && !allowsComments) return 'the signature does not permit comments';
  if (level === 'long-term-data') return undefined;
  if (docMdp === 1) return 'the certification permits no changes (P=1)';
  if (docMdp !== undefined && adds === 'field') return 'the certification permits no new fields';
  if (docMdp !== undefined && covers === true) {
    return 'the certification permits none that covers certified content';
  }
  if (field !== undefined && isLocked(field)) return 'the signature locks the field';
  return undefined;
}
