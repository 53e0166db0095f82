/** Control characters (C0, C1), line separators, and marks that reorder or hide text. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass.
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Makes a name or text from a document, certificate or command line printable on one terminal line:
 * characters that move, reorder or hide text are written as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(hidden, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** Colours and weights of {@link Style}. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may pass.
const paint = /(\u001b\[(?:[12]|22|3[1236]|39)m)/;

/**
 * Filters whole lines for a terminal: only line breaks, tabs and, with colour, our own colours
 * pass. Escapes are those of JSON, so that a JSON text remains valid.
 */
export function terminalText(text: string, hasColour: boolean): string {
  if (hasColour && text.includes('\u001b')) {
    const parts = text.split(paint);
    return parts.map((part, index) => (index % 2 === 1 ? part : escaped(part))).join('');
  }
  return escaped(text);
}

function escaped(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The printable name of an input: `-` is standard input. */
export function shownName(name: string): string {
  return name === '-' ? 'standard input' : printable(name);
}

/** Formats a number of bytes: `812 B`, `13.2 kB`, `4.0 MB`. */
export function byteCount(lengthBytes: number): string {
  if (lengthBytes < 1000) return `${lengthBytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = lengthBytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** `1 signature`, `2 signatures`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A path as a shell word, quoted if necessary; `$'…'` for characters that control a terminal. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path;
  // zsh expands =NAME to the path of a command.
  if (/^(?!=)[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  if (printable(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  const bytes = (character: string) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `$'${word.replace(/[\\']/g, '\\$&').replace(hidden, bytes)}'`;
}

/** An ISO 8601 time, without a zero fraction of a second. */
export function shortTime(time: string): string {
  return printable(time).replace(/\.0+Z$/, 'Z');
}

/** Formats epoch milliseconds as `2026-01-31T12:00:00Z`. */
export function wholeSecond(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
