import { createHash } from 'node:crypto';
import { escapeHtml, formatDay, type Language } from '../../domain/message/index.ts';
import { type LinkState, type LinkWords, linkWords } from './words.table.ts';

/** Content of the page behind a link: only data that the link alone gives access to. */
export interface LinkFacts {
  readonly language: Language;
  /** Sender of the request for a signature. */
  readonly company: string;
  /** E-mail of who may be asked; absent: the company alone is named. */
  readonly contact?: string;
  readonly state: LinkState;
  /** Number of documents to sign. */
  readonly count: number;
  readonly expiresAtMs: number;
  /** Time zone of dates; absent: UTC. */
  readonly timeZone?: string;
  /** Names of the documents; absent where the documents ask for a login or a passcode. */
  readonly fileNames?: readonly string[];
}

const style =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;' +
  'color:#1a1a1a;background:#fff;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem;border-left:.3rem solid #1f4e79;padding-left:.7rem}' +
  'button{font:inherit;padding:.5rem 1.2rem;border:0;border-radius:.3rem;color:#fff;' +
  'background:#1f4e79}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of a page: its own style, its own form, and nothing else. */
export const pageHeaders = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-robots-tag': 'noindex',
} as const;

/** The page behind the link of a mail: sender, documents, deadline and contact. */
export function linkPage(facts: LinkFacts): string {
  const words = wordsOf(facts.language);
  const { company, contact, state, count, expiresAtMs, timeZone, fileNames = [] } = facts;
  const isOpen = state === 'waiting';
  const end = formatDay(expiresAtMs, languageOf(facts.language), timeZone);
  return page(words, [
    paragraph(words.asked(company, count)),
    ...(fileNames.length === 0
      ? []
      : [`<ul>${fileNames.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`]),
    paragraph(words.state[state]),
    ...(isOpen ? [paragraph(words.until(end))] : []),
    paragraph(words.contact(contact ?? company)),
  ]);
}

/** Asks whether reminders shall end: a look at the link alone, such as a scanner's, ends none. */
export function stopPage(language: Language): string {
  const words = wordsOf(language);
  const hidden = '<input type="hidden" name="List-Unsubscribe" value="One-Click">';
  const form = `<form method="post">${hidden}<button>${escapeHtml(words.stop)}</button></form>`;
  return page(words, [paragraph(words.stopQuestion), form]);
}

/** Says that there are no more reminders. */
export function stoppedPage(language: Language): string {
  const words = wordsOf(language);
  return page(words, [paragraph(words.stopped)]);
}

/** For a link that leads nowhere; nobody knows the language of its reader. */
export function unknownPage(): string {
  const all = Object.values(linkWords);
  const lines = all.map(({ lang, unknown }) => `<p lang="${lang}">${escapeHtml(unknown)}</p>`);
  return page(linkWords.En, lines);
}

/** For those who come back from the page of their e-ID; nobody knows their language yet. */
export function returnPage(isTaken: boolean): string {
  const lines = Object.values(linkWords).map(({ lang, returned, notReturned }) => {
    return `<p lang="${lang}">${escapeHtml(isTaken ? returned : notReturned)}</p>`;
  });
  return page({ ...linkWords.En, title: linkWords.En.returnTitle }, lines);
}

function page({ lang, title }: LinkWords, body: readonly string[]): string {
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${style}</style>`;
  const main = `<main><h1>${escapeHtml(title)}</h1>${body.join('')}</main>`;
  return `<!doctype html><html lang="${lang}"><head>${head}</head><body>${main}</body></html>\n`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function languageOf(language: Language): keyof typeof linkWords {
  return language === 'Is' || language === 'Pl' ? language : 'En';
}

function wordsOf(language: Language): LinkWords {
  return linkWords[languageOf(language)];
}
