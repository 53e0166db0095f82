import { escapeHtml, fillHandles, type HandleValues, handlePlaces } from './handle-places.ts';

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

const silentElements = new Set(['style', 'script', 'head', 'title', 'template']);
const lineElements = new Set([
  ...['p', 'div', 'table', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['blockquote', 'section', 'article', 'header', 'footer', 'hr'],
]);

/**
 * Converts HTML to plain text for mail clients without HTML. Keeps paragraphs, list items and link
 * targets. Not a parser for hostile HTML: the result is only shown as text. Linear in the length of
 * `html`.
 */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  let link: string | undefined;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    parts.push(decodeEntities(html.slice(at, end)).replace(/[ \t\r\n]+/g, ' '));
    if (open === -1) break;
    const close = html.startsWith('<!--', open)
      ? html.indexOf('-->', open) + 2
      : html.indexOf('>', open);
    if (close < open) break;
    const tag = html.slice(open + 1, close);
    const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    at = close + 1;
    if (silentElements.has(name) && !tag.startsWith('/')) {
      at = endOf(html, name, at);
    } else if (name === 'a') {
      if (tag.startsWith('/')) parts.push(link === undefined ? '' : ` ${link}`);
      link = tag.startsWith('/') ? undefined : hrefOf(tag);
    } else if (name === 'br') parts.push('\n');
    else if (name === 'li') parts.push(tag.startsWith('/') ? '' : '\n- ');
    else if (name === 'tr') parts.push('\n');
    else if (name === 'td' || name === 'th') parts.push(' ');
    else if (lineElements.has(name)) parts.push('\n\n');
  }
  const lines = parts.join('').split('\n');
  const trimmed = lines.map((line) => line.replace(/ {2,}/g, ' ').trim()).join('\n');
  return trimmed.replace(/\n{3,}/g, '\n\n').trim();
}

/** The offset after the end tag of `name`. */
function endOf(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}\\s*>`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html) === null ? html.length : pattern.lastIndex;
}

function hrefOf(tag: string): string | undefined {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
  const href = decodeEntities(double ?? single ?? '');
  return /^https?:/i.test(href) ? href : undefined;
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, dec, hex, id) => {
      if (id !== undefined) return named[String(id).toLowerCase()] ?? whole;
      const code = dec === undefined ? Number.parseInt(hex, 16) : Number(dec);
      const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '';
    },
  );
}

const addressAttributes = new Set('href src action formaction background poster cite'.split(' '));
const scheme = /^[^/?#]*:/;
const harmlessSchemes = /^(?:(?:https?|mailto|tel|cid):|data:image\/(?:png|gif|jpeg)[;,])/i;

/**
 * Fills the handles of a company's HTML. Values are escaped. They are omitted where they would turn
 * the URL of a link or image into one that executes code, such as `javascript:`, and wherever
 * escaping cannot make them harmless.
 */
export function fillOwnHtml(template: string, values: HandleValues): string {
  const places = new Map(handlePlaces(template).map((place) => [place.at, place]));
  return fillHandles(template, values, (value, at) => {
    const place = places.get(at);
    if (place === undefined || place.kind === 'elsewhere') return '';
    const { attribute = '', isFirst = false } = place;
    if (isFirst && addressAttributes.has(attribute) && !isHarmlessAddress(value)) return '';
    return escapeHtml(value);
  });
}

/** Handles of `template`, as written, whose values no escaping makes harmless. */
export function misplacedHandles(template: string): readonly string[] {
  return handlePlaces(template)
    .filter(({ kind }) => kind === 'elsewhere')
    .map(({ at }) => template.slice(at, template.indexOf('}}', at) + 2));
}

function isHarmlessAddress(value: string): boolean {
  // Browsers and mail clients skip these characters in URLs.
  const plain = value.replace(/[\0- ]/g, '');
  return !scheme.test(plain) || harmlessSchemes.test(plain);
}
