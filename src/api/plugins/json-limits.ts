import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Refuses JSON that would become too many or too deeply nested values, before any of them is made.
 * Texts are skipped at once, so a document in base64 costs next to nothing.
 *
 * @throws limit.exceeded
 */
export function requireModestJson(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (opening.has(code)) {
      depth += 1;
      values += 1;
      if (depth > limits.jsonDepth) throw tooMuch(`${limits.jsonDepth} levels of nesting`);
    } else if (closing.has(code)) depth -= 1;
    if (values > limits.jsonValues) throw tooMuch(`${limits.jsonValues} values`);
  }
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

function tooMuch(what: string): CoreError {
  return new CoreError('limit.exceeded', `the JSON of the request: expected at most ${what}`);
}
