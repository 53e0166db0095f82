import { type StampFonts, textWidth, wrapText } from '../appearance/index.ts';
import type { EvidenceBlock } from './block-texts.ts';

/** A positioned text, in points from the lower left corner. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly tone: 'dark' | 'plain' | 'soft' | 'warning' | 'good' | 'open';
}

/** A positioned block of a page. */
export interface PlacedBlock {
  readonly kind: EvidenceBlock['kind'];
  readonly texts: readonly PlacedText[];
  /** True for a repeated heading, which is not part of the text. */
  readonly isRepeated?: true;
  /** Lower edge and height of the coloured background of a result. */
  readonly ground?: { readonly y: number; readonly height: number };
}

/** Dimensions of a page in points: A4. */
export const pageFrame = {
  width: 595,
  height: 842,
  left: 48,
  right: 48,
  top: 52,
  bottom: 56,
} as const;

/** Indent of values from the left margin, wide enough for a time with its offset. */
const VALUE_INDENT = 130;
/** Padding between a coloured background and its text. */
const GROUND_PAD = 7;

interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly tone: PlacedText['tone'];
  /** Space above. */
  readonly before: number;
}

const styles: Readonly<Record<EvidenceBlock['kind'], Style>> = {
  title: { size: 18, bold: true, tone: 'dark', before: 0 },
  result: { size: 11, bold: true, tone: 'good', before: 8 },
  doubted: { size: 11, bold: true, tone: 'open', before: 8 },
  refused: { size: 11, bold: true, tone: 'warning', before: 8 },
  heading: { size: 12, bold: true, tone: 'dark', before: 14 },
  name: { size: 9.5, bold: true, tone: 'plain', before: 7 },
  warning: { size: 9, bold: true, tone: 'warning', before: 4 },
  text: { size: 8.5, bold: false, tone: 'soft', before: 5 },
  fact: { size: 8.5, bold: false, tone: 'plain', before: 3 },
  row: { size: 8, bold: false, tone: 'plain', before: 1.5 },
};

/** A block with its lines and its height, excluding the space above. */
export interface MeasuredBlock {
  readonly block: EvidenceBlock;
  readonly style: Style;
  readonly lines: readonly string[];
  readonly height: number;
}

/** Wraps the text of a block into lines, also within long words, and measures it. */
export function measure(block: EvidenceBlock, fonts: StampFonts, leading: number): MeasuredBlock {
  const style = styles[block.kind];
  const indent = block.label === undefined ? padOf(block) : VALUE_INDENT;
  const room = pageFrame.width - pageFrame.left - pageFrame.right - indent - padOf(block);
  const font = style.bold ? fonts.bold : fonts.regular;
  const fitsIn = (text: string) => textWidth(text, font, style.size) <= room;
  const lines = fitsIn(block.text) ? [block.text] : wrapText(block.text, fitsIn);
  const height = lines.length * style.size * leading + 2 * padOf(block);
  return { block, style, lines, height };
}

/** Positions a measured block with its upper edge at `y`. */
export function place(measured: MeasuredBlock, y: number, leading: number): PlacedBlock {
  const { block, style, lines, height } = measured;
  const { size, bold, tone } = style;
  const { left } = pageFrame;
  const pad = padOf(block);
  const x = block.label === undefined ? left + pad : left + VALUE_INDENT;
  const texts = lines.map(
    (text, index): PlacedText => ({
      text,
      x,
      y: y - pad - size - index * size * leading,
      size,
      bold,
      tone,
    }),
  );
  const label = { size, bold: false, tone: 'soft' } as const;
  return {
    kind: block.kind,
    texts:
      block.label === undefined
        ? texts
        : [{ ...label, text: block.label, x: left, y: y - size }, ...texts],
    ...(pad === 0 ? {} : { ground: { y: y - height, height } }),
  };
}

/** Text size of the footer, and position of its last row. */
const foot = { size: 7, y: 30, leading: 1.2 } as const;

/** Positions the footer, centred. A long one is wrapped upwards. */
export function placeFooter(text: string, { regular }: StampFonts): readonly PlacedText[] {
  const { size, y, leading } = foot;
  const room = pageFrame.width - pageFrame.left - pageFrame.right;
  const rows = wrapText(text, (row) => textWidth(row, regular, size) <= room);
  return rows.map((row, index) => ({
    text: row,
    x: (pageFrame.width - textWidth(row, regular, size)) / 2,
    y: y + (rows.length - 1 - index) * size * leading,
    ...{ size, bold: false, tone: 'soft' },
  }));
}

function padOf({ kind }: EvidenceBlock): number {
  return kind === 'result' || kind === 'doubted' || kind === 'refused' ? GROUND_PAD : 0;
}
