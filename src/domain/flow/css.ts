import { CoreError } from '../../base/errors.ts';

/** Characters of the style sheet of a flow. */
export const cssCharactersMax = 64 * 1024;

/** What a style sheet may not do, judged after comments and escapes are gone. */
const forbidden: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/[<]/, 'a "<", which could end the style element'],
  [/@\s*import/i, '@import'],
  [/@\s*charset/i, '@charset'],
  [/@\s*namespace/i, '@namespace'],
  [/expression\s*\(/i, 'expression()'],
  [/-moz-binding|\bbehavior\s*:/i, 'a binding'],
  [/javascript\s*:|vbscript\s*:/i, 'a script address'],
  [foreignAddress(), 'an address outside of the sheet: only data: images and fonts'],
];

/**
 * `value` as a style sheet that can stand on a signing page: it loads nothing and cannot leave
 * its element.
 *
 * @throws validation.error
 */
export function requireCss(value: unknown): string {
  if (typeof value !== 'string') return refuse('a text');
  if (value.length > cssCharactersMax) return refuse(`at most ${cssCharactersMax} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0008\u000b\u000e-\u001f]/.test(value)) return refuse('no control characters');
  const withoutComments = removeComments(value);
  if (withoutComments === undefined) return refuse('comments that are closed');
  const plain = resolveEscapes(withoutComments);
  for (const [pattern, what] of forbidden) {
    if (pattern.test(value) || pattern.test(plain)) return refuse(`a sheet without ${what}`);
  }
  return value;
}

/** `\69mport` says import. @spec CSS Syntax Level 3 §4.3.7 */
function resolveEscapes(css: string): string {
  return css.replace(/\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^\r\n\f]))/gi, (_, hex, plain) => {
    if (hex === undefined) return String(plain);
    const codePoint = Number.parseInt(String(hex), 16);
    return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\uFFFD';
  });
}

// Pictures and fonts may stand in the sheet itself; SVG may not, it can hold scripts and addresses.
function foreignAddress(): RegExp {
  const pictures = String.raw`image\/(?:png|jpeg|gif|webp)`;
  const fonts = String.raw`font\/(?:woff2?|ttf|otf)`;
  const own = String.raw`\s*["']?\s*(?:#|data:(?:${pictures}|${fonts})[;,])`;
  return new RegExp(String.raw`(?:url|src|image|image-set)\s*\((?!${own})`, 'i');
}

function removeComments(css: string): string | undefined {
  let plain = '';
  for (let at = 0; ; ) {
    const start = css.indexOf('/*', at);
    if (start < 0) return plain + css.slice(at);
    const end = css.indexOf('*/', start + 2);
    if (end < 0) return undefined;
    plain += css.slice(at, start);
    at = end + 2;
  }
}

function refuse(expected: string): never {
  throw new CoreError('validation.error', `css: expected ${expected}`, {
    details: { field: 'css' },
  });
}
