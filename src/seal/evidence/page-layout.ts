import type { TrueTypeFont } from '../../formats/font/index.ts';
import type { StampFonts } from '../appearance/index.ts';
import type { EvidenceBlock } from './blocks.ts';

/** A text at its place; points from the lower left corner. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly tone: 'dark' | 'plain' | 'soft' | 'warning';
}

/** A block on its page. */
export interface PlacedBlock {
  readonly kind: EvidenceBlock['kind'];
  readonly texts: readonly PlacedText[];
}

/** Size of a page and its parts, in points: A4. */
export const pageFrame = {
  width: 595,
  height: 842,
  left: 48,
  right: 48,
  top: 52,
  bottom: 56,
} as const;

/** Where values begin, from the left margin. */
const VALUE_INDENT = 112;
const LEADING = 1.34;

interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly tone: PlacedText['tone'];
  /** Room above. */
  readonly before: number;
}

const styles: Readonly<Record<EvidenceBlock['kind'], Style>> = {
  title: { size: 18, bold: true, tone: 'dark', before: 0 },
  heading: { size: 12, bold: true, tone: 'dark', before: 14 },
  name: { size: 9.5, bold: true, tone: 'plain', before: 7 },
  warning: { size: 9, bold: true, tone: 'warning', before: 4 },
  text: { size: 8.5, bold: false, tone: 'soft', before: 5 },
  row: { size: 8, bold: false, tone: 'plain', before: 1.5 },
};

/** Blocks that must not stand alone at the foot of a page. */
const LEADS: ReadonlySet<string> = new Set(['title', 'heading', 'name']);
/** A last page with fewer blocks is avoided where closer lines can. */
const LAST_MIN = 8;
const CLOSER = 0.9;

/**
 * The pages with everything at its place; text is wrapped, also inside of long words. What would
 * be a few lines on the last page is taken in by closer lines.
 */
export function layoutPages(
  blocks: readonly EvidenceBlock[],
  fonts: StampFonts,
): readonly (readonly PlacedBlock[])[] {
  const pages = flowPages(blocks, fonts, LEADING);
  if (pages.length === 1 || (pages.at(-1)?.length ?? 0) >= LAST_MIN) return pages;
  const closer = flowPages(blocks, fonts, LEADING * CLOSER);
  return closer.length < pages.length ? closer : pages;
}

function flowPages(
  blocks: readonly EvidenceBlock[],
  fonts: StampFonts,
  leading: number,
): readonly (readonly PlacedBlock[])[] {
  const top = pageFrame.height - pageFrame.top;
  const pages: PlacedBlock[][] = [[]];
  let y = top;
  const measured = blocks.map((block) => {
    const style = styles[block.kind];
    const lines = linesOf(block, style, fonts);
    return { block, style, lines, height: lines.length * style.size * leading };
  });
  const whole = pageFrame.height - pageFrame.top - pageFrame.bottom;
  for (const [at, { block, style, lines, height }] of measured.entries()) {
    const wanted = Math.min(withFollowing(measured, at), whole);
    if (y - wanted < pageFrame.bottom && y < top) {
      pages.push([]);
      y = top;
    }
    if (y < top) y -= style.before;
    (pages.at(-1) as PlacedBlock[]).push({
      kind: block.kind,
      texts: place(block, lines, style, y, leading),
    });
    y -= height;
  }
  return pages;
}

/** Room of a block, and for a lead that of what follows up to the first block with content. */
function withFollowing(
  measured: readonly {
    readonly block: EvidenceBlock;
    readonly style: Style;
    readonly height: number;
  }[],
  at: number,
): number {
  let room = 0;
  for (let next = at; next < measured.length && next <= at + LEADS.size; next += 1) {
    const item = measured[next];
    if (item === undefined) break;
    room += item.style.before + item.height;
    if (!LEADS.has(item.block.kind)) break;
  }
  return room;
}

/** Width of a text in points. */
export function widthOf(text: string, font: TrueTypeFont, size: number): number {
  let units = 0;
  for (const character of text) units += advanceOf(character, font);
  return (units * size) / font.unitsPerEm;
}

const advances = new WeakMap<TrueTypeFont, Map<string, number>>();
/** Characters whose advance is kept for each font. */
const ADVANCES_MAX = 2_000;

function advanceOf(character: string, font: TrueTypeFont): number {
  let known = advances.get(font);
  if (known === undefined || known.size > ADVANCES_MAX) {
    known = new Map();
    advances.set(font, known);
  }
  let advance = known.get(character);
  if (advance === undefined) {
    advance = font.advanceOf(font.glyphOf(character.codePointAt(0) as number));
    known.set(character, advance);
  }
  return advance;
}

function linesOf(block: EvidenceBlock, style: Style, fonts: StampFonts): readonly string[] {
  const indent = block.label === undefined ? 0 : VALUE_INDENT;
  const room = pageFrame.width - pageFrame.left - pageFrame.right - indent;
  const font = style.bold ? fonts.bold : fonts.regular;
  return wrap(block.text, (text) => widthOf(text, font, style.size) <= room);
}

function place(
  block: EvidenceBlock,
  lines: readonly string[],
  { size, bold, tone }: Style,
  y: number,
  leading: number,
): readonly PlacedText[] {
  const { left } = pageFrame;
  const x = block.label === undefined ? left : left + VALUE_INDENT;
  const texts = lines.map(
    (text, index): PlacedText => ({
      text,
      x,
      y: y - size - index * size * leading,
      size,
      bold,
      tone,
    }),
  );
  if (block.label === undefined) return texts;
  return [{ text: block.label, x: left, y: y - size, size, bold: false, tone: 'soft' }, ...texts];
}

function wrap(text: string, fitsIn: (text: string) => boolean): readonly string[] {
  if (fitsIn(text)) return [text];
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (fitsIn(longer)) {
      row = longer;
      continue;
    }
    if (row !== '') rows.push(row);
    row = '';
    for (const character of word) {
      if (row !== '' && !fitsIn(row + character)) {
        rows.push(row);
        row = '';
      }
      row += character;
    }
  }
  rows.push(row);
  return rows;
}
