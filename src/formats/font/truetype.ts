import { asBuffer, latin1Text } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** A TrueType font, parsed as far as drawing text and subsetting require. */
export interface TrueTypeFont {
  /** PostScript name without spaces, such as `NotoSans-Regular`. */
  readonly name: string;
  readonly unitsPerEm: number;
  /** Ascent and descent of a line, in font units; the descent is negative. */
  readonly ascent: number;
  readonly descent: number;
  /** Height of capital letters, in font units. */
  readonly capHeight: number;
  /** Weight from 1 to 1000: 400 is regular, 700 is bold. */
  readonly weight: number;
  /** Left, bottom, right and top of the box around all glyphs, in font units. */
  readonly box: readonly [number, number, number, number];
  readonly glyphCount: number;
  readonly tables: ReadonlyMap<string, Uint8Array>;
  /** The glyph of a character, 0 if the font has none. */
  glyphOf(codePoint: number): number;
  /** The advance width of a glyph, in font units. */
  advanceOf(glyph: number): number;
  /** The outline as stored in `glyf`; empty for a blank glyph. */
  outlineOf(glyph: number): Uint8Array;
}

/**
 * Parses a font with TrueType outlines. Fonts with CFF outlines and collections are rejected.
 *
 *     version 4 | table count 2 | 6 | (tag 4 | checksum 4 | offset 4 | length 4)…
 *
 * @throws font.invalid if it is corrupt or of another kind
 */
export function parseTrueType(bytes: Uint8Array): TrueTypeFont {
  return guarded(() => readFont(readTables(asBuffer(bytes))));
}

/** A read beyond the end of a table is a fault of the font, not a programming error. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw fontInvalid('a table ends too early', error);
  }
}

function fontInvalid(why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('font.invalid', `the font cannot be used: ${why}`, {
    ...defined({ cause }),
    hint: 'use a TrueType font (.ttf)',
  });
}

function readTables(data: Buffer): Map<string, Buffer> {
  const version = data.readUInt32BE(0);
  if (version !== 0x00010000 && version !== 0x74727565) {
    throw fontInvalid('expected a TrueType header');
  }
  const tables = new Map<string, Buffer>();
  const count = Math.min(data.readUInt16BE(4), limits.fontTables);
  for (let i = 0; i < count; i++) {
    const entry = 12 + 16 * i;
    const start = data.readUInt32BE(entry + 8);
    const lengthBytes = data.readUInt32BE(entry + 12);
    if (start + lengthBytes > data.length)
      throw fontInvalid('a table ends after the end of the file');
    const tag = data.toString('latin1', entry, entry + 4);
    tables.set(tag, data.subarray(start, start + lengthBytes));
  }
  return tables;
}

function readFont(tables: ReadonlyMap<string, Buffer>): TrueTypeFont {
  const table = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (found === undefined) throw fontInvalid(`it has no table "${tag.trim()}"`);
    return found;
  };
  const head = table('head');
  const hhea = table('hhea');
  const hmtx = table('hmtx');
  const os2 = tables.get('OS/2');
  const unitsPerEm = head.readUInt16BE(18);
  const glyphCount = table('maxp').readUInt16BE(4);
  const metricCount = hhea.readUInt16BE(34);
  if (unitsPerEm < 16 || glyphCount < 1 || metricCount < 1) throw fontInvalid('it is empty');
  const ascent = hhea.readInt16BE(4);
  const startOf = glyphStarts(table('loca'), head.readInt16BE(50) === 1);
  const glyf = table('glyf');
  const characters = readCharacterMap(table('cmap'), glyphCount);
  const hasCapHeight = os2 !== undefined && os2.length >= 90 && os2.readUInt16BE(0) >= 2;
  return {
    name: postScriptName(tables.get('name')),
    unitsPerEm,
    ascent,
    descent: hhea.readInt16BE(6),
    capHeight: hasCapHeight ? os2.readInt16BE(88) : Math.round(ascent * 0.7),
    weight: os2 === undefined ? 400 : os2.readUInt16BE(4),
    box: [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)],
    glyphCount,
    tables,
    glyphOf: (codePoint) => characters.get(codePoint) ?? 0,
    advanceOf: (glyph) => guarded(() => hmtx.readUInt16BE(4 * Math.min(glyph, metricCount - 1))),
    outlineOf: (glyph) => guarded(() => glyf.subarray(startOf(glyph), startOf(glyph + 1))),
  };
}

function glyphStarts(loca: Buffer, long: boolean): (glyph: number) => number {
  return (glyph) => (long ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph));
}

/** Name 6 of the `name` table, reduced to characters that a PDF name can contain unescaped. */
function postScriptName(table: Buffer | undefined): string {
  if (table === undefined) return 'Font';
  const count = Math.min(table.readUInt16BE(2), limits.fontNames);
  const strings = table.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const entry = 6 + 12 * i;
    if (table.readUInt16BE(entry + 6) !== 6) continue;
    const start = strings + table.readUInt16BE(entry + 10);
    const text = latin1Text(table.subarray(start, start + table.readUInt16BE(entry + 8)));
    const plain = text.replace(/[^A-Za-z0-9-]/g, '').slice(0, 63);
    if (plain.length > 0) return plain;
  }
  return 'Font';
}

/**
 * The glyphs of characters: code point to glyph index, except those without a glyph. Reads the
 * best Unicode subtable, of format 12 or 4.
 *
 *     version 2 | subtable count 2 | (platform 2 | encoding 2 | offset 4)…
 */
function readCharacterMap(cmap: Buffer, glyphCount: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const add = (codePoint: number, glyph: number): void => {
    if (glyph > 0 && glyph < glyphCount) found.set(codePoint, glyph);
  };
  const count = Math.min(cmap.readUInt16BE(2), limits.fontTables);
  const starts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const platform = cmap.readUInt16BE(4 + 8 * i);
    const encoding = cmap.readUInt16BE(6 + 8 * i);
    const start = cmap.readUInt32BE(8 + 8 * i);
    const isUnicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
    if (isUnicode) starts.set(cmap.readUInt16BE(start), start);
  }
  const full = starts.get(12);
  const basic = starts.get(4);
  if (full !== undefined) readGroups(cmap.subarray(full), add);
  else if (basic !== undefined) readSegments(cmap.subarray(basic), add);
  return found;
}

type Add = (codePoint: number, glyph: number) => void;

/** Format 12: `…12 | group count 4 | (first 4 | last 4 | glyph of the first 4)…` */
function readGroups(table: Buffer, add: Add): void {
  const count = table.readUInt32BE(12);
  let left = limits.fontCharacters;
  for (let i = 0; i < count; i++) {
    const first = table.readUInt32BE(16 + 12 * i);
    const last = Math.min(table.readUInt32BE(20 + 12 * i), 0x10ffff);
    const glyph = table.readUInt32BE(24 + 12 * i);
    for (let code = first; code <= last && left > 0; code++, left--) {
      add(code, glyph + code - first);
    }
    if (left-- <= 0) return;
  }
}

/**
 * Format 4: the end codes of all segments, their start codes, their deltas, and the offsets of
 * glyph lists used instead, each relative to its own position.
 */
function readSegments(table: Buffer, add: Add): void {
  const doubled = table.readUInt16BE(6) & ~1;
  let left = limits.fontCharacters;
  for (let at = 0; at < doubled; at += 2) {
    const last = table.readUInt16BE(14 + at);
    const first = table.readUInt16BE(16 + doubled + at);
    const delta = table.readUInt16BE(16 + 2 * doubled + at);
    const listAt = 16 + 3 * doubled + at;
    const list = table.readUInt16BE(listAt);
    for (let code = first; code <= last && code < 0xffff && left > 0; code++, left--) {
      const listed = list === 0 ? code : table.readUInt16BE(listAt + list + 2 * (code - first));
      if (list === 0 || listed !== 0) add(code, (listed + delta) & 0xffff);
    }
  }
}
