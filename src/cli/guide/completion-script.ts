import type { Command, Option } from 'commander';
import { sealLevels } from '../../base/level.ts';
import { sealDigests } from '../../wire/config.ts';
import { sealCorners, sealLanguages } from '../visible-options.ts';
import { topics } from './topics.ts';

interface Word {
  readonly name: string;
  readonly text: string;
}

interface Place {
  /** Words after the program that lead here: `tsa serve`. */
  readonly path: string;
  readonly subcommands: readonly Word[];
  readonly options: readonly Option[];
  /** Words for the first argument; empty: file names. */
  readonly words: readonly string[];
}

const valueChoices: Readonly<Record<string, readonly string[]>> = {
  '--level': sealLevels,
  '--digest': sealDigests,
  '--certify': ['p1', 'p2', 'p3'],
  '--development-key': ['rsa', 'ec'],
  '--corner': sealCorners,
  '--language': sealLanguages,
  '--page': ['1', 'last'],
};

/** A completion script for the commands, options and fixed values of the tree. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program, '', program);
  if (shell === 'fish') return fishScript(places);
  const bash = bashScript(places);
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function placesOf(command: Command, path: string, program: Command): readonly Place[] {
  const topicWords = command.name() === 'help' ? Object.keys(topics) : [];
  const commandWords = topicWords.length > 0 ? program.commands.map((one) => one.name()) : [];
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const place: Place = {
    path,
    subcommands: command.commands.map((one) => ({ name: one.name(), text: one.summary() })),
    options: (command === program
      ? program.options
      : [...command.options, ...program.options]
    ).filter(({ hidden }) => !hidden),
    words: [...choices, ...commandWords, ...topicWords],
  };
  const children = command.commands.flatMap((one) =>
    placesOf(one, path === '' ? one.name() : `${path} ${one.name()}`, program),
  );
  return [place, ...children];
}

function bashScript(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const options = place.options.map((option) => option.long ?? option.short).join(' ');
    const words = [...place.subcommands.map((word) => word.name), ...place.words].join(' ');
    return `    '${place.path}') words='${words}'; options='--help ${options}' ;;`;
  });
  const paths = places.map((place) => `'${place.path}'`).join('|');
  const values = Object.entries(valueChoices).map(
    ([option, choices]) =>
      `    ${option}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`,
  );
  return `# innsigli completion
_innsigli() {
  local current previous path word words options
  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  path=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$previous" in
${values.join('\n')}
  esac
  case "$path" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _innsigli innsigli`;
}

function fishScript(places: readonly Place[]): string {
  const lines = ['# innsigli completion'];
  for (const { path, subcommands, options, words } of places) {
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = subcommands.map((word) => word.name).join(' ');
    const inside = path === '' ? [] : seen;
    const fresh = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
    const condition = [...inside, ...fresh].join('; and ');
    for (const { name, text } of subcommands) {
      lines.push(`complete -c innsigli -f -n "${condition}" -a ${name} -d ${quoted(text)}`);
    }
    for (const word of words) {
      lines.push(`complete -c innsigli -f -n "${condition}" -a ${word}`);
    }
    // Options of the program are offered everywhere, once.
    const own = path === '' ? options : options.filter((option) => !isGlobal(option, places));
    for (const option of own)
      lines.push(fishOption(option, path === '' ? '' : seen.join('; and ')));
  }
  return lines.join('\n');
}

function fishOption(option: Option, condition: string): string {
  const long = option.long?.slice(2) ?? '';
  const choices = valueChoices[option.long ?? ''];
  return [
    'complete -c innsigli',
    ...(condition === '' ? [] : [`-n "${condition}"`]),
    `-l ${long}`,
    ...(option.short === undefined ? [] : [`-s ${option.short.slice(1)}`]),
    ...(option.required ? ['-r'] : []),
    ...(choices === undefined ? [] : [`-f -a '${choices.join(' ')}'`]),
    `-d ${quoted(option.description)}`,
  ].join(' ');
}

function isGlobal(option: Option, places: readonly Place[]): boolean {
  return places[0]?.options.includes(option) ?? false;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
