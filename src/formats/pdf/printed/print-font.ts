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
  type PdfStream,
} from '../syntax/objects.ts';
import { type CodeReader, codesOf, PROGRAM_BYTES, singleBytes } from './character-codes.ts';
import { usualWidths } from './font-widths.table.ts';
import { type Area, areaAround, cornersOf, type Matrix } from './matrix.ts';
import { areaOf, matrixOf } from './painting/operands.ts';

/** Properties of a font for locating its letters. Lengths are relative to the font size. */
export interface PrintFont {
  /** Splits a string into character codes. */
  readonly codes: CodeReader;
  readonly isVertical: boolean;
  readonly ascent: number;
  /** Usually negative. */
  readonly descent: number;
  widthOf(code: number): number;
  /** Whether a code paints nothing. */
  isBlank(code: number): boolean;
  /** Returns the painted area of the glyph of a code, for glyphs with content streams. */
  reachOf?(code: number): GlyphReach;
}

/** The rectangle around a glyph, relative to the font size; undefined if it paints nothing. */
export type GlyphReach = Area | 'unknown' | undefined;

/** Kinds of data read from objects that fonts share. One stream can serve as several. */
export type FontPart = 'widths' | 'codes' | 'blanks';

/** Access to the objects that a font refers to. */
export interface FontSource {
  resolve(value: PdfObject | undefined): PdfObject;
  /** Returns the decoded data of a stream; undefined if it is damaged or too long. */
  decode(value: PdfObject | undefined): Uint8Array | undefined;
  /** Returns the result of `read` for an object that fonts can share; cached. */
  once<T>(kind: FontPart, part: PdfDict | PdfStream, read: () => T): T;
  /** Returns the painted area of a glyph with a content stream, in glyph space. */
  reachOf(glyph: PdfStream, resources: PdfDict | undefined): GlyphReach;
  /** Subtracts the steps of a loop over file data from the budget. @throws limit.exceeded */
  spend(steps: number): void;
}

/** Cost of storing a width or a name, in steps. */
const NOTE = 4;

/** Default heights of letters for fonts that do not state them. */
export const usualHeights = { ascent: 0.95, descent: -0.35 } as const;

/** Substitute for a missing font. */
export const unknownFont: PrintFont = {
  codes: singleBytes,
  isVertical: false,
  ...usualHeights,
  widthOf: (code) => usualWidth(code),
  isBlank: (code) => code === 0x20,
};

/** Reads the properties of a font. @spec ISO 32000-1 §9.6, §9.7 */
export function readPrintFont(font: PdfDict, source: FontSource): PrintFont {
  const kind = asName(source.resolve(font.get('Subtype')))?.value;
  if (kind === 'Type0') return readComposite(font, source);
  return kind === 'Type3' ? readType3(font, source) : readSimple(font, source);
}

function readSimple(font: PdfDict, source: FontSource): PrintFont {
  const descriptor = asDict(source.resolve(font.get('FontDescriptor')));
  const name = fontName(source.resolve(font.get('BaseFont')));
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

/** Type 3 fonts have their own units; letters are assumed to be as high as the font box. */
function readType3(font: PdfDict, source: FontSource): PrintFont {
  const matrix = matrixOf(source.resolve(font.get('FontMatrix')), source);
  const [across, , , up] = matrix ?? [0.001, 0, 0, 0.001];
  const [, bottom, , top] = areaOf(source.resolve(font.get('FontBBox')), source) ?? [0, 0, 0, 0];
  const heights = [bottom * up, top * up].sort((a, b) => a - b) as [number, number];
  const isKnown = heights[1] > heights[0];
  const widths = widthsOf(font, source);
  const blank = blankCodes(font, source);
  return {
    codes: singleBytes,
    isVertical: false,
    ascent: isKnown ? heights[1] : usualHeights.ascent,
    descent: isKnown ? heights[0] : usualHeights.descent,
    widthOf: (code) => (widths?.get(code) ?? 0) * Math.abs(across),
    isBlank: (code) => blank.has(code),
    reachOf: glyphReaches(font, matrix ?? [0.001, 0, 0, 0.001, 0, 0], source),
  };
}

/** Glyphs can paint beyond the font box, so each glyph shown is measured once. */
function glyphReaches(
  font: PdfDict,
  matrix: Matrix,
  source: FontSource,
): (code: number) => GlyphReach {
  const names = glyphNames(font, source);
  const glyphs = asDict(source.resolve(font.get('CharProcs')));
  const resources = asDict(source.resolve(font.get('Resources')));
  const known = new Map<number, GlyphReach>();
  return (code) => {
    if (known.has(code)) return known.get(code);
    const name = names.get(code);
    const glyph = name === undefined ? undefined : asStream(source.resolve(glyphs?.get(name)));
    const reach = glyph === undefined ? undefined : source.reachOf(glyph, resources);
    const isArea = reach !== undefined && reach !== 'unknown';
    const own = isArea ? areaAround(cornersOf(reach, matrix)) : reach;
    known.set(code, own);
    return own;
  };
}

/** Glyph names by code. @spec ISO 32000-1 §9.6.5 */
function glyphNames(font: PdfDict, source: FontSource): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const encoding = asDict(source.resolve(font.get('Encoding')));
  const differences = asArray(source.resolve(encoding?.get('Differences'))) ?? [];
  source.spend(Math.min(differences.length, 1024));
  let code = 0;
  for (const item of differences.slice(0, 1024)) {
    const name = asName(item)?.value;
    if (name === undefined) code = asInteger(item) ?? code;
    else names.set(code++, name);
  }
  return names;
}

function readComposite(font: PdfDict, source: FontSource): PrintFont {
  const [first] = asArray(source.resolve(font.get('DescendantFonts'))) ?? [];
  const descendant = asDict(source.resolve(first));
  const encoding = source.resolve(font.get('Encoding'));
  const name = fontName(encoding);
  const program = asStream(encoding);
  const isIdentity = name.startsWith('Identity');
  const mode = program?.dict.get('WMode');
  const widths =
    isIdentity && descendant !== undefined
      ? source.once('widths', descendant, () => cidWidths(descendant, source))
      : new Map<number, number>();
  const stated = asNumber(source.resolve(descendant?.get('DW'))) ?? 1000;
  // Without a known mapping from codes to glyphs, it is unknown which codes have individual widths.
  const usual = isIdentity ? stated : Math.max(stated, 1000);
  const blank = blankCodes(font, source);
  return {
    codes: program === undefined ? codesOf(name, undefined) : codesIn(program, source),
    isVertical: name.endsWith('-V') || name === 'V' || asInteger(source.resolve(mode)) === 1,
    ...heightsOf(asDict(source.resolve(descendant?.get('FontDescriptor'))), source),
    widthOf: (code) => (widths.get(code) ?? usual) / 1000,
    isBlank: (code) => blank.has(code),
  };
}

/** The start of a name: names can be as long as the file, and this one is searched. */
function fontName(value: PdfObject): string {
  return (asName(value)?.value ?? '').slice(0, 128);
}

/** The codes of an embedded CMap. */
function codesIn(program: PdfStream, source: FontSource): CodeReader {
  return source.once('codes', program, () => {
    const data = source.decode(program);
    source.spend(costOfProgram(data));
    return codesOf('', data);
  });
}

/** A CMap program is searched from start to end. */
function costOfProgram(data: Uint8Array | undefined): number {
  return Math.min(data?.length ?? 0, PROGRAM_BYTES) >> 2;
}

function widthsOf(font: PdfDict, source: FontSource): ReadonlyMap<number, number> | undefined {
  const list = asArray(source.resolve(font.get('Widths')));
  if (list === undefined) return undefined;
  const first = asInteger(source.resolve(font.get('FirstChar'))) ?? 0;
  const widths = new Map<number, number>();
  source.spend(NOTE * Math.min(list.length, 256));
  for (const [index, item] of list.slice(0, 256).entries()) {
    const width = asNumber(source.resolve(item));
    if (width !== undefined) widths.set(first + index, width);
  }
  return widths;
}

/** Maximum length of a range stored code by code: the default width is near enough for the rest. */
const RANGE = 4_096;
/** Maximum number of widths read per font, including those that replace earlier ones. */
const CIDS = 65_536;

/** Widths of a CIDFont by CID. @spec ISO 32000-1 §9.7.4.3 */
function cidWidths(font: PdfDict, source: FontSource): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  const list = asArray(source.resolve(font.get('W'))) ?? [];
  let left = CIDS;
  const note = (cid: number, width: number | undefined): void => {
    source.spend(NOTE);
    left--;
    if (width !== undefined) widths.set(cid, width);
  };
  for (let at = 0; at + 1 < list.length && left > 0; ) {
    source.spend(NOTE);
    const first = asInteger(source.resolve(list[at]));
    const second = source.resolve(list[at + 1]);
    const each = asArray(second);
    if (first === undefined) return widths;
    if (each !== undefined) {
      for (const [index, item] of each.slice(0, left).entries()) {
        note(first + index, asNumber(source.resolve(item)));
      }
      at += 2;
      continue;
    }
    const last = Math.min(asInteger(second) ?? first, first + Math.min(RANGE, left));
    const width = asNumber(source.resolve(list[at + 2]));
    for (let cid = first; width !== undefined && cid <= last; cid++) note(cid, width);
    at += 3;
  }
  return widths;
}

/** The heights from the descriptor if plausible, otherwise those of most fonts. */
function heightsOf(
  descriptor: PdfDict | undefined,
  source: FontSource,
): { readonly ascent: number; readonly descent: number } {
  const read = (key: string): number =>
    Math.abs(asNumber(source.resolve(descriptor?.get(key))) ?? 0) / 1000;
  const [ascent, descent] = [read('Ascent'), read('Descent')];
  return {
    ascent: ascent === 0 || ascent > 3 ? usualHeights.ascent : Math.max(ascent, 0.7),
    descent: descent === 0 || descent > 3 ? usualHeights.descent : -Math.max(descent, 0.2),
  };
}

/** Maximum number of codes of one font that can be spaces. */
const BLANKS = 8;

/** The codes that represent spaces, as far as the font states it. */
function blankCodes(font: PdfDict, source: FontSource): ReadonlySet<number> {
  const blank = new Set<number>();
  const encoding = asDict(source.resolve(font.get('Encoding')));
  let code = 0;
  const differences = asArray(source.resolve(encoding?.get('Differences'))) ?? [];
  source.spend(Math.min(differences.length, 1024));
  for (const item of differences.slice(0, 1024)) {
    const number = asInteger(item);
    if (number !== undefined) code = number;
    else if (asName(item)?.value === 'space') blank.add(code++);
    else code++;
  }
  const map = asStream(source.resolve(font.get('ToUnicode')));
  if (map === undefined) return blank;
  const spaces = source.once('blanks', map, () => blanksIn(map, source));
  // A map in which every code is a space only prevents copying; the text is still visible.
  if (spaces.size <= BLANKS) for (const each of spaces) blank.add(each);
  return blank;
}

/** The codes that a ToUnicode CMap maps to spaces. */
function blanksIn(map: PdfStream, source: FontSource): ReadonlySet<number> {
  const blank = new Set<number>();
  const data = source.decode(map);
  if (data === undefined) return blank;
  source.spend(costOfProgram(data));
  const text = latin1Text(data.subarray(0, PROGRAM_BYTES));
  for (const [, digits = ''] of text.matchAll(/<([\da-f]{2,8})>\s*<00(?:20|a0)>/gi)) {
    // In a range, the pair consists of the last code and the character of the first.
    blank.add(Number.parseInt(digits, 16));
  }
  return blank;
}

function usualWidth(code: number): number {
  return (usualWidths[code - 0x20] ?? 600) / 1000;
}
