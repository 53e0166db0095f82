import type { OutputStream } from '../io.ts';

/** Applies a colour or weight to text. It ignores further arguments. */
type Paint = (text: string) => string;

/** Colours for text, if enabled, and the number of columns for sentences. */
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

/** True if `stream` shows colour: checked for each stream separately. @spec https://no-color.org */
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

/** Loads the style for a stream; chalk is loaded only if colour is enabled. */
export async function loadStyle(colour: boolean, width = 80): Promise<Style> {
  if (!colour) return { ...plain, width };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // Chalk joins all of its arguments, which in a `map` callback include index and array.
  const paint =
    (name: keyof typeof plain): Paint =>
    (text) =>
      chalk[name](text);
  const [bold, dim, red] = [paint('bold'), paint('dim'), paint('red')];
  const [green, yellow, cyan] = [paint('green'), paint('yellow'), paint('cyan')];
  return { bold, dim, red, green, yellow, cyan, width };
}
