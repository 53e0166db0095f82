import {
  encodeText,
  type PdfDict,
  type PdfObject,
  type PdfReference,
  pdfDate,
  pdfName,
} from '../formats/pdf/index.ts';

/** Entries of the signature dictionary other than the signature. All are claims of the signer. */
export interface SignatureDetails {
  readonly reason?: string | undefined;
  readonly location?: string | undefined;
  /** Name of the signer for viewers. Only the certificate is authoritative. */
  readonly name?: string | undefined;
  readonly contact?: string | undefined;
  /** Certification with this DocMDP permission. @spec ISO 32000-1 §12.8.2.2 */
  readonly certify?: 1 | 2 | 3 | undefined;
  /** Signing time claimed by `/M`, epoch milliseconds. */
  readonly signedAtMs: number;
}

/** The lock dictionary of a signature field, and the catalog of its document. */
export interface FieldLock {
  readonly dict: PdfDict;
  readonly catalog: PdfReference;
}

/** Formats of a CMS signature value. @spec ISO 32000-2 §12.8.3.3, ETSI EN 319 142-1 §6.3 */
export type CmsSubFilter = 'ETSI.CAdES.detached' | 'adbe.pkcs7.detached';

/**
 * The entries of a signature dictionary except `/ByteRange` and `/Contents`. There is no `/Cert`:
 * the certificates are in the CMS.
 *
 * @param lock the fields that the signature locks, according to its field
 * @spec ETSI EN 319 142-1 §6.3 table 1
 */
export function signatureEntries(
  details: SignatureDetails,
  subFilter: CmsSubFilter,
  lock?: FieldLock,
): ReadonlyMap<string, PdfObject> {
  const entries = new Map<string, PdfObject>([
    ['Type', pdfName('Sig')],
    ['Filter', pdfName('Adobe.PPKLite')],
    ['SubFilter', pdfName(subFilter)],
    ['M', pdfDate(details.signedAtMs)],
  ]);
  const { name, reason, location, contact, certify } = details;
  const texts = { Name: name, Reason: reason, Location: location, ContactInfo: contact };
  for (const [key, text] of Object.entries(texts)) {
    if (text !== undefined) entries.set(key, encodeText(text));
  }
  const references: PdfObject[] = [];
  if (certify !== undefined) references.push(docMdp(certify));
  if (lock !== undefined) references.push(fieldMdp(lock));
  if (references.length > 0) entries.set('Reference', references);
  return entries;
}

/** @spec ISO 32000-1 §12.8.2.2, tables 253 and 254 */
function docMdp(permission: 1 | 2 | 3): PdfObject {
  const parameters = new Map<string, PdfObject>([
    ['Type', pdfName('TransformParams')],
    ['P', permission],
    ['V', pdfName('1.2')],
  ]);
  return new Map<string, PdfObject>([
    ['Type', pdfName('SigRef')],
    ['TransformMethod', pdfName('DocMDP')],
    ['TransformParams', parameters],
  ]);
}

/**
 * The transform that repeats the lock of the field, so that the signature covers it.
 *
 * @spec ISO 32000-1 §12.8.2.4, table 256; §12.7.4.5
 */
function fieldMdp({ dict, catalog }: FieldLock): PdfObject {
  const parameters = new Map<string, PdfObject>([['Type', pdfName('TransformParams')]]);
  for (const key of ['Action', 'Fields']) {
    const value = dict.get(key);
    if (value !== undefined) parameters.set(key, value);
  }
  parameters.set('V', pdfName('1.2'));
  return new Map<string, PdfObject>([
    ['Type', pdfName('SigRef')],
    ['TransformMethod', pdfName('FieldMDP')],
    ['TransformParams', parameters],
    ['Data', catalog],
  ]);
}

/** The catalog entries of a certification with this signature dictionary. */
export function certification(value: PdfReference): ReadonlyMap<string, PdfObject> {
  return new Map([['Perms', new Map<string, PdfObject>([['DocMDP', value]])]]);
}
