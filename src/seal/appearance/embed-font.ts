import { createHash } from 'node:crypto';
import type { PDFHexString, PDFRef } from 'pdf-lib';
import { type FontSubset, subsetTrueType, type TrueTypeFont } from '../../formats/font/index.ts';
import { deflated, flateStream, type PdfContext, type PdfKit } from './pdf-kit.ts';

/** A font of the document under construction, with the characters of one text. */
export interface EmbeddedFont {
  readonly reference: PDFRef;
  /** The text as the operand of a text-showing operator. */
  encode(text: string): PDFHexString;
  /** Characters that appear as an empty box. */
  readonly missing: readonly number[];
}

/** Nonsymbolic flag of a font descriptor: the glyphs are from the standard Latin character set. */
const NONSYMBOLIC = 32;
/** Maximum number of characters in a block of a CMap. @spec Adobe Technical Note 5411 §1.4.1 */
const BLOCK = 100;

/**
 * Embeds the font subset that a text needs: two-byte codes, widths, a ToUnicode CMap, and the
 * CIDSet that PDF/A-1 requires. The same text results in the same objects.
 *
 * @throws font.invalid, limit.exceeded
 * @spec ISO 32000-1 §9.7.4, §9.8, §9.9, §9.10.3; ISO 19005-1 §6.3.5
 */
export function embedFont(
  kit: PdfKit,
  context: PdfContext,
  font: TrueTypeFont,
  text: string,
): EmbeddedFont {
  const { subset, tag, program: programBytes, toUnicode } = partsFor(font, text);
  const { PDFName, PDFString } = kit;
  const scaled = (units: number): number => Math.round((units * 1000) / font.unitsPerEm);
  const name = PDFName.of(`${tag}+${font.name}`);
  const program = context.register(
    context.stream(programBytes, { Length1: subset.bytes.length, Filter: 'FlateDecode' }),
  );
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: NONSYMBOLIC,
    FontBBox: font.box.map(scaled),
    ItalicAngle: 0,
    Ascent: scaled(font.ascent),
    Descent: scaled(font.descent),
    CapHeight: scaled(font.capHeight),
    // A common estimate: 84 for regular, 166 for bold.
    StemV: Math.round(10 + (220 * (Math.max(50, font.weight) - 50)) / 900),
    FontFile2: program,
    CIDSet: context.register(flateStream(context, allGlyphs(subset.glyphCount))),
  });
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: {
      Registry: PDFString.of('Adobe'),
      Ordering: PDFString.of('Identity'),
      Supplement: 0,
    },
    FontDescriptor: context.register(descriptor),
    DW: 1000,
    W: [0, subset.advances.map(scaled)],
    CIDToGIDMap: 'Identity',
  });
  const reference = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(context.stream(toUnicode, { Filter: 'FlateDecode' })),
    }),
  );
  const encode = (line: string): PDFHexString => {
    const codes = [...line].map((character) =>
      hex4(subset.glyphs.get(character.codePointAt(0) as number) ?? 0),
    );
    return kit.PDFHexString.of(codes.join(''));
  };
  return { reference, encode, missing: subset.missing };
}

/** The document-independent results for a font and a set of characters. */
interface FontParts {
  readonly subset: FontSubset;
  readonly tag: string;
  /** Compressed. */
  readonly program: Uint8Array;
  readonly toUnicode: Uint8Array;
}

const known = new WeakMap<TrueTypeFont, Map<string, FontParts>>();
/** Number of character sets cached per font. */
const KNOWN_MAX = 8;

function partsFor(font: TrueTypeFont, text: string): FontParts {
  const characters = [...new Set(text)].sort();
  const key = characters.join('');
  const kept = known.get(font) ?? new Map<string, FontParts>();
  known.set(font, kept);
  let parts = kept.get(key);
  if (parts === undefined) {
    const subset = subsetTrueType(
      font,
      characters.map((character) => character.codePointAt(0) as number),
    );
    parts = {
      subset,
      tag: subsetTag([...subset.glyphs.keys()]),
      program: deflated(subset.bytes),
      toUnicode: deflated(characterMap(subset.glyphs)),
    };
  } else kept.delete(key);
  kept.set(key, parts);
  for (const [oldest] of kept) if (kept.size > KNOWN_MAX) kept.delete(oldest);
  return parts;
}

/** Six capital letters that differ between sets of characters. */
function subsetTag(codePoints: readonly number[]): string {
  const hash = createHash('sha256').update(codePoints.join()).digest();
  return [...hash.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

/** One bit per glyph, most significant bit first. */
function allGlyphs(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  const unused = bits.length * 8 - count;
  bits[bits.length - 1] = (0xff << unused) & 0xff;
  return bits;
}

function characterMap(glyphs: ReadonlyMap<number, number>): string {
  const rows = [...glyphs].map(([codePoint, glyph]) => {
    const utf16 = Buffer.from(String.fromCodePoint(codePoint), 'utf16le').swap16();
    return `<${hex4(glyph)}> <${utf16.toString('hex')}>\n`;
  });
  const blocks: string[] = [];
  for (let start = 0; start < rows.length; start += BLOCK) {
    const block = rows.slice(start, start + BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join('')}endbfchar\n`);
  }
  return [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n',
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n',
    '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n',
    ...blocks,
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n',
  ].join('');
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0');
}
