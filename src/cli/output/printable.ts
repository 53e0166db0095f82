/**
 * Text from a document or a file name, safe for a terminal: control characters, line breaks and
 * marks that reorder text are written as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass.
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/** The name of an input for people: `-` is standard input. */
export function shownName(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/** A number of bytes for people: `812 B`, `13.2 kB`, `4.0 MB`. */
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

/** A path as a shell takes it, quoted when it must be. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** An ISO 8601 time without a fraction of a second that is zero. */
export function shortTime(time: string): string {
  return printable(time).replace(/\.0+Z$/, 'Z');
}

/** Epoch milliseconds as `2026-01-31T12:00:00Z`. */
export function wholeSecond(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

/** The common name of an RFC 4514 name, else the whole of it. */
export function commonName(name: string): string {
  return printable(/(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(name)?.[1] ?? name);
}
