import { isInnsigliError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import {
  asArray,
  asDict,
  isBudgetExceeded,
  type PdfFile,
  type PdfObject,
  PdfStream,
} from '../formats/pdf/index.ts';

/** Certificates, OCSP responses and CRLs of a document security store, DER. */
export interface StoredValidationData {
  readonly certificates: readonly Uint8Array[];
  readonly ocsp: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/**
 * What `/DSS` of the file holds; unreadable streams are passed over.
 *
 * @spec ISO 32000-2 §12.8.4.3
 */
export function readDocumentSecurityStore(file: PdfFile): StoredValidationData {
  const store = asDict(file.resolve(file.catalog.get('DSS')));
  const values = (key: string) => {
    const items = asArray(file.resolve(store?.get(key))) ?? [];
    return items.slice(0, limits.certificates).flatMap((item) => readStream(file, item));
  };
  return { certificates: values('Certs'), ocsp: values('OCSPs'), crls: values('CRLs') };
}

function readStream(file: PdfFile, item: PdfObject): Uint8Array[] {
  try {
    const stream = file.resolve(item);
    return stream instanceof PdfStream ? [file.decode(stream)] : [];
  } catch (error) {
    // When all that the file may decode to is used up, what follows it is not checked.
    if (isInnsigliError(error) && !isBudgetExceeded(error)) return [];
    throw error;
  }
}
