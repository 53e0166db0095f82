import type { PdfFile } from '../../formats/pdf/index.ts';
import { readRelatedData, type StoredValidationData } from '../document-security-store.ts';
import { cmsData, mergeData } from '../embedded-data.ts';
import type { EarlierStore } from './earlier-revisions.ts';
import type { SignatureObject } from './signature-objects.ts';

/**
 * The validation data of the file outside its newest document security store: in the entries of
 * `/VRI`, in earlier stores that an update replaced or removed, and in the signatures. It tells of
 * revocations as the store does; the level of a signature is by the store alone.
 */
export function collectEvidenceAround(
  file: PdfFile,
  signatures: readonly SignatureObject[],
  earlier: readonly EarlierStore[],
): StoredValidationData {
  return mergeData([
    readRelatedData(file),
    ...earlier.flatMap(({ data }) => (data === undefined ? [] : [data])),
    ...signatures.map(({ contents }) => cmsData(contents)),
  ]);
}
