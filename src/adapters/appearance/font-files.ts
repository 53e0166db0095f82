import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InnsigliError } from '../../base/errors.ts';
import { parseTrueType, type TrueTypeFont } from '../../formats/font/index.ts';

/** The fonts of stamps: Noto Sans, under the SIL Open Font License 1.1. */
const fontFiles = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
} as const;

let reading: Promise<{ readonly regular: TrueTypeFont; readonly bold: TrueTypeFont }> | undefined;

/**
 * The bundled fonts: Latin with all its additions, Greek, Cyrillic, Vietnamese. They are read
 * once and kept.
 *
 * @throws font.invalid when a file is missing or damaged
 */
export function readStampFonts(): Promise<{
  readonly regular: TrueTypeFont;
  readonly bold: TrueTypeFont;
}> {
  reading ??= readBoth();
  return reading;
}

async function readBoth(): Promise<{
  readonly regular: TrueTypeFont;
  readonly bold: TrueTypeFont;
}> {
  const [regular, bold] = await Promise.all([
    readFont(fontFiles.regular),
    readFont(fontFiles.bold),
  ]);
  return { regular, bold };
}

async function readFont(specifier: string): Promise<TrueTypeFont> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(createRequire(import.meta.url).resolve(specifier));
  } catch (cause) {
    throw new InnsigliError('font.invalid', `the font ${specifier} cannot be read`, {
      cause,
      hint: 'install the package again',
    });
  }
  return parseTrueType(bytes);
}
