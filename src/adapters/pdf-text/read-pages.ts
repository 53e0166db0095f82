import type { DocumentText, FieldText, PageText } from '../../app/ports/index.ts';
import { limits } from '../../base/limits.ts';
import { cleanText, paragraphsOf } from './page-paragraphs.ts';
import type { Annotation, PdfDocument, PdfPage, StructureNode } from './pdf-library.types.ts';

/** Nodes of the structure of a page that are looked at. */
const NODES_MAX = 20_000;
/** What each paragraph, name and value counts besides its characters: the page has marks for it. */
const PIECE = 40;

/** The text of the pages around `page` of an open document. */
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

/** What a field shows; of other annotations that show text, the text. */
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
