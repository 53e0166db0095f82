import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../../src/base/errors.ts';
import {
  parseTrueType,
  subsetTrueType,
  type TrueTypeFont,
} from '../../../src/formats/font/index.ts';
import { fc } from '../../support/property.ts';

const path = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
);
const bytes = readFileSync(path);
const font = parseTrueType(bytes);
const points = (text: string): number[] => [...text].map((each) => each.codePointAt(0) as number);

function checksum(data: Buffer): number {
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum = (sum + data.readUInt32BE(at)) >>> 0;
  return sum;
}

/** The outlines of a font by glyph number, without a character map. */
function outlineReader(subset: Buffer): (glyph: number) => Buffer {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < subset.readUInt16BE(4); i++) {
    const at = 12 + 16 * i;
    const start = subset.readUInt32BE(at + 8);
    const table = subset.subarray(start, start + subset.readUInt32BE(at + 12));
    tables.set(subset.toString('latin1', at, at + 4), table);
  }
  const loca = tables.get('loca') as Buffer;
  const glyf = tables.get('glyf') as Buffer;
  return (glyph) => glyf.subarray(loca.readUInt32BE(4 * glyph), loca.readUInt32BE(4 * glyph + 4));
}

describe('a TrueType font', () => {
  test('has the expected name and metrics', () => {
    expect(font.name).toBe('NotoSans-Regular');
    expect([font.unitsPerEm, font.ascent, font.descent, font.capHeight]).toEqual([
      1000, 1069, -293, 714,
    ]);
    expect(font.advanceOf(font.glyphOf(0x20))).toBe(260);
    expect(font.glyphOf(0x6f22)).toBe(0);
  });

  test('has basic and full character maps that agree', () => {
    // Overwrites the tags of the full maps, so that the basic map is used.
    const copy = Buffer.from(bytes);
    const cmap = 4632;
    for (let i = 0; i < copy.readUInt16BE(cmap + 2); i++) {
      const start = cmap + copy.readUInt32BE(cmap + 8 + 8 * i);
      if (copy.readUInt16BE(start) === 12) copy.writeUInt16BE(99, start);
    }
    const basic = parseTrueType(copy);
    for (let code = 0; code < 0x10000; code++) {
      if (basic.glyphOf(code) !== font.glyphOf(code)) expect.fail(`U+${code.toString(16)}`);
    }
    expect(basic.glyphOf(0xde)).toBeGreaterThan(0);
  });
});

describe('a font subset', () => {
  test('has a glyph for each character and for the components of composite glyphs', () => {
    const subset = subsetTrueType(font, points('Þórunn Þ 漢'));
    expect([...subset.glyphs.keys()]).toEqual(points(' nruÞó漢').toSorted((a, b) => a - b));
    expect([...subset.glyphs.values()]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(subset.missing).toEqual(points('漢'));
    expect(subset.glyphCount).toBeGreaterThanOrEqual(8);
    for (const [codePoint, glyph] of subset.glyphs) {
      expect(subset.advances[glyph]).toBe(font.advanceOf(font.glyphOf(codePoint)));
    }
  });

  test('keeps outlines, and its composite glyphs refer to glyphs of the subset', () => {
    const text = points('ABÅŐǺ');
    const subset = subsetTrueType(font, text);
    const outlineOf = outlineReader(Buffer.from(subset.bytes));
    let composed = 0;
    for (const codePoint of text) {
      const own = outlineOf(subset.glyphs.get(codePoint) as number);
      const source = Buffer.from(font.outlineOf(font.glyphOf(codePoint)));
      if (source.readInt16BE(0) >= 0) expect(own.subarray(0, source.length)).toEqual(source);
      else {
        composed++;
        const part = own.readUInt16BE(12);
        expect(part).toBeLessThan(subset.glyphCount);
        const from = font.outlineOf(source.readUInt16BE(12));
        expect(outlineOf(part).length).toBeGreaterThanOrEqual(from.length);
      }
    }
    expect(composed).toBeGreaterThan(0);
  });

  test('has valid checksums and does not depend on the order of characters', () => {
    const first = Buffer.from(subsetTrueType(font, points('abc')).bytes);
    const second = Buffer.from(subsetTrueType(font, points('cabba')).bytes);
    expect(second.equals(first)).toBe(true);
    expect(checksum(first)).toBe(0xb1b0afba);
  });

  test('of too many glyphs is rejected', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    expect(() => subsetTrueType(font, many)).toThrow(
      expect.objectContaining({ code: 'limit.exceeded' }),
    );
  });
});

describe('a hostile font', () => {
  const outcome = (data: Buffer): string => {
    try {
      const hostile: TrueTypeFont = parseTrueType(data);
      subsetTrueType(hostile, points('Þó Å'));
      return 'read';
    } catch (error) {
      if (error instanceof InnsigliError) return error.code;
      throw error;
    }
  };

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['an OpenType font with CFF', Buffer.from('OTTO\0\0\0\0')],
    ['no tables', Buffer.from([0, 1, 0, 0, 0, 0])],
  ])('is rejected as font.invalid: %s', (_, data) => {
    expect(outcome(data)).toBe('font.invalid');
  });

  test('is rejected as font.invalid when truncated', () => {
    for (let end = 0; end < bytes.length; end += 9_973) {
      expect(outcome(bytes.subarray(0, end))).toBe('font.invalid');
    }
  });

  test('with changed structure is read or rejected with a code', () => {
    const at = fc.oneof(fc.nat(19_015), fc.integer({ min: 37_000, max: 55_000 }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(at, fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (changes) => {
          const copy = Buffer.from(bytes);
          for (const [offset, value] of changes) copy[offset] = value;
          expect(['read', 'font.invalid', 'limit.exceeded']).toContain(outcome(copy));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('with a composite glyph that refers to itself can be subset', () => {
    const glyph = Buffer.alloc(16);
    glyph.writeInt16BE(-1, 0);
    glyph.writeUInt16BE(7, 12);
    const loop: TrueTypeFont = { ...font, glyphOf: () => 7, outlineOf: () => glyph };
    expect(subsetTrueType(loop, points('ab')).glyphCount).toBe(4);
  });
});
