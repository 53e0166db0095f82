import { type ByteSource, wholeBytes } from '../../base/bytes.ts';

const startBytes = 1024;

/** True for a document that begins as XML does. */
export function looksLikeXml(source: ByteSource): boolean {
  return /^(?:\xef\xbb\xbf)?[ \t\r\n]*<[A-Za-z_:!?]/.test(startOf(source));
}

/** True for a document that begins as a ZIP archive does. */
export function looksLikeZip(source: ByteSource): boolean {
  return startOf(source).startsWith('PK');
}

/** True for a document that has the header of a PDF near its beginning. */
export function looksLikePdf(source: ByteSource): boolean {
  return !looksLikeZip(source) && startOf(source).includes('%PDF-');
}

/** True for a document that begins as a CMS file does, in DER or in the text form of PEM. */
export function looksLikeCms(source: ByteSource): boolean {
  return /^(?:0[\x80-\xff]|(?:\xef\xbb\xbf)?[ \t\r\n]*-----BEGIN )/.test(startOf(source));
}

function startOf(source: ByteSource): string {
  const start = source.slice(0, Math.min(source.lengthBytes, startBytes));
  return Buffer.from(start).toString('latin1');
}

/** Kinds of containers. */
export type AsicKind = 'asic-s' | 'asic-e';

/**
 * The kind of ASiC container of a document; undefined for other documents, including other ZIP
 * archives.
 *
 * @throws container.* when it says that it is one and is not sound
 */
export async function containerKind(source: ByteSource): Promise<AsicKind | undefined> {
  if (!looksLikeZip(source)) return undefined;
  const { loadContainerTools } = await import('../../wire/toolkit.ts');
  const { givenContainer } = await loadContainerTools();
  const content = wholeBytes(source);
  return givenContainer([{ name: '', content }])?.kind;
}
