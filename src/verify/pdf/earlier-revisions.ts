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
  /** Undefined when it had no store, or the one that the file has now. */
  readonly data: StoredValidationData | undefined;
}

/**
 * The stores of the revisions from the first signature on, the oldest first; one for several that
 * have the same.
 *
 * @throws limit.exceeded when there are more revisions than are looked at: one of them may hold the
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

/** The stores that a signature saw, or that came behind it, and that the file has no longer. */
export function storesSince(
  stores: readonly EarlierStore[],
  coveredEnd: number,
): readonly StoredValidationData[] {
  const signed = stores.findLastIndex(({ endBytes }) => endBytes <= coveredEnd);
  return stores.slice(Math.max(0, signed)).flatMap(({ data }) => data ?? []);
}

/** Earlier revisions in which a removed signature is looked for, the newest first. */
const LOOKED_AT_MAX = 64;

/**
 * Names of the fields whose signatures an update removed: those of the newest revision that had
 * any. It is told only where no signature is left; elsewhere a removal is a change of the document.
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

/** Places at which a file may have ended: looking at one takes 0.1 ms. */
const MAX_ENDS = 4_096;

const END_MARK = latin1Bytes('%%EOF');

/**
 * Possible ends of the file after this offset, oldest first: later additions cannot hide an earlier
 * store. The present end of the file is not among them.
 */
function revisionEnds({ source }: PdfFile, fromOffset: number): readonly number[] {
  const ends: number[] = fromOffset < source.lengthBytes ? [fromOffset] : [];
  for (const place of placesOf(source, END_MARK, fromOffset)) {
    if (ends.push(place + END_MARK.length) > MAX_ENDS) throw tooMany();
  }
  // Content after the last mark belongs to the file as it is.
  return ends.slice(0, ends.length > 1 ? -1 : ends.length);
}

function tooMany(): InnsigliError {
  const message = 'more revisions after the first signature than are checked';
  return new InnsigliError('limit.exceeded', message);
}
