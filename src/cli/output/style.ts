import type { OutputStream } from '../io.ts';

/** A colour or weight of text: it takes the text alone, whatever else it is handed. */
type Paint = (text: string) => string;

/** Puts colour around text, or leaves it alone; and the columns that sentences may take. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly width: number;
}

const same: Paint = (text) => text;
const plain = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** True when `stream` shows colour: checked for each stream alone. @spec https://no-color.org */
export function hasColour(
  stream: Pick<OutputStream, 'isTerminal'>,
  env: Readonly<Record<string, string | undefined>>,
  allowed: boolean,
): boolean {
  if (!allowed || env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return stream.isTerminal && env['TERM'] !== 'dumb';
}

/** The style for a stream; chalk is loaded only when there is colour. */
export async function loadStyle(colour: boolean, width = 80): Promise<Style> {
  if (!colour) return { ...plain, width };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // The paints of chalk join all that they are given: index and list too, when they are mapped.
  const paint =
    (name: keyof typeof plain): Paint =>
    (text) =>
      chalk[name](text);
  const [bold, dim, red] = [paint('bold'), paint('dim'), paint('red')];
  const [green, yellow, cyan] = [paint('green'), paint('yellow'), paint('cyan')];
  return { bold, dim, red, green, yellow, cyan, width };
}
