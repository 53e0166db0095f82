import { sha256Of } from '../../base/bytes.ts';
import { getOrCompute } from '../../base/memo.ts';
import { type Language, languages, localeOfLanguage } from '../../domain/message/index.ts';
import { hiddenFields, html, type Markup, type Part } from './html.ts';
import { pageStyleVersion } from './style.ts';
import { allPageWords, pageWords } from './words.ts';
import type { PageWords } from './words.types.ts';

/**
 * Headers of every page: they allow only its own style and forms. `formTargets` are origins to
 * which the response to a form may redirect.
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

/** Addresses on this host of a company's own style and logo. */
export interface PageLook {
  /** A style sheet, loaded after ours. */
  readonly style?: string;
  readonly logo?: string;
}

/** A link to an invalid field. */
interface AlertLink {
  readonly href: string;
  readonly label: string;
  /** The error, if the field is on a different page. */
  readonly fault?: string;
}

/** Properties of the page around the screens of one request. */
export interface Frame {
  readonly language: Language;
  /** Name of the company, in the page header. */
  readonly company?: string;
  /** Prefix of the window title. */
  readonly progress?: string;
  /** The company's own style and logo. */
  readonly look?: PageLook;
  /** Shown in a frame: without header and footer. */
  readonly isFramed?: boolean;
  /** Seconds after which the page polls again. */
  readonly refreshSeconds?: number;
  /** Data for `parent.postMessage`, and the origins to post to. */
  readonly event?: { readonly data: object; readonly origins: readonly string[] };
  /** The reader may choose another language. */
  readonly isLanguageOpen?: boolean;
  /** Further query parameters of the page, preserved when the language changes. */
  readonly keptQuery?: Readonly<Record<string, string>>;
  /** The page can show a document. */
  readonly hasReader?: boolean;
  /** The page has a pad for drawing a signature. */
  readonly hasPad?: boolean;
  /** A note that is announced: an error, or what was done. */
  readonly alert?: {
    readonly text: string;
    readonly isGood?: boolean;
    /** The fields it concerns. */
    readonly links?: readonly AlertLink[];
  };
  /** ID of the form that is submitted when a language is chosen. */
  readonly languageForm?: string;
}

/** Renders a whole page. */
export function layout(frame: Frame, title: string, body: readonly Part[]): string {
  const { language, company, isFramed, refreshSeconds, event, alert, look = {} } = frame;
  const words = pageWords(language);
  // For pages without scripts. With scripts, the page polls the state and does not reload.
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

// The name appears beside it: to a screen reader the image adds nothing.
function logoPart({ logo }: PageLook): Part {
  return logo !== undefined && html`<img src="${logo}" alt="">`;
}

function eventData(event: Frame['event']): Part {
  if (event === undefined) return undefined;
  const { data, origins } = event;
  return html` data-event="${JSON.stringify(data)}" data-origins="${JSON.stringify(origins)}"`;
}

/** Digest of what is shown, by which the script detects a change. */
function stateData(refreshSeconds: number | undefined, body: readonly Part[]): Part {
  if (refreshSeconds === undefined) return html` data-state="none"`;
  // A QR code that changes every second, and the time left, are not changes.
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

/** Languages' own names, cached: the lookup takes a large part of a page's rendering time. */
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
  // Submits the typed values with the language, but not the file.
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

/** Renders a notice in all languages, for readers whose language is unknown. */
export function pageForAll(title: string, text: (words: PageWords) => string): string {
  const lines = allPageWords().map(({ lang, words }) => html`<p lang="${lang}">${text(words)}</p>`);
  return layout({ language: 'En' }, title, [html`<section>${lines}</section>`]);
}
