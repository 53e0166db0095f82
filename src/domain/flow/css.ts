import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';
import { invalid } from '../../base/input.ts';

/** Maximum length of the style sheet of a flow, in characters. */
const cssCharactersMax = 64 * 1024;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** At-rules that load no external resource and affect nothing outside the page. */
const atRules = words('container font-face keyframes -webkit-keyframes layer media page supports');
/** Functions that compute a value. Any other may load a resource, now or in future browsers. */
const functions = words(`
  abs acos asin atan atan2 calc clamp cos exp hypot log max min mod pow rem round sign sin sqrt tan
  color color-mix hsl hsla hwb lab lch oklab oklch rgb rgba
  conic-gradient linear-gradient radial-gradient repeating-conic-gradient
  repeating-linear-gradient repeating-radial-gradient
  circle ellipse inset path polygon
  matrix matrix3d perspective rotate rotate3d rotatex rotatey rotatez scale scale3d scalex scaley
  scalez skew skewx skewy translate translate3d translatex translatey translatez
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  cubic-bezier linear steps
  fit-content minmax repeat
  counter counters env var
  format local selector tech
  active dir first-child has host is lang not nth-child nth-last-child nth-last-of-type nth-of-type
  slotted where
`);
/** Properties with which old browsers run scripts. */
const bindings = words('-moz-binding -ms-behavior behavior');
/** Images and fonts embedded in the style sheet. No SVG: it can contain scripts and URLs. */
const ownAddress = /^(?:#|data:(?:image\/(?:png|jpeg|gif|webp)|font\/(?:woff2?|ttf|otf))[;,])/i;

/** Closing token for each kind of block. */
const closing: ReadonlyMap<TokenType, TokenType> = new Map([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.Function, TokenType.CloseParen],
]);
const closers = new Set(closing.values());

/**
 * Validates `value` as a style sheet for a signing page: it loads nothing and affects only its
 * page. Only known rules and functions are allowed.
 *
 * @throws validation.error
 * @spec CSS Syntax Level 3 §4
 */
export function requireCss(value: unknown): string {
  if (typeof value !== 'string') return refuse('a text');
  if (value.length > cssCharactersMax) return refuse(`at most ${cssCharactersMax} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0008\u000b\u000e-\u001f]/.test(value)) return refuse('no control characters');
  const tokens = tokenize(
    { css: value },
    { onParseError: ({ message }) => refuse(`a CSS style sheet: ${message}`) },
  );
  const solid = tokens.filter(
    ([type]) => type !== TokenType.Whitespace && type !== TokenType.Comment,
  );
  solid.forEach((token, at) => void requireHarmless(token, solid[at + 1]));
  requireClosed(solid);
  return value;
}

function requireHarmless(token: CSSToken, next: CSSToken | undefined): void {
  const [type, raw, , , data] = token;
  const said = data !== undefined && 'value' in data ? String(data.value) : raw;
  const name = said.toLowerCase();
  if (said.includes('<') || raw.includes('<')) {
    refuse('a style sheet without "<"');
  }
  if (type === TokenType.AtKeyword && !atRules.has(name)) refuse(`a style sheet without @${name}`);
  if (type === TokenType.Function && name === 'url') {
    if (next?.[0] !== TokenType.String) refuse(foreign);
    else requireOwnAddress(next[4].value);
  } else if (type === TokenType.Function && !functions.has(name)) {
    refuse(`a style sheet without ${name}()`);
  }
  if (type === TokenType.BadURL || type === TokenType.BadString) refuse('closed strings');
  if (type === TokenType.URL) requireOwnAddress(said);
  if (type === TokenType.Ident && bindings.has(name)) refuse('a style sheet without a binding');
}

const foreign = 'a style sheet without external URLs: only data: images and fonts';

function requireOwnAddress(address: string): void {
  if (!ownAddress.test(address.trim())) refuse(foreign);
}

/** An unclosed block would swallow what follows the style sheet. */
function requireClosed(tokens: readonly CSSToken[]): void {
  const open: TokenType[] = [];
  for (const [type] of tokens) {
    const closer = closing.get(type);
    if (closer !== undefined) open.push(closer);
    else if (closers.has(type) && open.pop() !== type) refuse('closed blocks');
  }
  if (open.length > 0) refuse('closed blocks');
}

function refuse(expected: string): never {
  return invalid('css', `expected ${expected}`);
}
