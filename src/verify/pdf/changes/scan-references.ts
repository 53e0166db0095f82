const space = '(?:[\\0\\t\\n\\f\\r ]|%[^\\r\\n]*(?:[\\r\\n]|$))';
const word = new RegExp(
  [
    `(?<number>\\d{1,7})${space}+\\d{1,5}${space}+R(?![A-Za-z0-9])`,
    '(?<end>endobj|stream)(?![A-Za-z0-9])',
    // Everything else is skipped as a whole: comments, names, words and numbers.
    '%[^\\r\\n]*',
    '/[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]*',
    '[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]+',
  ].join('|'),
  'y',
);

/**
 * Numbers of the objects that a broken object seems to refer to. It is read as far as its
 * `endobj` or its data; words inside strings and comments are no such ends. Behind a string that
 * does not end, all is read.
 */
export function scanReferences(text: string): readonly number[] {
  const found: number[] = [];
  let at = 0;
  let stringsEnd = true;
  while (at < text.length) {
    if (text[at] === '(' && stringsEnd) {
      const end = endOfString(text, at);
      stringsEnd = end !== undefined;
      at = end ?? at + 1;
      continue;
    }
    word.lastIndex = at;
    const match = word.exec(text);
    if (match === null) {
      at++;
      continue;
    }
    const { number, end } = match.groups ?? {};
    if (end !== undefined) break;
    if (number !== undefined) found.push(Number(number));
    at += match[0].length;
  }
  return found;
}

/** Behind the string that starts here; undefined when it does not end. */
function endOfString(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const byte = text[at];
    if (byte === '\\') at++;
    else if (byte === '(') depth++;
    else if (byte === ')' && --depth === 0) return at + 1;
  }
  return undefined;
}
