import { setImmediate } from 'node:timers/promises';
import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';

const [quote, backslash, comma, brace] = [0x22, 0x5c, 0x2c, 0x7b];
const opening: ReadonlySet<number> = new Set([0x5b, brace]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Rejects JSON that would become too many or too deeply nested values, before any of them is
 * created. Texts are skipped, so a document in base64 costs next to nothing.
 *
 * @param most maximum number of members and elements
 * @returns the number it has
 * @throws limit.exceeded
 */
export function requireJsonWithinLimits(text: string, most: number = limits.jsonValues): number {
  // For the enclosing lists and objects: number of commas of objects, NaN for lists.
  const commas: number[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) {
      values += 1;
      const count = (commas.pop() ?? Number.NaN) + 1;
      commas.push(count);
      if (count >= limits.jsonMembers) throw tooMuch(`${limits.jsonMembers} members of an object`);
    } else if (opening.has(code)) {
      values += 1;
      commas.push(code === brace ? 0 : Number.NaN);
      if (commas.length > limits.jsonDepth) throw tooMuch(`${limits.jsonDepth} levels of nesting`);
    } else if (closing.has(code)) commas.pop();
    if (values > most) throw tooManyValues(most);
  }
  return values;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Resolves in a turn that parses no other large JSON: each may block everyone by itself. */
export function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Position of the quote that ends the text starting at `start`, or the length if there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}

/** Creates the error for JSON with more than `most` members and elements. */
export function tooManyValues(most: number): InnsigliError {
  return tooMuch(`${most} values`);
}

function tooMuch(what: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `the JSON of the request: expected at most ${what}`);
}

type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'rest';

/** End of a text or a keyword, and the position of an error in it. */
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
 * Returns the position of the first character that is not valid JSON, the length if the text ends
 * too early, or undefined for valid JSON. Its nesting was limited before.
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

/** A position in a text as people count: lines and columns from 1. */
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

/** End of the match of `pattern` at `start`, or `start` if there is no match. */
function match(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** Maximum length of a body in which an error is located: that takes longer than parsing it. */
const PLACED_CHARACTERS_MAX = 1024 * 1024;

/**
 * Creates the error for text that is not JSON. The text is not repeated: it can be a secret. If
 * documents were extracted, positions differ from those in the request.
 */
export function notJson(text: string, isWhole: boolean): InnsigliError {
  if (text.length > PLACED_CHARACTERS_MAX || !isWhole) {
    const either = 'the body is not valid JSON, or it has a member __proto__ or constructor';
    return new InnsigliError('validation.error', either);
  }
  const at = jsonFault(text);
  if (at === undefined) {
    const refused = 'body: members __proto__ and constructor are rejected';
    return new InnsigliError('validation.error', refused);
  }
  const what = at < text.length ? 'unexpected character' : 'it ends too early';
  const message = `the body is not valid JSON: ${what}, ${lineAndColumn(text, at)}`;
  return new InnsigliError('validation.error', message);
}
