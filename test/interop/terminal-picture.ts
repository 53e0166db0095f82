import { makePng } from '../support/images.ts';

/** A cell of a terminal: its character and the brightness of both colours, 0 to 255. */
interface Cell {
  readonly text: string;
  readonly front: number;
  readonly back: number;
}

const usual = { front: 229, back: 0 };
/** Size of a cell in the picture. */
const [width, height] = [8, 16];

/**
 * A picture (PNG, shades of grey) of what `tmux capture-pane -e -p` has given: blocks of half a
 * cell as they are, other characters as a bar in the middle of their cell. Light on dark, as
 * terminals are.
 */
export function terminalPicture(captured: string): Uint8Array {
  const lines = linesOf(captured);
  const columns = Math.max(1, ...lines.map(({ length }) => length));
  const rows: number[][] = [];
  for (const line of lines) {
    for (let y = 0; y < height; y += 1) rows.push(pixelsOf(line, y, columns));
  }
  return makePng({ width: columns * width, height: rows.length, colorType: 0, rows });
}

function pixelsOf(line: readonly Cell[], y: number, columns: number): number[] {
  const pixels: number[] = [];
  for (let at = 0; at < columns; at += 1) {
    const { text, front, back } = line[at] ?? { text: ' ', ...usual };
    for (let x = 0; x < width; x += 1) pixels.push(isFront(text, x, y) ? front : back);
  }
  return pixels;
}

function isFront(text: string, x: number, y: number): boolean {
  if (text === '█') return true;
  if (text === '▀') return y < height / 2;
  if (text === '▄') return y >= height / 2;
  return text.trim() !== '' && y > 6 && y < 10 && x > 0 && x < 7;
}

/** Colours go on from line to line. */
function linesOf(captured: string): readonly (readonly Cell[])[] {
  let colours = usual;
  return captured.split('\n').map((line) => {
    const cells = cellsOf(line, colours);
    colours = cells.colours;
    return cells.cells;
  });
}

function cellsOf(line: string, before: typeof usual) {
  const cells: Cell[] = [];
  let colours = before;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours stand between them.
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
    const sequence = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (sequence !== undefined) colours = painted(colours, sequence);
    else for (const text of part) cells.push({ text, ...colours });
  }
  return { cells, colours };
}

function painted(before: typeof usual, sequence: string): typeof usual {
  const codes = sequence.split(';').map(Number);
  let { front, back } = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === 0) ({ front, back } = usual);
    if (code === 39) front = usual.front;
    if (code === 49) back = usual.back;
    if (code !== 38 && code !== 48) continue;
    // 38;5;N and 48;5;N of 256 colours: 16 is black, 231 white.
    const shade = codes[at + 2] === 231 ? 255 : 0;
    if (code === 38) front = shade;
    else back = shade;
    at += 2;
  }
  return { front, back };
}
