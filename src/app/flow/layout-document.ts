import { InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import {
  type DocumentTemplate,
  type FlowValue,
  type FlowValues,
  fillText,
  findValue,
  partsOf,
  type TemplateBlock,
  valuePointer,
} from '../../domain/flow/index.ts';
import { type StampFonts, textWidth } from '../../seal/appearance/index.ts';
import { answerWords } from './answer-words.ts';
import { cleanText, missingCharacters, wrapLines } from './text-lines.ts';
import { unshownPointer } from './unshown-value.ts';

/** A4 with its margins, in points. */
export const page = { width: 595.28, height: 841.89, margin: 64, top: 72, bottom: 84 } as const;

/** A line of text on a page; the origin is the lower left corner. */
export interface PlacedLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly isBold: boolean;
}

/** A horizontal rule. */
export interface PlacedRule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Contents of a page. */
export interface LaidPage {
  readonly lines: PlacedLine[];
  readonly rules: PlacedRule[];
}

/** A document that is ready to be rendered. */
export interface LaidDocument {
  readonly title: string;
  readonly pages: readonly LaidPage[];
}

type ListBlock = Extract<TemplateBlock, { type: 'list' }>;
type TableBlock = Extract<TemplateBlock, { type: 'table' }>;

const pagesMax = 200;
const linesMax = 40_000;
const rowsMax = 5_000;
const leading = 1.45;
const sizes = { title: 18, heading: 13, text: 10.5, cell: 9.5 } as const;
const columnGap = 10;

/**
 * Lays out the document that `template` and `values` produce, in pages.
 *
 * @param usual language if the template specifies none
 * @throws flow.values.invalid naming placeholders without a value and texts that cannot be shown,
 * with the position of the first one
 * @throws limit.exceeded
 */
export function layoutDocument(
  template: DocumentTemplate,
  values: FlowValues,
  fonts: StampFonts,
  usual?: string,
): LaidDocument {
  const flowing = new FlowingText(fonts);
  const words = answerWords(template.language ?? usual);
  const faults = new Set<string>();
  const unshown = new Set<string>();
  let missed: string | undefined;
  const miss = (name: string) => {
    missed ??= name;
    faults.add(`${name} has no value`);
  };
  const missingIn = (text: string) => missingCharacters(cleanText(text), fonts.regular);
  const fill = (text: string, scopes: Scopes): string => {
    const filled = cleanText(fillText(text, scopes, miss, words));
    const missing = missingCharacters(filled, fonts.regular);
    if (missing.length > 0) {
      const { fixed, names: handles } = partsOf(text);
      const own = missingIn(fixed);
      for (const name of handles) unshown.add(name);
      const [names, count] =
        own.length > 0
          ? ['the template', own.length]
          : [handles.join(', ').slice(0, 200), missing.length];
      const noun = count === 1 ? 'character' : 'characters';
      faults.add(`${names} has ${count} ${noun} missing in the font`);
    }
    return filled;
  };
  const title = layBlocks(template, values, { flowing, fill, faults });
  const at = unshownPointer(values, unshown, (text) => missingIn(text).length === 0);
  refuseFaults(faults, missed, at);
  // Drops empty pages after the last content.
  const filled = flowing.pages.findLastIndex(({ lines, rules }) => lines.length + rules.length > 0);
  return { title, pages: flowing.pages.slice(0, Math.max(1, filled + 1)) };
}

/**
 * Requires values from which `template` can produce a document. Nothing is laid out, so texts that
 * fit no page and characters missing from the font are not detected.
 *
 * @throws flow.values.invalid naming placeholders without a value
 */
export function requireDocumentValues(template: DocumentTemplate, values: FlowValues): void {
  const faults = new Set<string>();
  let missed: string | undefined;
  const fill = (text: string, scopes: Scopes) =>
    fillText(text, scopes, (name) => {
      missed ??= name;
      faults.add(`${name} has no value`);
    });
  layBlocks(template, values, { flowing: unseen, fill, faults });
  refuseFaults(faults, missed);
}

/** Discards everything that is laid out. */
const unseen: Flowing = {
  space: () => undefined,
  breakPage: () => undefined,
  text: () => undefined,
  row: () => undefined,
};

/** Lays out title and blocks; returns the title. */
function layBlocks(template: DocumentTemplate, values: FlowValues, work: Laying): string {
  const scopes = [values];
  const title = work.fill(template.title, scopes).replaceAll('\n', ' ');
  work.flowing.text(title, { size: sizes.title, isBold: true, after: 14, keepWithNext: 40 });
  for (const block of template.blocks) {
    const told = block.when === undefined || findValue(scopes, block.when);
    if (Array.isArray(told) ? told.length === 0 : !told) continue;
    layBlock(block, scopes, work);
  }
  return title;
}

function refuseFaults(faults: ReadonlySet<string>, missed?: string, unshown = ''): void {
  if (faults.size === 0) return;
  const shown = [...faults].slice(0, 50).join('; ').slice(0, 4_000);
  const pointer = missed === undefined ? unshown : valuePointer(missed.split('.'));
  throw new InnsigliError('flow.values.invalid', `values: ${shown}`, { details: { pointer } });
}

type Scopes = readonly FlowValues[];

/** Layout context: the destination of lines, the placeholder substitution, and the faults. */
interface Laying {
  readonly flowing: Flowing;
  readonly fill: (text: string, scopes: Scopes) => string;
  readonly faults: Set<string>;
}

function layBlock(block: TemplateBlock, scopes: Scopes, work: Laying): void {
  const { flowing, fill } = work;
  switch (block.type) {
    case 'heading':
      flowing.space(8);
      flowing.text(fill(block.text, scopes), {
        size: sizes.heading,
        isBold: true,
        after: 5,
        keepWithNext: 30,
      });
      return;
    case 'paragraph':
      flowing.text(fill(block.text, scopes), { size: sizes.text, after: 7 });
      return;
    case 'list':
      layList(block, scopes, work);
      return;
    case 'values':
      for (const { name, text } of block.rows) {
        flowing.row([
          { text: fill(name, scopes), share: 0.32, isBold: true, isRight: false },
          { text: fill(text, scopes), share: 0.68, isBold: false, isRight: false },
        ]);
      }
      flowing.space(8);
      return;
    case 'table':
      layTable(block, scopes, work);
      return;
    case 'pageBreak':
      flowing.breakPage();
  }
}

function layList(
  { items, each, ordered = false }: ListBlock,
  scopes: Scopes,
  { flowing, fill, faults }: Laying,
): void {
  const members = each === undefined ? [scopes] : scopesOf(each, scopes, faults);
  let number = 0;
  for (const inner of members) {
    for (const item of items) {
      number += 1;
      const mark = ordered ? `${number}.` : '•';
      flowing.text(fill(item, inner), { size: sizes.text, after: 3, indent: 20, mark });
    }
  }
  flowing.space(4);
}

function layTable(
  { each, columns }: TableBlock,
  scopes: Scopes,
  { flowing, fill, faults }: Laying,
): void {
  const total = columns.reduce((sum, { width = 1 }) => sum + width, 0);
  const cells = (text: (column: (typeof columns)[number]) => string, isBold: boolean) =>
    columns.map((column) => ({
      text: text(column),
      share: (column.width ?? 1) / total,
      isBold,
      isRight: column.align === 'right',
    }));
  const head = cells(({ title }) => fill(title, scopes), true);
  flowing.row(head);
  for (const inner of scopesOf(each, scopes, faults)) {
    flowing.row(
      cells(({ text }) => fill(text, inner), false),
      head,
    );
  }
  flowing.space(8);
}

function scopesOf(each: string, scopes: Scopes, faults: Set<string>): readonly Scopes[] {
  const list = findValue(scopes, each);
  if (!Array.isArray(list)) {
    faults.add(`${each} is not a list`);
    return [];
  }
  if (list.length > rowsMax) throw tooLong(`${each}: expected at most ${rowsMax} members`);
  return list.map((member: FlowValue) => [
    isRecord(member) ? (member as FlowValues) : { value: member },
    ...scopes,
  ]);
}

function tooLong(why: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `document: ${why}`);
}

interface TextStyle {
  readonly size: number;
  readonly isBold?: boolean;
  /** Space below. */
  readonly after: number;
  readonly indent?: number;
  /** Shown before the first line. */
  readonly mark?: string;
  /** Start a new page rather than leave less than this space below. */
  readonly keepWithNext?: number;
}

interface Cell {
  readonly text: string;
  /** Fraction of the width. */
  readonly share: number;
  readonly isBold: boolean;
  readonly isRight: boolean;
}

type Flowing = Pick<FlowingText, 'space' | 'breakPage' | 'text' | 'row'>;

/** Stacks lines and starts new pages. */
class FlowingText {
  readonly pages: LaidPage[] = [{ lines: [], rules: [] }];
  readonly #fonts: StampFonts;
  #y = page.height - page.top;
  #lines = 0;

  constructor(fonts: StampFonts) {
    this.#fonts = fonts;
  }

  space(points: number): void {
    this.#y -= points;
  }

  breakPage(): void {
    if (this.pages.length >= pagesMax) throw tooLong(`expected at most ${pagesMax} pages`);
    this.pages.push({ lines: [], rules: [] });
    this.#y = page.height - page.top;
  }

  text(text: string, style: TextStyle): void {
    const { size, isBold = false, after, indent = 0, mark, keepWithNext = 0 } = style;
    const width = page.width - 2 * page.margin - indent;
    const font = isBold ? this.#fonts.bold : this.#fonts.regular;
    const lines = wrapLines(text, font, size, width);
    if (keepWithNext > 0) this.#need(lines.length * size * leading + keepWithNext);
    for (const [index, line] of lines.entries()) {
      this.#need(size * leading);
      this.#y -= size * leading;
      if (index === 0 && mark !== undefined) {
        this.#put({ text: mark, x: page.margin + 4, y: this.#y, size, isBold });
      }
      this.#put({ text: line, x: page.margin + indent, y: this.#y, size, isBold });
    }
    this.#y -= after;
  }

  /** Adds a row of cells; `head` is repeated at the top of each further page. */
  row(cells: readonly Cell[], head?: readonly Cell[]): void {
    const size = sizes.cell;
    const whole = page.width - 2 * page.margin;
    const wrapped = cells.map(({ text, share, isBold }) =>
      wrapLines(text, this.#font(isBold), size, whole * share - columnGap),
    );
    const count = Math.max(...wrapped.map((lines) => lines.length));
    const isShort = count * size * leading < (page.height - page.top - page.bottom) / 2;
    if (isShort) this.#needRow(count * size * leading + 6, head);
    for (let index = 0; index < count; index++) {
      this.#needRow(size * leading, head);
      this.#y -= size * leading;
      let x: number = page.margin;
      for (const [column, { share, isBold, isRight }] of cells.entries()) {
        const text = wrapped[column]?.[index] ?? '';
        const width = whole * share - columnGap;
        const shift = isRight ? width - textWidth(text, this.#font(isBold), size) : 0;
        this.#put({ text, x: x + shift, y: this.#y, size, isBold });
        x += whole * share;
      }
    }
    this.#y -= 4.5;
    this.#page().rules.push({ x: page.margin, y: this.#y, width: whole - columnGap });
    this.#y -= 1.5;
  }

  #needRow(points: number, head: readonly Cell[] | undefined): void {
    if (this.#need(points) && head !== undefined) this.row(head);
  }

  /** Requires vertical space; true if a new page was started for it. */
  #need(points: number): boolean {
    if (this.#y - points >= page.bottom) return false;
    const isFresh = this.#y === page.height - page.top;
    if (isFresh) return false;
    this.breakPage();
    return true;
  }

  #put(line: PlacedLine): void {
    this.#lines += 1;
    if (this.#lines > linesMax) throw tooLong(`expected at most ${linesMax} lines`);
    if (line.text !== '') this.#page().lines.push(line);
  }

  #page(): LaidPage {
    return this.pages.at(-1) as LaidPage;
  }

  #font(isBold: boolean) {
    return isBold ? this.#fonts.bold : this.#fonts.regular;
  }
}
