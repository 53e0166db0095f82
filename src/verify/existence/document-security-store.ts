import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  asArray,
  asDict,
  asInteger,
  type PdfFile,
  type PdfObject,
  PdfReference,
  PdfStream,
  readUndamaged,
} from '../../formats/pdf/index.ts';

/** DER-encoded certificates, OCSP responses and CRLs of a document security store. */
export interface StoredValidationData {
  readonly certificates: readonly Uint8Array[];
  readonly ocsp: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/** No validation data. */
export const NOTHING: StoredValidationData = { certificates: [], ocsp: [], crls: [] };

/**
 * Reads the `/DSS` of the file. Unreadable streams are omitted.
 *
 * @throws limit.exceeded if it contains more than is read
 * @spec ISO 32000-2 §12.8.4.3
 */
export function readDocumentSecurityStore(file: PdfFile): StoredValidationData {
  const store = asDict(file.resolve(file.catalog.get('DSS')));
  const values = (key: string) => {
    const items = requireFew(asArray(file.resolve(store?.get(key))) ?? [], limits.certificates);
    return items.flatMap((item) => readStream(file, item) ?? []);
  };
  return { certificates: values('Certs'), ocsp: values('OCSPs'), crls: values('CRLs') };
}

/**
 * Reads the entries of `/VRI` for all signatures. ISO 32000-2 requires the lists of `/DSS` to
 * contain all of this data, too, but some files do not comply.
 *
 * @throws limit.exceeded if it contains more than is read
 * @spec ISO 32000-2 §12.8.4.4
 */
export function readRelatedData(file: PdfFile): StoredValidationData {
  const store = asDict(file.resolve(file.catalog.get('DSS')));
  const related = asDict(file.resolve(store?.get('VRI')));
  if (store === undefined || related === undefined) return NOTHING;
  const listed = ['Certs', 'OCSPs', 'CRLs'].flatMap(
    (key) => asArray(file.resolve(store.get(key))) ?? [],
  );
  const seen = new Set(listed.flatMap(referenceKey));
  const isNew = (item: PdfObject) => {
    const [key] = referenceKey(item);
    if (key === undefined) return true;
    return !seen.has(key) && seen.add(key) !== undefined;
  };
  const entries = requireFew([...related.keys()], limits.signatures).map((name) =>
    asDict(file.resolve(related.get(name))),
  );
  const values = (key: string) => {
    const items = entries.flatMap((entry) => asArray(file.resolve(entry?.get(key))) ?? []);
    const others = requireFew(items.filter(isNew), limits.certificates);
    return others.flatMap((item) => readStream(file, item) ?? []);
  };
  return { certificates: values('Cert'), ocsp: values('OCSP'), crls: values('CRL') };
}

function referenceKey(item: PdfObject): string[] {
  return item instanceof PdfReference ? [`${item.objectNumber} ${item.generation}`] : [];
}

function readStream(file: PdfFile, item: PdfObject): Uint8Array | undefined {
  return readUndamaged(() => {
    const stream = file.resolve(item);
    if (!(stream instanceof PdfStream)) return undefined;
    requireShort(asInteger(file.resolve(stream.dict.get('Length'))) ?? 0);
    const value = file.decode(stream);
    requireShort(value.length);
    return value;
  });
}

/**
 * The positions of the streams of the store, which identify it: two stores with the same text may
 * contain different data. Undefined without a store.
 */
export function placesOfStore(file: PdfFile): string | undefined {
  return readUndamaged(() => {
    const store = asDict(file.resolve(file.catalog.get('DSS')));
    if (store === undefined) return undefined;
    const related = asDict(file.resolve(store.get('VRI')));
    const entries = [...(related?.values() ?? [])].slice(0, limits.signatures);
    const lists = entries.flatMap((entry) => {
      const dict = asDict(file.resolve(entry));
      return ['Cert', 'OCSP', 'CRL'].map((key) => dict?.get(key));
    });
    for (const key of ['Certs', 'OCSPs', 'CRLs']) lists.push(store.get(key));
    return lists.map((list) => placesOf(file, list)).join(';');
  });
}

function placesOf(file: PdfFile, list: PdfObject | undefined): string {
  const items = (asArray(file.resolve(list)) ?? []).slice(0, limits.certificates);
  return items
    .map((item) => {
      if (!(item instanceof PdfReference)) return '';
      const place = file.locate(item.objectNumber);
      const isAlone = place?.kind === 'offset' && saysAll(file, item);
      // If it refers to other objects, their contents may differ between revisions, wherever it is.
      const where = isAlone ? place.offsetBytes : `-${file.source.lengthBytes}`;
      return `${item.objectNumber}@${where}`;
    })
    .join(' ');
}

/** True if the object is a stream that can be read without any other object. */
function saysAll(file: PdfFile, item: PdfReference): boolean {
  const stream = attempt(() => file.read(item));
  return stream instanceof PdfStream && !hasReference(stream.dict);
}

function hasReference(value: PdfObject): boolean {
  if (value instanceof PdfReference) return true;
  return [...(asArray(value) ?? asDict(value)?.values() ?? [])].some(hasReference);
}

function requireFew<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length > most) throw excess(values.length, 'entries in /DSS', most);
  return values;
}

/** Rejects documents with too much validation data: an omitted part could prove a revocation. */
function requireShort(lengthBytes: number): void {
  if (lengthBytes <= limits.evidenceBytes) return;
  throw excess(lengthBytes, 'bytes of validation data', limits.evidenceBytes);
}

function excess(found: number, what: string, expected: number): InnsigliError {
  const message = `${found} ${what}: at most ${expected} are read`;
  return new InnsigliError('limit.exceeded', message, { details: { what, expected } });
}
