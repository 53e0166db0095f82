import { endOfText } from './json-limits.ts';

/** What may come next. */
type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'rest';

/** Where a text or a word ends, and what in it does not fit. */
interface Token {
  readonly end: number;
  readonly fault?: number;
}

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// A backslash alone, and a control character, are one character long: they do not fit.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const marks = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])?|[\0-\x1f]/g;

/**
 * Where a text stops to be JSON: the place of the first character that does not fit, the length
 * when it ends too early; undefined when all of it fits. Its nesting was bounded before.
 *
 * @spec RFC 8259
 */
export function jsonFault(text: string): number | undefined {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let at = match(space, text, text.startsWith('\ufeff') ? 1 : 0);
  while (at < text.length) {
    const mark = text.charAt(at);
    const isEnd = open.length > 0 && mark === (open.at(-1) === '{' ? '}' : ']');
    let token: Token = { end: at + 1 };
    if (isEnd && (wanted === 'rest' || wanted.startsWith('first'))) {
      open.pop();
      wanted = 'rest';
    } else if (wanted === 'rest') {
      if (open.length === 0 || mark !== ',') return at;
      wanted = open.at(-1) === '{' ? 'name' : 'value';
    } else if (wanted === 'colon') {
      if (mark !== ':') return at;
      wanted = 'value';
    } else if (wanted.endsWith('name') || mark === '"') {
      if (mark !== '"') return at;
      token = readText(text, at);
      wanted = wanted.endsWith('name') ? 'colon' : 'rest';
    } else if (mark === '{' || mark === '[') {
      open.push(mark);
      wanted = mark === '{' ? 'first name' : 'first value';
    } else {
      token = { end: match(scalar, text, at) };
      if (token.end === at) return at;
      wanted = 'rest';
    }
    if (token.fault !== undefined) return token.fault;
    at = match(space, text, token.end);
  }
  return wanted === 'rest' && open.length === 0 ? undefined : text.length;
}

/** A place in a text as people count: lines and columns from 1. */
export function lineAndColumn(text: string, at: number): string {
  let line = 1;
  let begin = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
    line += 1;
    begin = end + 1;
  }
  return `line ${line}, column ${at - begin + 1}`;
}

function readText(text: string, start: number): Token {
  const end = endOfText(text, start);
  for (const { 0: found, index } of text.slice(start + 1, end).matchAll(marks)) {
    if (found.length === 1) return { end, fault: start + 1 + index };
  }
  return end < text.length ? { end: end + 1 } : { end, fault: end };
}

/** Where what `pattern` finds at `start` ends; `start` when it is not there. */
function match(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
