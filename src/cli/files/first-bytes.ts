import { type ByteSource, wholeBytes } from '../../base/bytes.ts';

const startBytes = 1024;

/** True for a document that starts like XML. */
export function looksLikeXml(source: ByteSource): boolean {
  return /^(?:\xef\xbb\xbf)?[ \t\r\n]*<[A-Za-z_:!?]/.test(startOf(source));
}

/** True for a document that starts like a ZIP archive. */
export function looksLikeZip(source: ByteSource): boolean {
  return startOf(source).startsWith('PK');
}

/** True for a document with a PDF header near its start. */
export function looksLikePdf(source: ByteSource): boolean {
  return !looksLikeZip(source) && startOf(source).includes('%PDF-');
}

/** True for a document that starts like a CMS file, in DER or PEM. */
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
 * Returns the kind of an ASiC container. Undefined for other documents, including other ZIP
 * archives.
 *
 * @throws container.* if it declares itself a container but is malformed
 */
export async function containerKind(source: ByteSource): Promise<AsicKind | undefined> {
  if (!looksLikeZip(source)) return undefined;
  const { loadContainerTools } = await import('../../wire/toolkit.ts');
  const { givenContainer } = await loadContainerTools();
  const content = wholeBytes(source);
  return givenContainer([{ name: '', content }])?.kind;
}
