import type { Option } from 'commander';
import { keyKinds } from '../short-keys.ts';
import { type Place, type Takes, valueTakes } from './completion-places.ts';

/** The script for fish. */
export function fishScript(places: readonly Place[]): string {
  return ['# innsigli completion', ...places.flatMap(placeLines)].join('\n');
}

function placeLines({ path, subcommands, options, takes, repeats }: Place): readonly string[] {
  const lines: string[] = [];
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = subcommands.map((word) => word.name).join(' ');
  const inside = path === '' ? [] : seen;
  const fresh = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  const condition = [...inside, ...fresh].join('; and ');
  for (const { name, text } of subcommands) {
    lines.push(`complete -c innsigli -f -n "${condition}" -a ${name} -d ${quoted(text)}`);
  }
  if (path !== '' && !takes.includes('file')) {
    lines.push(`complete -c innsigli -f -n "${condition}"`);
  }
  for (const [index, taken] of takes.entries()) {
    const found = argumentWords(taken, index);
    if (found === undefined) continue;
    const before = 'count (commandline -opc | string match -v -- "-*")';
    // Counts the program, the path and earlier arguments. Values of options count, too, so words
    // are offered from their position on.
    const isOpen = typeof taken !== 'string' || (repeats && index === takes.length - 1);
    const compare = isOpen ? '-ge' : '-eq';
    const isTurn = `test (${before}) ${compare} ${1 + path.split(' ').length + index}`;
    lines.push(`complete -c innsigli -f -n '${[condition, isTurn].join('; and ')}' -a ${found}`);
  }
  const where = path === '' ? '' : seen.join('; and ');
  return [...lines, ...options.map((option) => optionLine(option, where))];
}

/** Quoted words for an argument, or the command that prints its keys. Undefined for free text. */
function argumentWords(taken: Takes, index: number): string | undefined {
  if (typeof taken !== 'string') return `'${taken.words.join(' ')}'`;
  const kind = keyKinds.find((each) => each === taken);
  if (kind === undefined) return undefined;
  const parent = "(commandline -opc | string match -r '^(?:sp|pg)[0-9a-f]+')";
  return `"(innsigli completion keys ${kind}${index === 0 ? '' : ` ${parent}`} 2>/dev/null)"`;
}

function optionLine(option: Option, condition: string): string {
  const value = valueTakes(option);
  return [
    'complete -c innsigli',
    ...(condition === '' ? [] : [`-n "${condition}"`]),
    `-l ${option.long?.slice(2) ?? ''}`,
    ...(option.short === undefined ? [] : [`-s ${option.short.slice(1)}`]),
    ...offerOf(value),
    `-d ${quoted(option.description)}`,
  ].join(' ');
}

/** -F forces file names: the position itself may accept none. */
function offerOf(value: ReturnType<typeof valueTakes>): readonly string[] {
  if (value === undefined) return [];
  if (value === 'file') return ['-r -F'];
  if (value === 'text') return ['-r -f'];
  if (typeof value !== 'string') return [`-r -f -a '${value.words.join(' ')}'`];
  return [`-r -f -a "(innsigli completion keys ${value} 2>/dev/null)"`];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
