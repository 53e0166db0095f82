import { resolve } from 'node:path';
import type { VisibleSeal } from '../../app/documents/pdf/visible-seal.ts';
import { defined } from '../../base/defined.ts';
import { locales } from '../../base/words/index.ts';
import { readNamed } from '../../wire/documents.ts';
import { type Given, reading } from '../command/index.ts';
import { refuseUsage } from '../context.ts';
import { inputError } from '../input-error.ts';

const sealCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

const page = reading((text, name): number | 'last' => {
  if (text === 'last') return 'last';
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  const hint = text.toLowerCase() === 'all' ? 'every page: --all-pages' : undefined;
  return refuseUsage(`${name}: expected 1, 2, … or last, found "${text}"`, hint);
});

const rectangle = reading((text, name): readonly [number, number, number, number] => {
  const numbers = text.split(/[\s,]+/).map(Number);
  const [left, bottom, right, top] = numbers as [number, number, number, number];
  if (numbers.length === 4 && numbers.every(Number.isFinite)) return [left, bottom, right, top];
  return refuseUsage(`${name}: expected four numbers such as 20,20,220,90, found "${text}"`);
});

const lines = reading((text) => text.replaceAll('\\n', '\n'));

/** Options of a visible seal; each of them makes the seal visible. */
export const visibleOptions = {
  'Visible seal:': '',
  '--visible': 'draw the seal on the first page, in the first empty area',
  '--invisible': 'do not draw, even in a field with an area',
  '--page <number>': { text: 'page to draw on: 1, 2, … or last', ...page, offered: ['1', 'last'] },
  '--all-pages': 'draw on every page',
  '--corner <name>': { text: 'corner to draw in', choices: sealCorners },
  '--rect <points>': {
    text: 'position: left,bottom,right,top in points of the page as shown',
    ...rectangle,
  },
  '--image <file>': 'logo on the seal, PNG or JPEG',
  '--text <template>': { text: 'lines, such as "# {name}\\n{reason}\\n{time}"', ...lines },
  '--language <code>': { text: `language of the seal: ${locales.join(' ')}`, offered: locales },
  '--qr': 'QR code with the digest of the input, signer and time',
  '--qr-text <template>': { text: 'QR code with this text', ...lines },
} as const;

/**
 * Returns the requested appearance. Undefined if none of the options was given, false for
 * `--invisible`.
 *
 * @throws usage.invalid for contradictory options
 * @throws io.input.notfound, io.input.unreadable for the image
 */
export async function readVisible(
  options: Given<object, typeof visibleOptions>,
  folder: string,
): Promise<VisibleSeal | false | undefined> {
  const { page: number, allPages, corner, rect, text: template, language, qr, qrText } = options;
  if (number !== undefined && allPages) refuseUsage('expected --page or --all-pages, found both');
  if (corner !== undefined && rect !== undefined) {
    refuseUsage('expected --corner or --rect, found both');
  }
  if (qr && qrText !== undefined) refuseUsage('expected --qr or --qr-text, found both');
  const image = options.image === undefined ? undefined : await readImage(options.image, folder);
  const page = number ?? (allPages ? ('all' as const) : undefined);
  const look = defined({ page, corner, rect, template, language, image, qr: qrText ?? qr });
  const isAsked = options.visible === true || Object.keys(look).length > 0;
  if (!options.invisible) return isAsked ? look : undefined;
  if (isAsked) refuseUsage('expected --invisible or options of a visible seal, found both');
  return false;
}

async function readImage(path: string, folder: string): Promise<Uint8Array> {
  try {
    return await readNamed(resolve(folder, path));
  } catch (cause) {
    throw inputError(path, cause, { option: '--image', hint: 'name a PNG or JPEG' });
  }
}
