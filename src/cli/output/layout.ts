import type { OutputStream } from '../io.ts';

const widthMin = 40;
const widthMax = 80;
/** A narrower column is unsuitable for sentences. */
const textWidthMin = 24;

/** Returns the columns for help on a stream: its terminal's width, at most 80; 80 elsewhere. */
export function helpWidth({ isTerminal, columns }: Pick<OutputStream, 'isTerminal' | 'columns'>) {
  const width = isTerminal && columns ? columns : widthMax;
  return Math.max(widthMin, Math.min(widthMax, width));
}

/** Wraps text to `width` columns; a longer word gets its own line. Colours take no columns. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written with them.
const colour = /\u001b\[\d+m/g;

function columnsOf(text: string): number {
  return text.includes('\u001b') ? text.replace(colour, '').length : text.length;
}

/** Lays out names with texts beside them, or below them if there is no space. */
export function layTable(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
): readonly string[] {
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const textWidth = width - nameWidth - 4;
  return rows.flatMap(([name, text]) => {
    if (textWidth < textWidthMin) {
      return [`  ${name}`, ...wrapText(text, width - 6).map((line) => `      ${line}`)];
    }
    const [first = '', ...others] = wrapText(text, textWidth);
    const margin = ' '.repeat(nameWidth + 4);
    return [`  ${name.padEnd(nameWidth)}  ${first}`, ...others.map((line) => margin + line)];
  });
}
