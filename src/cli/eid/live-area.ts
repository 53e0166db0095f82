import type { OutputStream } from '../io.ts';

/** Lines at the end of a terminal that are drawn again and again in one place. */
export interface LiveArea {
  draw(lines: readonly string[]): void;
  /** Removes the lines. */
  clear(): void;
}

/**
 * A {@link LiveArea} on a terminal. Lines must be narrower than it, printable, and fewer than its
 * rows. What moves the cursor is written as bytes, which pass the guard of texts.
 */
export function openLiveArea(stream: OutputStream): LiveArea {
  let drawn: readonly string[] = [];
  const back = () => (drawn.length === 0 ? '' : `\u001b[${drawn.length}F\u001b[0J`);
  const write = (text: string) => {
    if (text !== '') stream.write(Buffer.from(text, 'utf8'));
  };
  return {
    draw(lines) {
      if (lines.length === drawn.length && lines.every((line, at) => line === drawn[at])) return;
      write(back() + lines.map((line) => `${line}\n`).join(''));
      drawn = lines;
    },
    clear() {
      write(back());
      drawn = [];
    },
  };
}
