import { limits } from '../../base/limits.ts';

/**
 * The glyphs of characters: code point to glyph number, without those that show nothing. Reads the
 * best Unicode subtable, of format 12 or 4.
 *
 *     version 2 | subtable count 2 | (platform 2 | encoding 2 | offset 4)…
 */
export function readCharacterMap(cmap: Buffer, glyphCount: number): ReadonlyMap<number, number> {
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
 * Format 4: the ends of all segments, their starts, what to add to a character, and where a list
 * of glyphs stands instead, counted from the place that says so.
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
