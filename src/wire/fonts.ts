import type { StampFonts } from '../seal/appearance/index.ts';

/** The bundled fonts of visible seals, read from disk on the first call. @throws font.invalid */
export async function loadFonts(): Promise<StampFonts> {
  const { readStampFonts } = await import('../adapters/appearance/index.ts');
  return readStampFonts();
}
