import type { ByteSource } from '../../base/bytes.ts';
import { latin1Text } from '../../base/bytes.ts';
import { looksLikeCms } from '../../formats/cms/index.ts';
import { foreignEncoding } from '../../formats/xml/index.ts';
import { looksLikeZip } from '../../formats/zip/index.ts';

/** Format of a document, as far as its first bytes tell. */
export type DocumentFormat = 'pdf' | 'xml' | 'container' | 'cms';

/** Number of bytes in which readers of PDF look for its header. */
const HEADER_BYTES = 1024;

const PDF_HEADER = '%PDF-';

/** True when a document says that it is a PDF, damaged or not. */
export function saysPdf(source: ByteSource): boolean {
  const start = source.slice(0, Math.min(source.lengthBytes, HEADER_BYTES));
  return !looksLikeZip(start) && latin1Text(start).includes(PDF_HEADER);
}

/**
 * The format to read a document as. A ZIP archive, CMS and XML are known by their beginning, CMS
 * also when it holds a PDF; everything else is left to the PDF reader, which takes damaged files
 * too and says what is wrong.
 */
export function documentFormat(source: ByteSource): DocumentFormat {
  const start = source.slice(0, Math.min(source.lengthBytes, HEADER_BYTES));
  if (looksLikeZip(start)) return 'container';
  if (looksLikeCms(start)) return 'cms';
  const text = latin1Text(start);
  if (text.includes(PDF_HEADER)) return 'pdf';
  // Told by the reader of XML, which says what the document is encoded in.
  const isForeign = foreignEncoding(start) !== undefined;
  return isForeign || /^(?:\xef\xbb\xbf)?[ \t\r\n]*<[A-Za-z_:!?\x80-\xff]/.test(text)
    ? 'xml'
    : 'pdf';
}
