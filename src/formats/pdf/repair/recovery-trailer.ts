import { latin1Bytes } from '../../../base/bytes.ts';
import {
  asDict,
  asName,
  asReference,
  type PdfDict,
  type PdfObject,
  PdfReference,
} from '../syntax/objects.ts';
import type { FoundTrailer } from './scan/index.ts';

/** The reconstructed trailer of a file without usable cross-reference data. */
export interface RecoveredTrailer {
  readonly trailer: PdfDict;
  /** How the catalog was found; `none` if the trailer has no /Root. */
  readonly root: 'trailer' | 'unchecked' | 'type' | 'none';
  /** The /Root references of the trailers; every catalog if it was found by its type. */
  readonly roots: readonly PdfReference[];
}

/** Marks objects worth inspecting if no trailer references the catalog. */
export const CATALOG = latin1Bytes('/Catalog');

/**
 * Reconstructs a trailer, taking each entry from the newest dictionary with a usable value. In an
 * encrypted file, a catalog in an object stream may be unreadable: its reference is used unchecked.
 */
export function buildTrailer(
  trailers: readonly FoundTrailer[],
  size: number,
  read: (reference: PdfReference) => PdfObject | undefined,
  findCatalogs: () => readonly PdfReference[],
): RecoveredTrailer {
  const newestFirst = trailers.toReversed().map(({ dict }) => dict);
  const pick = (key: string): PdfObject | undefined =>
    newestFirst.map((dict) => dict.get(key)).find((value) => value !== undefined && value !== null);
  const trailer = new Map<string, PdfObject>([['Size', size]]);
  let roots: readonly PdfReference[] = newestFirst
    .map((dict) => asReference(dict.get('Root')))
    .filter((root) => root !== undefined);
  const encrypt = pick('Encrypt');
  let how: RecoveredTrailer['root'] = 'trailer';
  let root = roots.find((candidate) => isCatalog(read(candidate)));
  if (root === undefined) {
    how = 'type';
    const catalogs = findCatalogs();
    root = catalogs.at(-1);
    if (root !== undefined) roots = catalogs;
  }
  if (root === undefined && encrypt !== undefined) {
    how = 'unchecked';
    root = roots[0];
  }
  if (root === undefined) how = 'none';
  else trailer.set('Root', root);
  if (encrypt !== undefined) trailer.set('Encrypt', encrypt);
  const info = pick('Info');
  if (info instanceof PdfReference) trailer.set('Info', info);
  const id = pick('ID');
  if (id !== undefined) trailer.set('ID', id);
  return { trailer, root: how, roots };
}

/** Whether a value can be the root of a document. */
export function isCatalog(value: PdfObject | undefined): boolean {
  const dict = asDict(value);
  return dict !== undefined && (asName(dict.get('Type'))?.value === 'Catalog' || dict.has('Pages'));
}
