import type { DocumentText, FieldText, PageText } from '../../app/ports/index.ts';
import { limits } from '../../base/limits.ts';
import type {
  Annotation,
  PdfDocument,
  PdfPage,
  StructureNode,
  TextItem,
} from './pdf-library.types.ts';

/** Maximum number of structure tree nodes examined per page. */
const NODES_MAX = 20_000;
/** Length added for each paragraph, name and value, to account for the markup of the HTML page. */
const PIECE = 40;

/** The text of an open document's range of pages that contains `page`. */
export async function readPages(document: PdfDocument, page: number): Promise<DocumentText> {
  const { numPages: pageCount } = document;
  const wanted = Math.min(Math.max(1, page), pageCount);
  const first = wanted - ((wanted - 1) % limits.textPages);
  const last = Math.min(pageCount, first + limits.textPages - 1);
  const pages: PageText[] = [];
  let room: number = limits.textShownCharacters;
  let language: string | undefined;
  for (let number = first; number <= last; number++) {
    const opened = await document.getPage(number);
    const { text, lang } = await readPage(opened, number);
    opened.cleanup();
    const cut = cutTo(text, Math.min(Math.max(0, room), limits.textPageCharacters));
    room -= lengthOf(cut);
    pages.push(cut);
    language ??= languageTag(lang);
  }
  return { pageCount, pages, ...(language === undefined ? {} : { language }) };
}

async function readPage(page: PdfPage, number: number) {
  const { items, lang } = await page.getTextContent();
  const annotations = await page.getAnnotations({ intent: 'display' });
  const structure = await page.getStructTree();
  const text: PageText = {
    ...{ number, paragraphs: paragraphsOf(items), isCut: false },
    fields: annotations.flatMap(fieldOf),
    pictures: descriptionsIn(structure),
  };
  return { text, lang };
}

/** The value of a form field, or the text of any other annotation that shows text. */
function fieldOf(annotation: Annotation): readonly FieldText[] {
  const { subtype, fieldName = '', alternativeText = '', textContent } = annotation;
  const name = cleanText(alternativeText === '' ? fieldName : alternativeText);
  const shown = subtype === 'Widget' ? shownValue(annotation) : (textContent ?? []).join('\n');
  const value = cleanText(shown);
  return value === '' ? [] : [{ name: subtype === 'Widget' ? name : '', value }];
}

function shownValue(annotation: Annotation): string {
  const { fieldType, fieldValue, exportValue, buttonValue, checkBox, radioButton } = annotation;
  if (fieldType === 'Sig') return '';
  if (checkBox === true || radioButton === true) {
    const own = radioButton === true ? buttonValue : exportValue;
    return typeof fieldValue === 'string' && fieldValue !== 'Off' && fieldValue === own
      ? fieldValue
      : '';
  }
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join('\n');
}

function descriptionsIn(root: StructureNode | null): readonly string[] {
  const found: string[] = [];
  const open: StructureNode[] = root === null ? [] : [root];
  for (let count = 0; open.length > 0 && count < NODES_MAX; count++) {
    const node = open.pop() as StructureNode;
    const alt = typeof node.alt === 'string' ? cleanText(node.alt) : '';
    if (alt !== '') found.push(alt);
    else open.push(...[...(node.children ?? [])].reverse().slice(0, NODES_MAX));
  }
  return found;
}

function lengthOf({ paragraphs, fields, pictures }: PageText): number {
  const all = [...paragraphs, ...fields.flatMap(({ name, value }) => [name, value]), ...pictures];
  return all.reduce((sum, text) => sum + text.length + PIECE, 0);
}

function cutTo(page: PageText, characters: number): PageText {
  if (lengthOf(page) <= characters) return page;
  let room = characters;
  const paragraphs: string[] = [];
  for (const text of page.paragraphs) {
    if (room <= 0) break;
    paragraphs.push(text.slice(0, room));
    room -= text.length + PIECE;
  }
  return { ...page, paragraphs, fields: [], pictures: [], isCut: true };
}

function languageTag(lang: string | null): string | undefined {
  return lang !== null && /^[a-z]{2,3}(-[a-z\d]{2,8}){0,3}$/i.test(lang) ? lang : undefined;
}

interface Line {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly base: number;
  readonly size: number;
}

/** Maximum line spacing within a paragraph, in multiples of the font size. */
const LEADING = 1.75;
/** Lines whose starts are this close to each other, in points, belong to one column. */
const COLUMN = 50;
// Invisible characters: control characters, and marks that change the text direction.
const unseen = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Combines the items of a page into paragraphs: wrapped lines are joined, other line breaks kept.
 */
function paragraphsOf(items: readonly TextItem[]): string[] {
  const lines = linesOf(items);
  const edges = edgesOf(lines);
  const paragraphs: string[] = [];
  let text = '';
  let last: Line | undefined;
  for (const line of lines) {
    if (last !== undefined && isApart(last, line)) {
      paragraphs.push(text);
      text = line.text;
    } else {
      text = last === undefined ? line.text : joined(text, last, line, edges);
    }
    last = line;
  }
  return text === '' ? paragraphs : [...paragraphs, text];
}

/** `text` without invisible characters. */
function cleanText(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = [];
  let run: TextItem[] = [];
  const close = () => {
    const text = cleanText(run.map(({ str }) => str).join(''));
    const shown = run.filter(({ str }) => str.trim() !== '');
    const [first] = shown;
    const last = shown.at(-1);
    run = [];
    if (text === '' || first === undefined || last === undefined) return;
    const [begin, base] = placeOf(first);
    lines.push({ text, begin, base, end: placeOf(last)[0] + last.width, size: sizeOf(first) });
  };
  for (const item of items) {
    run.push(item);
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

function placeOf({ transform }: TextItem): readonly [x: number, y: number] {
  return [transform[4] ?? 0, transform[5] ?? 0];
}

function sizeOf({ height, transform }: TextItem): number {
  return height > 0 ? height : Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
}

/** Rightmost line end of each column, by the position of the line start. */
function edgesOf(lines: readonly Line[]): ReadonlyMap<number, number> {
  const edges = new Map<number, number>();
  for (const { begin, end } of lines) {
    for (const column of columnsAt(begin)) edges.set(column, Math.max(edges.get(column) ?? 0, end));
  }
  return edges;
}

function columnsAt(begin: number): readonly number[] {
  const column = Math.floor(begin / COLUMN);
  return [column - 1, column, column + 1];
}

function isApart(last: Line, line: Line): boolean {
  const size = Math.max(last.size, line.size);
  const step = last.base - line.base;
  const isOtherSize = size > 1.2 * Math.min(last.size, line.size);
  return isOtherSize || step > LEADING * size || step < -size / 2;
}

function joined(text: string, last: Line, line: Line, edges: ReadonlyMap<number, number>): string {
  const edge = edges.get(Math.floor(last.begin / COLUMN)) ?? last.end;
  const [word = ''] = line.text.split(' ', 1);
  const wordWidth = ((line.end - line.begin) * (word.length + 1)) / Math.max(1, line.text.length);
  // The next word would have fitted, so the line break is intentional.
  if (edge - last.end > wordWidth) return `${text}\n${line.text}`;
  if (text.endsWith('\xad')) return text.slice(0, -1) + line.text;
  return /\p{L}-$/u.test(text) ? text + line.text : `${text} ${line.text}`;
}
