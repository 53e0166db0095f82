import { deflateSync } from 'node:zlib';
import type * as PdfLib from 'pdf-lib';

/** The library that builds new PDF content. */
export type PdfKit = typeof PdfLib;

/** The objects of a document under construction. */
export type PdfContext = PdfLib.PDFContext;

/** Loads pdf-lib from disk on the first call. */
export async function loadPdfKit(): Promise<PdfKit> {
  // The package's entry reads 300 small files, which takes twice as long as its one-file build.
  // @ts-expect-error: the one-file build has no types of its own, it has those of the package
  const { default: kit } = (await import('pdf-lib/dist/pdf-lib.min.js')) as { default: PdfKit };
  return kit;
}

/** A compressed stream. The compressor of the runtime is ten times as fast as that of pdf-lib. */
export function flateStream(
  context: PdfContext,
  content: string | Uint8Array,
): PdfLib.PDFRawStream {
  return context.stream(deflated(content), { Filter: 'FlateDecode' });
}

/** The content of a compressed stream. */
export function deflated(content: string | Uint8Array): Uint8Array {
  return deflateSync(content, { level: 9 });
}

/**
 * The sRGB colour space without a profile. PDF/A permits it whatever the output intent of the
 * document is.
 *
 * @spec ISO 32000-1 §8.6.5.3
 */
export function calibratedRgb(context: PdfContext): ReturnType<PdfContext['obj']> {
  const whitePoint = [0.9505, 1, 1.089];
  const matrix = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505];
  return context.obj([
    'CalRGB',
    { WhitePoint: whitePoint, Gamma: [2.2, 2.2, 2.2], Matrix: matrix },
  ]);
}
