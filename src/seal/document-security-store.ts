import { latin1Text } from '../base/bytes.ts';
import {
  asArray,
  asDict,
  asReference,
  beginUpdate,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  PdfStream,
  pdfName,
  readUndamaged,
} from '../formats/pdf/index.ts';
import type { ValidationData } from './validation-data.ts';

/**
 * Returns the update that adds validation data to the document security store, or undefined if the
 * store already contains all of it. Existing data is preserved, and duplicates are not stored.
 * Writes no `/VRI`: the baseline profile advises against it and validators do not need it.
 *
 * @spec ETSI EN 319 142-1 §5.4.2, ISO 32000-2 §12.8.4.3
 */
export function addValidationData(file: PdfFile, data: ValidationData): Uint8Array | undefined {
  const update = beginUpdate(file);
  const entry = file.catalog.get('DSS');
  const old = asDict(file.resolve(entry));
  const store = new Map<string, PdfObject>(old ?? [['Type', pdfName('DSS')]]);
  let added = 0;
  const merge = (key: string, values: readonly Uint8Array[]) => {
    const present = asArray(file.resolve(old?.get(key))) ?? [];
    const known = new Set(present.map((item) => streamKey(file, item)));
    const list = [...present];
    for (const value of values) {
      const identity = latin1Text(value);
      if (known.has(identity)) continue;
      known.add(identity);
      const reference = update.allocate();
      update.set(reference, new PdfStream(new Map([['Length', value.length]]), value));
      list.push(reference);
      added++;
    }
    if (list.length > 0) store.set(key, list);
  };
  merge('Certs', data.certificates);
  merge('OCSPs', data.ocsp);
  merge('CRLs', data.crls);
  if (added === 0 && old !== undefined) return undefined;
  const holder: PdfReference | undefined = asReference(entry);
  if (holder !== undefined && old !== undefined) update.set(holder, store);
  else {
    const reference = update.allocate();
    update.set(reference, store);
    update.set(
      file.catalogReference,
      new Map<string, PdfObject>(file.catalog).set('DSS', reference),
    );
  }
  return update.finish().bytes;
}

/** A malformed stream stays in its place, and never counts as a duplicate. */
function streamKey(file: PdfFile, item: PdfObject): string {
  const content = readUndamaged(() => {
    const stream = file.resolve(item);
    return stream instanceof PdfStream ? latin1Text(file.decode(stream)) : '';
  });
  return content ?? '';
}
