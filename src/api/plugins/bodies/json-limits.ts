import { setImmediate } from 'node:timers/promises';
import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';

const [quote, backslash, comma, brace] = [0x22, 0x5c, 0x2c, 0x7b];
const opening: ReadonlySet<number> = new Set([0x5b, brace]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Refuses JSON that would become too many or too deeply nested values, before any of them is made.
 * Texts are skipped at once, so a document in base64 costs next to nothing.
 *
 * @param most members and elements that it may have
 * @returns how many it has
 * @throws limit.exceeded
 */
export function requireModestJson(text: string, most: number = limits.jsonValues): number {
  // Of the lists and objects around the place: commas of objects, nothing of lists.
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

/** Resolves in a turn in which no other large JSON is read: each may hold others up alone. */
export function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Place of the quote that ends the text that begins at `start`; the length: there is none. */
export function endOfText(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}

/** The error for JSON with more than `most` members and elements. */
export function tooManyValues(most: number): InnsigliError {
  return tooMuch(`${most} values`);
}

function tooMuch(what: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `the JSON of the request: expected at most ${what}`);
}
