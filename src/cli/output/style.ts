import type { OutputStream } from '../io.ts';

/** Puts colour around text, or leaves it alone. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** True when `stream` shows colour: judged for each stream alone. @spec https://no-color.org */
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
export async function loadStyle(colour: boolean): Promise<Style> {
  if (!colour) return plain;
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 });
}
