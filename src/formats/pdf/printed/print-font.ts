import { latin1Text } from '../../../base/bytes.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asNumber,
  asStream,
  type PdfDict,
  type PdfObject,
} from '../objects.ts';
import { type CodeReader, codesOf, singleBytes } from './character-codes.ts';
import { usualWidths } from './font-widths.table.ts';

/** What is needed of a font to know where its letters stand. Lengths are parts of the size. */
export interface PrintFont {
  /** The character codes of a string. */
  readonly codes: CodeReader;
  readonly isVertical: boolean;
  readonly ascent: number;
  /** Mostly negative. */
  readonly descent: number;
  widthOf(code: number): number;
  /** True for a code that leaves the page blank. */
  isBlank(code: number): boolean;
}

/** How objects that a font refers to are read. */
export interface FontSource {
  resolve(value: PdfObject | undefined): PdfObject;
  /** Decoded data of a stream, undefined when it is damaged or too long. */
  decode(value: PdfObject | undefined): Uint8Array | undefined;
}

/** For text in a font that is not there. */
export const unknownFont: PrintFont = {
  codes: singleBytes,
  isVertical: false,
  ascent: 0.95,
  descent: -0.35,
  widthOf: (code) => usualWidth(code),
  isBlank: (code) => code === 0x20,
};

/** @spec ISO 32000-1 §9.6, §9.7 */
export function readPrintFont(font: PdfDict, source: FontSource): PrintFont {
  const kind = asName(source.resolve(font.get('Subtype')))?.value;
  if (kind === 'Type0') return readComposite(font, source);
  return kind === 'Type3' ? readType3(font, source) : readSimple(font, source);
}

function readSimple(font: PdfDict, source: FontSource): PrintFont {
  const descriptor = asDict(source.resolve(font.get('FontDescriptor')));
  const name = asName(source.resolve(font.get('BaseFont')))?.value ?? '';
  const widths = widthsOf(font, source);
  const missing = asNumber(source.resolve(descriptor?.get('MissingWidth'))) ?? 0;
  const isFixed = name.includes('Courier');
  const isSymbols = /Symbol|Dingbats/.test(name);
  const blank = blankCodes(font, source);
  return {
    codes: singleBytes,
    isVertical: false,
    ...heightsOf(descriptor, source),
    widthOf(code) {
      if (widths !== undefined) return (widths.get(code) ?? missing) / 1000;
      if (isSymbols) return 0.95;
      return isFixed ? 0.6 : usualWidth(code);
    },
    isBlank: (code) => (blank.size === 0 ? code === 0x20 : blank.has(code)),
  };
}

/** Type 3 measures in units of its own; its letters may be as high as its box. */
function readType3(font: PdfDict, source: FontSource): PrintFont {
  const matrix = (asArray(source.resolve(font.get('FontMatrix'))) ?? []).map(
    (each) => asNumber(source.resolve(each)) ?? 0,
  );
  const [across = 0.001, , , up = 0.001] = matrix;
  const box = (asArray(source.resolve(font.get('FontBBox'))) ?? []).map(
    (each) => asNumber(source.resolve(each)) ?? 0,
  );
  const [, bottom = 0, , top = 0] = box;
  const heights = [bottom * up, top * up].sort((a, b) => a - b) as [number, number];
  const isKnown = heights[1] > heights[0] && heights[1] < 3 && heights[0] > -3;
  const widths = widthsOf(font, source);
  const blank = blankCodes(font, source);
  return {
    codes: singleBytes,
    isVertical: false,
    ascent: isKnown ? heights[1] : 0.95,
    descent: isKnown ? heights[0] : -0.35,
    widthOf: (code) => (widths?.get(code) ?? 0) * Math.abs(across),
    isBlank: (code) => blank.has(code),
  };
}

function readComposite(font: PdfDict, source: FontSource): PrintFont {
  const [first] = asArray(source.resolve(font.get('DescendantFonts'))) ?? [];
  const descendant = asDict(source.resolve(first));
  const encoding = source.resolve(font.get('Encoding'));
  const name = asName(encoding)?.value ?? '';
  const program = asStream(encoding) === undefined ? undefined : source.decode(encoding);
  const isIdentity = name.startsWith('Identity');
  const mode = asStream(encoding)?.dict.get('WMode');
  const widths = isIdentity ? cidWidths(descendant, source) : new Map<number, number>();
  const usual = asNumber(source.resolve(descendant?.get('DW'))) ?? 1000;
  const blank = blankCodes(font, source);
  return {
    codes: codesOf(name, program),
    isVertical: name.endsWith('-V') || name === 'V' || asInteger(source.resolve(mode)) === 1,
    ...heightsOf(asDict(source.resolve(descendant?.get('FontDescriptor'))), source),
    widthOf: (code) => (widths.get(code) ?? usual) / 1000,
    isBlank: (code) => blank.has(code),
  };
}

function widthsOf(font: PdfDict, source: FontSource): ReadonlyMap<number, number> | undefined {
  const list = asArray(source.resolve(font.get('Widths')));
  if (list === undefined) return undefined;
  const first = asInteger(source.resolve(font.get('FirstChar'))) ?? 0;
  const widths = new Map<number, number>();
  for (const [index, item] of list.slice(0, 256).entries()) {
    const width = asNumber(source.resolve(item));
    if (width !== undefined) widths.set(first + index, width);
  }
  return widths;
}

/** Ranges longer than this are not kept code by code: the usual width is near enough. */
const RANGE = 4_096;
const CIDS = 65_536;

/** @spec ISO 32000-1 §9.7.4.3 */
function cidWidths(font: PdfDict | undefined, source: FontSource): Map<number, number> {
  const widths = new Map<number, number>();
  const list = asArray(source.resolve(font?.get('W'))) ?? [];
  for (let at = 0; at + 1 < list.length && widths.size < CIDS; ) {
    const first = asInteger(source.resolve(list[at]));
    const second = source.resolve(list[at + 1]);
    const each = asArray(second);
    if (first === undefined) return widths;
    if (each !== undefined) {
      for (const [index, item] of each.slice(0, CIDS).entries()) {
        const width = asNumber(source.resolve(item));
        if (width !== undefined) widths.set(first + index, width);
      }
      at += 2;
      continue;
    }
    const last = Math.min(asInteger(second) ?? first, first + RANGE);
    const width = asNumber(source.resolve(list[at + 2]));
    for (let cid = first; width !== undefined && cid <= last; cid++) widths.set(cid, width);
    at += 3;
  }
  return widths;
}

/** What the descriptor says, as far as letters can be that high; else what most fonts have. */
function heightsOf(
  descriptor: PdfDict | undefined,
  source: FontSource,
): { readonly ascent: number; readonly descent: number } {
  const read = (key: string): number =>
    Math.abs(asNumber(source.resolve(descriptor?.get(key))) ?? 0) / 1000;
  const [ascent, descent] = [read('Ascent'), read('Descent')];
  return {
    ascent: ascent === 0 || ascent > 3 ? 0.95 : Math.max(ascent, 0.7),
    descent: descent === 0 || descent > 3 ? -0.35 : -Math.max(descent, 0.2),
  };
}

/** The codes that stand for spaces, as far as the font tells. */
function blankCodes(font: PdfDict, source: FontSource): ReadonlySet<number> {
  const blank = new Set<number>();
  const encoding = asDict(source.resolve(font.get('Encoding')));
  let code = 0;
  for (const item of (asArray(source.resolve(encoding?.get('Differences'))) ?? []).slice(0, 1024)) {
    const number = asInteger(item);
    if (number !== undefined) code = number;
    else if (asName(item)?.value === 'space') blank.add(code++);
    else code++;
  }
  const map = source.decode(font.get('ToUnicode'));
  if (map === undefined) return blank;
  const text = latin1Text(map.subarray(0, 65_536));
  for (const [, digits = ''] of text.matchAll(/<([\da-f]{2,8})>\s*<00(?:20|a0)>/gi)) {
    // In a range the pair is the last code and what the first one stands for.
    blank.add(Number.parseInt(digits, 16));
  }
  return blank;
}

function usualWidth(code: number): number {
  return (usualWidths[code - 0x20] ?? 600) / 1000;
}
