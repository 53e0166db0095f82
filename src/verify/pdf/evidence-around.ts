import type { PdfFile } from '../../formats/pdf/index.ts';
import {
  cmsData,
  mergeData,
  readRelatedData,
  type StoredValidationData,
} from '../existence/index.ts';
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
    ...earlier.flatMap(({ data }) => data ?? []),
    ...signatures.map(({ contents }) => cmsData(contents)),
  ]);
}
