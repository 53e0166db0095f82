import { asBuffer, concatBytes } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { TrueTypeFont } from './truetype.ts';

/** A font reduced to some glyphs, renumbered. */
export interface FontSubset {
  /** A TrueType font without `cmap`, for embedding with glyph indices as codes. */
  readonly bytes: Uint8Array;
  readonly glyphCount: number;
  /** Glyph of each requested character, in the subset. */
  readonly glyphs: ReadonlyMap<number, number>;
  /** Advance width of each glyph of the subset, in font units. */
  readonly advances: readonly number[];
  /** Requested characters that the font does not have: they appear as its empty box. */
  readonly missing: readonly number[];
}

/** Component flags: more components follow, 16-bit arguments, one, two or four scales. */
const MORE = 0x20;
const WORDS = 0x01;
const SCALE = 0x08;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;

/**
 * Reduces a font to the given characters. Each character has a separate glyph, including those that
 * the font lacks: every glyph then represents one character, and none is `.notdef`, which archive
 * formats forbid to show. The same characters yield the same bytes.
 *
 * @throws font.invalid if a glyph is corrupt
 * @throws limit.exceeded if the subset has too many glyphs
 */
export function subsetTrueType(font: TrueTypeFont, codePoints: Iterable<number>): FontSubset {
  const wanted = [...new Set(codePoints)].sort((a, b) => a - b);
  const sources = [0, ...wanted.map((codePoint) => font.glyphOf(codePoint))];
  const outlines: Uint8Array[] = [];
  const components = new Map<number, number>();
  const numberOf = (source: number): number => {
    let glyph = components.get(source);
    if (glyph === undefined) {
      glyph = sources.push(source) - 1;
      components.set(source, glyph);
    }
    return glyph;
  };
  for (let glyph = 0; glyph < sources.length; glyph++) {
    if (glyph > limits.fontSubsetGlyphs) {
      throw new InnsigliError('limit.exceeded', 'the text uses too many different glyphs');
    }
    outlines.push(renumber(font.outlineOf(sources[glyph] as number), numberOf));
  }
  const advances = sources.map((source) => font.advanceOf(source));
  return {
    bytes: assemble(font, outlines, advances),
    glyphCount: sources.length,
    glyphs: new Map(wanted.map((codePoint, index) => [codePoint, index + 1])),
    advances,
    missing: wanted.filter((codePoint) => font.glyphOf(codePoint) === 0),
  };
}

/** The outline with the indices of its component glyphs replaced. */
function renumber(outline: Uint8Array, numberOf: (source: number) => number): Uint8Array {
  if (outline.length < 10 || asBuffer(outline).readInt16BE(0) >= 0) return outline;
  const copy = Buffer.from(outline);
  for (let at = 10; ; ) {
    if (at + 4 > copy.length) {
      const message = 'the font cannot be used: a composite glyph is truncated';
      throw new InnsigliError('font.invalid', message);
    }
    const flags = copy.readUInt16BE(at);
    copy.writeUInt16BE(numberOf(copy.readUInt16BE(at + 2)), at + 2);
    if ((flags & MORE) === 0) return copy;
    at += 4 + ((flags & WORDS) === 0 ? 2 : 4);
    if (flags & SCALE) at += 2;
    else if (flags & TWO_SCALES) at += 4;
    else if (flags & MATRIX) at += 8;
  }
}

function assemble(
  font: TrueTypeFont,
  outlines: readonly Uint8Array[],
  advances: readonly number[],
): Uint8Array {
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  const padded: Uint8Array[] = [];
  let end = 0;
  outlines.forEach((outline, glyph) => {
    padded.push(outline, new Uint8Array(-outline.length & 3));
    end += outline.length + (-outline.length & 3);
    loca.writeUInt32BE(end, 4 * (glyph + 1));
  });
  const hmtx = Buffer.alloc(4 * advances.length);
  advances.forEach((advance, glyph) => {
    hmtx.writeUInt16BE(advance, 4 * glyph);
    const outline = asBuffer(outlines[glyph] as Uint8Array);
    // The left side bearing is where the outline starts.
    if (outline.length >= 10) hmtx.writeInt16BE(outline.readInt16BE(2), 4 * glyph + 2);
  });
  const head = copyOf(font, 'head');
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50);
  const hhea = copyOf(font, 'hhea');
  hhea.writeUInt16BE(advances.length, 34);
  const maxp = copyOf(font, 'maxp');
  maxp.writeUInt16BE(outlines.length, 4);
  const tables = new Map<string, Uint8Array>();
  for (const tag of ['cvt ', 'fpgm']) copyTable(font, tables, tag);
  tables.set('glyf', concatBytes(padded));
  tables.set('head', head).set('hhea', hhea).set('hmtx', hmtx).set('loca', loca).set('maxp', maxp);
  copyTable(font, tables, 'prep');
  return writeTables(tables);
}

function copyOf(font: TrueTypeFont, tag: string): Buffer {
  return Buffer.from(font.tables.get(tag) as Uint8Array);
}

/** Instructions of hinted fonts need these tables. */
function copyTable(font: TrueTypeFont, tables: Map<string, Uint8Array>, tag: string): void {
  const table = font.tables.get(tag);
  if (table !== undefined) tables.set(tag, table);
}

/** Tables in the order of tags, with checksums; the checksum of the whole file is a constant. */
function writeTables(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const directory = Buffer.alloc(12 + 16 * tables.size);
  const power = Math.floor(Math.log2(tables.size));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.size, 4);
  directory.writeUInt16BE(16 * 2 ** power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(16 * (tables.size - 2 ** power), 10);
  const parts: Uint8Array[] = [directory];
  let offset = directory.length;
  let headAt = 0;
  let entry = 12;
  for (const [tag, table] of tables) {
    if (tag === 'head') headAt = offset;
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(checksum(table), entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    parts.push(table, new Uint8Array(-table.length & 3));
    offset += table.length + (-table.length & 3);
    entry += 16;
  }
  const file = asBuffer(concatBytes(parts));
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}

/** Sum of all 32-bit words, the last one padded with zeros. */
function checksum(table: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < table.length; i++) {
    sum = (sum + ((table[i] as number) << (24 - 8 * (i & 3)))) | 0;
  }
  return sum >>> 0;
}
