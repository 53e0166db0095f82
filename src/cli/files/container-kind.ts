import { type ByteSource, wholeBytes } from '../../base/bytes.ts';
import { looksLikeZip } from './first-bytes.ts';

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
