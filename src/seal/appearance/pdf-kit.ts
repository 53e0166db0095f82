import { deflateSync } from 'node:zlib';
import type * as PdfLib from 'pdf-lib';

/** The library that builds new PDF content. */
export type PdfKit = typeof PdfLib;

/** The objects of a document that is being built. */
export type PdfContext = PdfLib.PDFContext;

/** Gives pdf-lib; it is read from disk at the first call. */
export async function loadPdfKit(): Promise<PdfKit> {
  // The package's entry reads 300 small files, which takes twice as long as its one-file build.
  // @ts-expect-error: the one-file build has no types of its own, it has those of the package
  const { default: kit } = (await import('pdf-lib/dist/pdf-lib.min.js')) as { default: PdfKit };
  return kit;
}

/** A compressed stream; the compressor of the runtime is ten times as fast as pdf-lib's own. */
export function flateStream(
  context: PdfContext,
  content: string | Uint8Array,
  entries: Readonly<Record<string, number>> = {},
): PdfLib.PDFRawStream {
  return context.stream(deflated(content), { ...entries, Filter: 'FlateDecode' });
}

/** The content of a compressed stream. */
export function deflated(content: string | Uint8Array): Uint8Array {
  return deflateSync(content, { level: 9 });
}
