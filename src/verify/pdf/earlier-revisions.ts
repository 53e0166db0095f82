import { latin1Bytes } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { listSignatureFields, type PdfFile } from '../../formats/pdf/index.ts';
import {
  mergeData,
  placesOfStore,
  readDocumentSecurityStore,
  readRelatedData,
  type StoredValidationData,
} from '../existence/index.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';
import { placesOf } from './unlisted-objects.ts';

/** The validation data of a revision. */
export interface EarlierStore {
  /** End of the revision in bytes. */
  readonly endBytes: number;
  /** Undefined if it had no store, or the same one as the current file. */
  readonly data: StoredValidationData | undefined;
}

/**
 * Lists the stores of the revisions from the first signature on, oldest first. Consecutive
 * revisions with the same store have one entry.
 *
 * @throws limit.exceeded if there are more revisions than are examined: one of them may contain the
 *   proof of a revocation
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
  let nodesLeft: number = limits.revisionNodes;
  for (const endBytes of revisionEnds(file, first.coveredEnd)) {
    const revision = findRevision(file, endBytes);
    nodesLeft -= 1 + (revision?.sections.length ?? 0);
    if (nodesLeft < 0) throw tooMany();
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

/** The stores in or after the revision of a signature that the current file no longer has. */
export function storesSince(
  stores: readonly EarlierStore[],
  coveredEnd: number,
): readonly StoredValidationData[] {
  const signed = stores.findLastIndex(({ endBytes }) => endBytes <= coveredEnd);
  return stores.slice(Math.max(0, signed)).flatMap(({ data }) => data ?? []);
}

/** Number of earlier revisions searched for a removed signature, newest first. */
const LOOKED_AT_MAX = 64;

/**
 * Names of the fields whose signatures an update removed: those of the latest revision that had
 * any. Used only if no signature remains; otherwise a removal is a change to the document.
 */
export function listRemovedSignatures(file: PdfFile): readonly string[] {
  if (file.sections.length < 2) return [];
  const ends = attempt(() => revisionEnds(file, 0)) ?? [];
  for (const endBytes of ends.slice(-LOOKED_AT_MAX).reverse()) {
    const revision = endBytes === 0 ? undefined : findRevision(file, endBytes);
    const fields = attempt(() => revision && listSignatureFields(revision)) ?? [];
    const names = fields.filter(({ value }) => value !== undefined).map(({ name }) => name);
    if (names.length > 0) return [...new Set(names)].slice(0, limits.reportFindings);
  }
  return [];
}

/** Maximum number of possible ends of a revision. Examining one takes 0.1 ms. */
const MAX_ENDS = 4_096;

const END_MARK = latin1Bytes('%%EOF');

/**
 * Possible ends of revisions after this offset, oldest first, so that later additions cannot hide
 * an earlier store. The current end of the file is not included.
 */
function revisionEnds({ source }: PdfFile, fromOffset: number): readonly number[] {
  const ends: number[] = fromOffset < source.lengthBytes ? [fromOffset] : [];
  for (const place of placesOf(source, END_MARK, fromOffset)) {
    if (ends.push(place + END_MARK.length) > MAX_ENDS) throw tooMany();
  }
  // Content after the last marker belongs to the current file.
  return ends.slice(0, ends.length > 1 ? -1 : ends.length);
}

function tooMany(): InnsigliError {
  const message = 'more revisions after the first signature than are checked';
  return new InnsigliError('limit.exceeded', message);
}
