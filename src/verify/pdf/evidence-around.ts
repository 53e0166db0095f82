import { latin1Bytes, latin1Text } from '../../base/bytes.ts';
import { type PdfFile, type PdfObject, serializeObject } from '../../formats/pdf/index.ts';
import {
  readDocumentSecurityStore,
  readRelatedData,
  type StoredValidationData,
} from '../document-security-store.ts';
import { cmsData, mergeData, readable } from '../embedded-data.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';

/** Ends of revisions behind the first signature that are looked at, the oldest first. */
const MAX_REVISIONS = 64;
/** Bytes behind the first signature that are searched for ends of revisions. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024;

/**
 * The validation data of the file outside its newest document security store: in the entries of
 * `/VRI`, in earlier stores that an update replaced or removed, and in the signatures. It tells of
 * revocations as the store does; the level of a signature is by the store alone.
 */
export function collectEvidenceAround(
  file: PdfFile,
  signatures: readonly SignatureObject[],
): StoredValidationData {
  return mergeData([
    readRelatedData(file),
    ...earlierStores(file, signatures),
    ...signatures.map(({ contents }) => cmsData(contents)),
  ]);
}

function earlierStores(
  file: PdfFile,
  signatures: readonly SignatureObject[],
): readonly StoredValidationData[] {
  const [first] = signatures;
  if (first === undefined || first.coveredEnd === 0) return [];
  const present = storeOf(file);
  const seen = new Set([present]);
  const texts = new Set<string>();
  const stores: StoredValidationData[] = [];
  for (const end of revisionEnds(file, first.coveredEnd)) {
    const revision = findRevision(file, end);
    const store = revision && storeOf(revision);
    // What no update replaced is the same value.
    if (revision === undefined || store === undefined || seen.has(store)) continue;
    seen.add(store);
    if (texts.size === 0 && present !== undefined) texts.add(textOf(present) ?? '');
    const text = textOf(store);
    if (text === undefined || texts.has(text)) continue;
    texts.add(text);
    stores.push(readDocumentSecurityStore(revision), readRelatedData(revision));
  }
  return stores;
}

/** The store as it is written, to know it again. */
function textOf(store: PdfObject): string | undefined {
  return readable(() => latin1Text(serializeObject(store)));
}

/** The store; undefined when there is none. */
function storeOf(file: PdfFile): PdfObject | undefined {
  return readable(() => file.resolve(file.catalog.get('DSS'))) ?? undefined;
}

const END_MARK = latin1Bytes('%%EOF');

/**
 * Where the file may have ended once, oldest first: nothing that is added later pushes an earlier
 * store out. The present end of the file is not among them.
 */
function revisionEnds({ source }: PdfFile, fromOffset: number): readonly number[] {
  const toOffset = Math.min(source.lengthBytes, fromOffset + MAX_SEARCHED_BYTES);
  const tail = Buffer.from(source.slice(fromOffset, toOffset));
  const ends: number[] = [];
  let at = tail.indexOf(END_MARK);
  while (at >= 0 && ends.length < MAX_REVISIONS) {
    const next = tail.indexOf(END_MARK, at + END_MARK.length);
    // What stands behind the last mark belongs to the file as it is.
    if (next >= 0 || toOffset < source.lengthBytes) ends.push(fromOffset + at + END_MARK.length);
    at = next;
  }
  return ends;
}
