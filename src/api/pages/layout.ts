import { sha256Of } from '../../base/bytes.ts';
import { getOrCompute } from '../../base/memo.ts';
import { type Language, languages, localeOfLanguage } from '../../domain/message/index.ts';
import { hiddenFields, html, type Markup, type Part } from './html.ts';
import { pageStyleVersion } from './style.ts';
import { allPageWords, pageWords } from './words.ts';
import type { PageWords } from './words.types.ts';

/**
 * Headers of every page: its own style and forms, and nothing else. `formTargets` are origins to
 * which the answer to a form may lead at once.
 */
export function pageHeaders(
  frameAncestors: readonly string[] = [],
  formTargets: readonly string[] = [],
): Record<string, string> {
  const ancestors = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ');
  return {
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; " +
      "connect-src 'self'; worker-src 'self'; font-src 'self' data:; " +
      `form-action ${["'self'", ...formTargets].join(' ')}; ` +
      `frame-ancestors ${ancestors}; base-uri 'none'; ` +
      "require-trusted-types-for 'script'; trusted-types innsigli-reader",
    'x-robots-tag': 'noindex',
    ...(frameAncestors.length === 0 ? {} : { 'x-frame-options': '' }),
  };
}

/** Addresses on this host of what the pages of a company have of its own. */
export interface PageLook {
  /** A style sheet, behind ours. */
  readonly style?: string;
  readonly logo?: string;
}

/** A field that is wrong. */
interface AlertLink {
  readonly href: string;
  readonly label: string;
  /** What is wrong with it, where it stands on another page. */
  readonly fault?: string;
}

/** What surrounds the screens of one request. */
export interface Frame {
  readonly language: Language;
  /** Name of the company, in the head of the page. */
  readonly company?: string;
  /** What the title of the window says before that of the page. */
  readonly progress?: string;
  /** What the pages of the company have of its own. */
  readonly look?: PageLook;
  /** In a frame: without head and foot. */
  readonly isFramed?: boolean;
  /** Seconds after which the page asks again. */
  readonly refreshSeconds?: number;
  /** For `parent.postMessage`, and the origins that it goes to. */
  readonly event?: { readonly data: object; readonly origins: readonly string[] };
  /** The reader may choose another language. */
  readonly isLanguageOpen?: boolean;
  /** What the address of the page says besides: it stays when another language is chosen. */
  readonly keptQuery?: Readonly<Record<string, string>>;
  /** A document can be read on the page. */
  readonly hasReader?: boolean;
  /** A signature can be drawn on the page. */
  readonly hasPad?: boolean;
  /** A note that is announced: what went wrong, or what was done. */
  readonly alert?: {
    readonly text: string;
    readonly isGood?: boolean;
    /** The fields that it is about. */
    readonly links?: readonly AlertLink[];
  };
  /** Id of the form that is sent with the language that is chosen. */
  readonly languageForm?: string;
}

/** A whole page. */
export function layout(frame: Frame, title: string, body: readonly Part[]): string {
  const { language, company, isFramed, refreshSeconds, event, alert, look = {} } = frame;
  const words = pageWords(language);
  // Of a page without scripts: with them it asks how things stand, and stays where it is.
  const refresh =
    refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`;
  const scripts = [
    ...(event === undefined && refreshSeconds === undefined ? [] : ['/s/assets/page.js']),
    ...(frame.hasReader === true ? ['/s/reader/reader.js'] : []),
    ...(frame.hasPad === true ? ['/s/reader/drawing.js'] : []),
  ].map((src) => html`<script src="${src}" type="module"></script>`);
  const progress = frame.progress !== undefined && `${frame.progress} – `;
  return `<!doctype html>\n${html`<html lang="${localeOfLanguage(language).tag}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${progress}${title}</title>${refresh}<link rel="icon" href="data:,">
<link rel="stylesheet" href="/s/assets/${pageStyleVersion}.css">
${look.style !== undefined && html`<link rel="stylesheet" href="${look.style}">`}${scripts}</head>
<body${isFramed === true && html` class="framed"`}${eventData(event)}
${stateData(refreshSeconds, body)}>
${company !== undefined && html`<header class="top">${logoPart(look)}${company}</header>`}
<main><h1>${title}</h1>
${alert !== undefined && note(alert)}
${body}
</main>
${frame.isLanguageOpen === true && languagePart(frame, words)}
</body></html>`}\n`;
}

// The name stands beside it: to a screen reader the picture says nothing more.
function logoPart({ logo }: PageLook): Part {
  return logo !== undefined && html`<img src="${logo}" alt="">`;
}

function eventData(event: Frame['event']): Part {
  if (event === undefined) return undefined;
  const { data, origins } = event;
  return html` data-event="${JSON.stringify(data)}" data-origins="${JSON.stringify(origins)}"`;
}

/** What is shown, as a digest: the script sees by it that something else is. */
function stateData(refreshSeconds: number | undefined, body: readonly Part[]): Part {
  if (refreshSeconds === undefined) return html` data-state="none"`;
  // A code that changes each second, and the time that is left, are no news.
  const text = html`${body}`.text.replace(/ src="data:[^"]*"| data-left="\d+">[^<]*/g, '');
  const state = sha256Of(text).slice(0, 16);
  return html` data-refresh="${refreshSeconds}" data-state="${state}"`;
}

function note({ text, isGood = false, links }: NonNullable<Frame['alert']>): Markup {
  if (isGood) return html`<p class="note good" role="status">${text}</p>`;
  if (links === undefined) {
    return html`<p class="note bad" role="alert" tabindex="-1" autofocus>${text}</p>`;
  }
  const lines = links.map(
    ({ href, label, fault }) => html`<li><a href="${href}">${label}</a> ${fault}</li>`,
  );
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus><p>${text}</p>
<ul>${lines}</ul></div>`;
}

/** Names of languages in themselves, kept: the lookup takes a large part of the time of a page. */
const ownNames = new Map<string, string>();

function ownNameOf(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

function languagePart({ language: own, keptQuery = {}, languageForm }: Frame, words: PageWords) {
  const options = languages.map((each) => {
    const [tag = ''] = localeOfLanguage(each).tag.split('-');
    const name = getOrCompute(ownNames, tag, ownNameOf);
    const selected = each === own && html` selected`;
    return html`<option value="${each.toLowerCase()}" lang="${tag}"${selected}>${name}</option>`;
  });
  const of = languageForm !== undefined && html` form="${languageForm}"`;
  // What is typed goes along; a file stays where it is.
  const sends =
    languageForm !== undefined &&
    html` name="go" value="language" formnovalidate
formenctype="application/x-www-form-urlencoded"`;
  const body = html`<label for="lng">${words.language}</label>
<select id="lng" name="lng"${of}>${options}</select>
<button class="plain"${of}${sends}>${words.languageButton}</button>`;
  const hidden = hiddenFields(keptQuery);
  return languageForm === undefined
    ? html`<footer><form method="get" class="language">${hidden}\n${body}</form></footer>`
    : html`<footer><div class="language">${body}</div></footer>`;
}

/** Says something to readers of whom no language is known. */
export function pageForAll(title: string, text: (words: PageWords) => string): string {
  const lines = allPageWords().map(({ lang, words }) => html`<p lang="${lang}">${text(words)}</p>`);
  return layout({ language: 'En' }, title, [html`<section>${lines}</section>`]);
}
