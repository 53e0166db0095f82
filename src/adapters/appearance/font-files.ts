import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InnsigliError } from '../../base/errors.ts';
import { parseTrueType, type TrueTypeFont } from '../../formats/font/index.ts';

/** Fonts of the stamps: Noto Sans, under SIL Open Font License 1.1. The build copies the files. */
const fontFiles = {
  regular: 'NotoSans_400Regular.ttf',
  bold: 'NotoSans_700Bold.ttf',
} as const;

let reading: Promise<{ readonly regular: TrueTypeFont; readonly bold: TrueTypeFont }> | undefined;

/**
 * Returns the bundled fonts, which cover Latin including its extensions, Greek, Cyrillic and
 * Vietnamese. They are read once and cached.
 *
 * @throws font.invalid if a file is missing or damaged
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

/** Reads a font file of the package whose folder is `root`. @throws font.invalid */
export async function readFontFile(root: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, 'dist/fonts', file));
  } catch (cause) {
    // A published package has no `src` folder; a clone has one, and its build creates `dist`.
    const isClone = existsSync(join(root, 'src'));
    throw new InnsigliError('font.invalid', `the font ${file} cannot be read`, {
      cause,
      hint: isClone ? 'run npm run build to copy it' : 'reinstall the package',
    });
  }
}
