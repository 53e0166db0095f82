import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { VisibleSeal } from '../app/documents/pdf/visible-seal.ts';
import { InnsigliError } from '../base/errors.ts';
import { locales } from '../base/locale.ts';
import { foundInstead, readNamed } from '../wire/documents.ts';
import { refuseUsage } from './context.ts';
import { noFileError } from './no-file.ts';

/** What the options of {@link addVisibleOptions} give. */
export interface VisibleOptions {
  readonly visible?: boolean;
  readonly invisible?: boolean;
  readonly page?: string;
  readonly allPages?: boolean;
  readonly corner?: NonNullable<VisibleSeal['corner']>;
  readonly rect?: string;
  readonly image?: string;
  readonly qr?: boolean;
  readonly qrText?: string;
  readonly text?: string;
  readonly language?: string;
}

/** Where a seal can be drawn, for {@link VisibleOptions.corner}. */
export const sealCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

/** Adds the options of a visible seal to a command; each of them makes the seal visible. */
export function addVisibleOptions(command: Command): Command {
  return command
    .optionsGroup('Visible seal:')
    .option('--visible', 'draw the seal on the first page, in the first place that covers nothing')
    .option('--invisible', 'do not draw, not even in a field that has an area')
    .option('--page <number>', 'page to draw on: 1, 2, … or last')
    .option('--all-pages', 'draw on every page')
    .addOption(new Option('--corner <name>', 'corner to draw in').choices(sealCorners))
    .option('--rect <points>', 'place: left,bottom,right,top in points of the page as shown')
    .option('--image <file>', 'logo on the seal, PNG or JPEG')
    .option('--text <template>', 'lines, such as "# {name}\\n{reason}\\n{time}"')
    .option('--language <code>', `words of the seal: ${locales.join(' ')}`)
    .option('--qr', 'QR code with the digest of the input, signer and time')
    .option('--qr-text <template>', 'QR code with this text');
}

/**
 * The look that was asked for; undefined when none of the options was given, false for
 * `--invisible`.
 *
 * @throws usage.invalid for options that contradict each other
 * @throws io.input.notfound, io.input.unreadable for the image
 */
export async function readVisible(
  options: VisibleOptions,
  folder: string,
): Promise<VisibleSeal | false | undefined> {
  const { corner, text, language, image, qr, qrText, allPages } = options;
  const page = options.page === undefined ? undefined : readPage(options.page);
  if (page !== undefined && allPages === true) {
    refuseUsage('expected --page or --all-pages, found both');
  }
  if (corner !== undefined && options.rect !== undefined) {
    refuseUsage('expected --corner or --rect, found both');
  }
  if (qr === true && qrText !== undefined) refuseUsage('expected --qr or --qr-text, found both');
  const wish: VisibleSeal = {
    ...(page === undefined ? {} : { page }),
    ...(allPages === true ? { page: 'all' as const } : {}),
    ...(corner === undefined ? {} : { corner }),
    ...(options.rect === undefined ? {} : { rect: readRect(options.rect) }),
    ...(text === undefined ? {} : { template: text.replaceAll('\\n', '\n') }),
    ...(language === undefined ? {} : { language }),
    ...(image === undefined ? {} : { image: await readImage(image, folder) }),
    ...(qr === true ? { qr } : {}),
    ...(qrText === undefined ? {} : { qr: qrText.replaceAll('\\n', '\n') }),
  };
  const isWished = options.visible === true || Object.keys(wish).length > 0;
  if (options.invisible === true) {
    if (isWished) refuseUsage('--invisible: found options of a visible seal');
    return false;
  }
  return isWished ? wish : undefined;
}

function readPage(text: string): number | 'last' {
  if (text === 'last') return 'last';
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  const hint = text.toLowerCase() === 'all' ? 'every page: --all-pages' : undefined;
  return refuseUsage(`--page: expected 1, 2, … or last, found "${text}"`, hint);
}

function readRect(text: string): readonly [number, number, number, number] {
  const numbers = text.split(/[\s,]+/).map(Number);
  const [left, bottom, right, top] = numbers as [number, number, number, number];
  if (numbers.length === 4 && numbers.every(Number.isFinite)) return [left, bottom, right, top];
  return refuseUsage(`--rect: expected four numbers such as 20,20,220,90, found "${text}"`);
}

async function readImage(path: string, folder: string): Promise<Uint8Array> {
  try {
    return await readNamed(resolve(folder, path));
  } catch (cause) {
    const { code: reason = 'unknown' } = cause as NodeJS.ErrnoException;
    const context = { cause, details: { file: path, reason }, hint: 'name a PNG or JPEG' };
    if (reason === 'ENOENT') {
      throw new InnsigliError('io.input.notfound', `--image: no such file: ${path}`, context);
    }
    const found = foundInstead(cause);
    if (found !== undefined) throw noFileError(`--image: ${path}`, found, cause);
    const why = { EISDIR: 'it is a folder', EACCES: 'permission denied' }[reason] ?? reason;
    const message = `--image: ${path} cannot be read: ${why}`;
    throw new InnsigliError('io.input.unreadable', message, context);
  }
}
