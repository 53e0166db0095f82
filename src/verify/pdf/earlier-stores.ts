import { latin1Bytes } from '../../base/bytes.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import {
  placesOfStore,
  readDocumentSecurityStore,
  readRelatedData,
  type StoredValidationData,
} from '../document-security-store.ts';
import { mergeData } from '../embedded-data.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';

/** Ends of revisions behind the first signature that are looked at, the oldest first. */
const MAX_REVISIONS = 64;
/** Bytes behind the first signature that are searched for ends of revisions. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024;

/** The validation data of a revision. */
export interface EarlierStore {
  /** Where the revision ended. */
  readonly endBytes: number;
  /** Undefined when it had no store, or the one that the file has now. */
  readonly data: StoredValidationData | undefined;
}

/**
 * The stores of the revisions from the first signature on, the oldest first; one for several that
 * have the same.
 */
export function listEarlierStores(
  file: PdfFile,
  signatures: readonly SignatureObject[],
): readonly EarlierStore[] {
  const [first] = signatures;
  if (first === undefined || first.coveredEnd === 0) return [];
  const stores: EarlierStore[] = [];
  const now = placesOfStore(file);
  let known: string | undefined;
  for (const endBytes of revisionEnds(file, first.coveredEnd)) {
    const revision = findRevision(file, endBytes);
    if (revision === undefined) continue;
    const places = placesOfStore(revision);
    if (places === known && stores.length > 0) continue;
    known = places;
    const isOther = places !== undefined && places !== now;
    const data = isOther
      ? mergeData([readDocumentSecurityStore(revision), readRelatedData(revision)])
      : undefined;
    stores.push({ endBytes, data });
  }
  return stores;
}

/** The stores that a signature saw, or that came behind it, and that the file has no longer. */
export function storesSince(
  stores: readonly EarlierStore[],
  coveredEnd: number,
): readonly StoredValidationData[] {
  const signed = stores.findLastIndex(({ endBytes }) => endBytes <= coveredEnd);
  return stores
    .slice(Math.max(0, signed))
    .flatMap(({ data }) => (data === undefined ? [] : [data]));
}

const END_MARK = latin1Bytes('%%EOF');

/**
 * Where the file may have ended from here on, oldest first: nothing that is added later pushes an
 * earlier store out. The present end of the file is not among them.
 */
function revisionEnds({ source }: PdfFile, fromOffset: number): readonly number[] {
  const toOffset = Math.min(source.lengthBytes, fromOffset + MAX_SEARCHED_BYTES);
  const tail = Buffer.from(source.slice(fromOffset, toOffset));
  const ends: number[] = fromOffset < source.lengthBytes ? [fromOffset] : [];
  let at = tail.indexOf(END_MARK);
  while (at >= 0 && ends.length < MAX_REVISIONS) {
    const next = tail.indexOf(END_MARK, at + END_MARK.length);
    // What stands behind the last mark belongs to the file as it is.
    if (next >= 0 || toOffset < source.lengthBytes) ends.push(fromOffset + at + END_MARK.length);
    at = next;
  }
  return ends;
}
