import type { Command, Option } from 'commander';
import { offeredWords } from '../command/index.ts';
import { type KeyKind, keyKinds } from '../short-keys.ts';
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
  /** Kinds of keys that the arguments are, in their order. */
  readonly keys: readonly KeyKind[];
}

/** Options whose value is a key. */
const keyOptions: Readonly<Record<string, KeyKind>> = {
  '--flow': 'flow',
  '--flow-key': 'flow',
  '--process': 'process',
  '--webhook': 'webhook',
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
    keys: command.registeredArguments.flatMap((one) => {
      const kind = keyKinds.find((each) => each === one.name());
      return kind === undefined ? [] : [kind];
    }),
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
    const keys = place.keys.length === 0 ? '' : ` keys=(${place.keys.join(' ')});`;
    return `    '${place.path}') offered='${words}';${keys} options='--help ${options}' ;;`;
  });
  const all = places.flatMap((place) => place.options);
  const valued = [...new Set(all.filter(({ required }) => required).flatMap(flagsOf))].join('|');
  const keyed = Object.entries(keyOptions).map(
    ([option, kind]) => `    ${option}) kind=${kind} ;;`,
  );
  const paths = places.map((place) => `'${place.path}'`).join('|');
  // In zsh `path` and `words` are taken: a local one would empty PATH.
  return `# innsigli completion
_innsigli() {
  local current previous place word offered options kind skip found
  local -a keys args
  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  # bash makes three words of --level=B.
  if [[ "$current" == '=' ]]; then current=''
  elif [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  place=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    if [[ "$word" == '=' ]]; then skip=1; continue; fi
    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in
      ${valued}) skip=1; continue ;;
      -?*) continue ;;
    esac
    case "\${place:+$place }$word" in
      ${paths}) place="\${place:+$place }$word" ;;
      *) args+=("$word") ;;
    esac
  done
  case "$place $previous" in
${valueCases(places).join('\n')}
  esac
  case "$place" in
${cases.join('\n')}
  esac
  kind=''
  case "$previous" in
${keyed.join('\n')}
    *) [[ "$current" == -* ]] || kind="\${keys[@]:\${#args[@]}:1}" ;;
  esac
  if [[ -n "$kind" ]]; then
    found="$("\${COMP_WORDS[@]:0:1}" completion keys "$kind" "\${args[@]:0:1}" \\
      2>/dev/null </dev/null | cut -f1)"
    COMPREPLY=($(compgen -W "$found" -- "$current"))
    return
  fi
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$offered" ]]; then
    COMPREPLY=($(compgen -W "$offered" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _innsigli innsigli`;
}

/** What is offered for the values of options, by the command: one line for each list of words. */
function valueCases(places: readonly Place[]): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of places) {
    for (const option of options) {
      const words = offeredWords(option).join(' ');
      if (words === '') continue;
      const own = flagsOf(option).map((flag) => `'${path} ${flag}'`);
      patterns.set(words, [...(patterns.get(words) ?? []), ...own]);
    }
  }
  return [...patterns].map(
    ([words, own]) =>
      `    ${own.join('|')}) COMPREPLY=($(compgen -W '${words}' -- "$current")); return ;;`,
  );
}

function fishScript(places: readonly Place[]): string {
  const lines = ['# innsigli completion'];
  for (const place of places) {
    const { path, subcommands, options, words } = place;
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = subcommands.map((word) => word.name).join(' ');
    const inside = path === '' ? [] : seen;
    const fresh = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
    const condition = [...inside, ...fresh].join('; and ');
    for (const { name, text } of subcommands) {
      lines.push(`complete -c innsigli -f -n "${condition}" -a ${name} -d ${quoted(text)}`);
    }
    const parent = "(commandline -opc | string match -r '^(?:sp|pg)[0-9a-f]+')";
    for (const [index, kind] of [...new Set(place.keys)].entries()) {
      const given = index === 0 ? '' : ` ${parent}`;
      const before = 'count (commandline -opc | string match -v -- "-*")';
      // The program, the path and earlier arguments.
      const isTurn = `test (${before}) -eq ${1 + path.split(' ').length + index}`;
      const found = `"(innsigli completion keys ${kind}${given} 2>/dev/null)"`;
      lines.push(`complete -c innsigli -f -n '${[condition, isTurn].join('; and ')}' -a ${found}`);
    }
    for (const word of words) {
      lines.push(`complete -c innsigli -f -n "${condition}" -a ${word}`);
    }
    // Options of the program are offered everywhere, once.
    const global = path === '' ? [] : (places[0]?.options ?? []);
    const own = options.filter((option) => !global.includes(option));
    for (const option of own)
      lines.push(fishOption(option, path === '' ? '' : seen.join('; and ')));
  }
  return lines.join('\n');
}

function flagsOf({ long, short }: Option): readonly string[] {
  return [long, short].filter((flag) => flag !== undefined);
}

function fishOption(option: Option, condition: string): string {
  const long = option.long?.slice(2) ?? '';
  const offered = offeredWords(option);
  const kind = keyOptions[option.long ?? ''];
  return [
    'complete -c innsigli',
    ...(condition === '' ? [] : [`-n "${condition}"`]),
    `-l ${long}`,
    ...(option.short === undefined ? [] : [`-s ${option.short.slice(1)}`]),
    ...(option.required ? ['-r'] : []),
    ...(offered.length === 0 ? [] : [`-f -a '${offered.join(' ')}'`]),
    ...(kind === undefined ? [] : [`-f -a "(innsigli completion keys ${kind} 2>/dev/null)"`]),
    `-d ${quoted(option.description)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
