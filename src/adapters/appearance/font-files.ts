import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InnsigliError } from '../../base/errors.ts';
import { parseTrueType, type TrueTypeFont } from '../../formats/font/index.ts';

/** The fonts of stamps: Noto Sans, under the SIL Open Font License 1.1. The build copies them. */
const fontFiles = {
  regular: 'NotoSans_400Regular.ttf',
  bold: 'NotoSans_700Bold.ttf',
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

async function readFont(file: string): Promise<TrueTypeFont> {
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  return parseTrueType(await readFontFile(dirname(manifest), file));
}

/** The bytes of a font of the package whose folder is `root`. @throws font.invalid */
export async function readFontFile(root: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, 'dist/fonts', file));
  } catch (cause) {
    // Packages have no sources: with them it is a clone, where the build makes dist.
    const isClone = existsSync(join(root, 'src'));
    throw new InnsigliError('font.invalid', `the font ${file} cannot be read`, {
      cause,
      hint: isClone ? 'run npm run build to copy it' : 'reinstall the package',
    });
  }
}
