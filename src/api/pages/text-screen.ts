import type { DocumentText, PageText } from '../../app/ports/index.ts';
import { html, type Markup, type Part } from './html.ts';
import { filled } from './words.ts';
import type { PageWords } from './words.types.ts';

/** The text of a document, with the addresses that can be reached from it. */
export interface TextFacts {
  readonly fileName: string;
  /** SHA-256 of the document, hexadecimal. */
  readonly sha256: string;
  readonly text: DocumentText;
  /** Addresses on this host. */
  readonly back: string;
  readonly earlier?: string;
  readonly later?: string;
}

/** Some pages of a document as text, for readers without scripts. */
export function textScreen(words: PageWords, facts: TextFacts): Markup {
  const { fileName, sha256, text, back } = facts;
  const { language, pageCount, pages } = text;
  return html`<p class="file">${fileName}</p>
<p class="soft">${words.textNote}</p>
${ways(words, facts)}
${pages.map((page) => pagePart(words, page, pageCount, language))}
${ways(words, facts)}
<p class="soft">SHA-256: <code>${sha256}</code></p>
<p><a class="button" href="${back}">${words.textBack}</a></p>`;
}

/** True if there is text to read. */
export function hasText({ pages }: DocumentText): boolean {
  return pages.some((page) => !isEmpty(page));
}

function isEmpty({ paragraphs, fields, pictures }: PageText): boolean {
  return paragraphs.length + fields.length + pictures.length === 0;
}

function ways(words: PageWords, { earlier, later }: TextFacts): Part {
  if (earlier === undefined && later === undefined) return undefined;
  return html`<p class="row">
${earlier !== undefined && html`<a href="${earlier}">${words.textEarlier}</a>`}
${later !== undefined && html`<a href="${later}">${words.textLater}</a>`}</p>`;
}

function pagePart(
  words: PageWords,
  page: PageText,
  count: number,
  language: string | undefined,
): Markup {
  const { number, paragraphs, fields, pictures, isCut } = page;
  const lang = language !== undefined && html` lang="${language}"`;
  // The document may be in any language and direction.
  const text = (part: Part) => html`<p class="text" dir="auto"${lang}>${part}</p>`;
  const pairs = fields.map(
    ({ name, value }) => html`<div${lang}><dt dir="auto">${name === '' ? '–' : name}</dt>
<dd class="text" dir="auto">${value}</dd></div>`,
  );
  return html`<section aria-labelledby="page-${number}">
<h2 id="page-${number}">${filled(words.readerPage, { at: number, count })}</h2>
${paragraphs.map(text)}
${pairs.length > 0 && html`<dl>${pairs}</dl>`}
${pictures.map((each) => text(filled(words.textPicture, { text: each })))}
${isCut && html`<p class="note open">${words.textCut}</p>`}
${isEmpty(page) && !isCut && html`<p class="soft">${words.textEmpty}</p>`}
</section>`;
}
