import type { ByteSource } from '../../base/bytes.ts';
import { latin1Text } from '../../base/bytes.ts';
import { looksLikeCms } from '../../formats/cms/index.ts';
import { foreignEncoding } from '../../formats/xml/index.ts';
import { looksLikeZip } from '../../formats/zip/index.ts';

/** Format of a document, as determined by its first bytes. */
export type DocumentFormat = 'pdf' | 'xml' | 'container' | 'cms';

/** Number of bytes in which PDF readers search for the header. */
const HEADER_BYTES = 1024;

const PDF_HEADER = '%PDF-';

/** Whether a document has a PDF header, damaged or not. */
export function saysPdf(source: ByteSource): boolean {
  const start = source.slice(0, Math.min(source.lengthBytes, HEADER_BYTES));
  return !looksLikeZip(start) && latin1Text(start).includes(PDF_HEADER);
}

/**
 * The format as which to read a document. ZIP archives, CMS and XML are recognised by their first
 * bytes, CMS even if it contains a PDF. Everything else is left to the PDF reader, which accepts
 * damaged files and reports what is wrong.
 */
export function documentFormat(source: ByteSource): DocumentFormat {
  const start = source.slice(0, Math.min(source.lengthBytes, HEADER_BYTES));
  if (looksLikeZip(start)) return 'container';
  if (looksLikeCms(start)) return 'cms';
  const text = latin1Text(start);
  if (text.includes(PDF_HEADER)) return 'pdf';
  // Left to the XML reader, which reports the encoding.
  const isForeign = foreignEncoding(start) !== undefined;
  return isForeign || /^(?:\xef\xbb\xbf)?[ \t\r\n]*<[A-Za-z_:!?\x80-\xff]/.test(text)
    ? 'xml'
    : 'pdf';
}
