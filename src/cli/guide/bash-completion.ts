import type { Option } from 'commander';
import { type Place, type Takes, valueTakes } from './completion-places.ts';

/** Fills COMPREPLY with completions for `kind`. */
const offerFunction = `_innsigli_offer() {
  case "$kind" in
    ''|text) ;;
    =*) COMPREPLY=($(compgen -W "\${kind#=}" -- "$current")) ;;
    file)
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      # zsh has its own word for the one that is typed, with the option in it.
      COMPREPLY=($(PREFIX="$current"; IPREFIX=''; compgen -f -- "$current")) ;;
    *)
      found="$("\${COMP_WORDS[@]:0:1}" completion keys "$kind" "\${args[@]:0:1}" \\
        2>/dev/null </dev/null | cut -f1)"
      COMPREPLY=($(compgen -W "$found" -- "$current")) ;;
  esac
}`;

/** The script for bash, which bashcompinit of zsh accepts, too. */
export function bashScript(places: readonly Place[]): string {
  const [whole, ...others] = places;
  const usual = (whole?.options ?? []).map(nameOf).join(' ');
  const cases = [...others, ...(whole === undefined ? [] : [whole])].map((place) => {
    const options = place === whole ? '' : place.options.map(nameOf).join(' ');
    const { subcommands, takes, repeats } = place;
    const words = subcommands.map(({ name }) => name);
    const found = (subcommands.length > 0 ? [{ words }] : takes).map(codeOf).join(' ');
    const many = repeats ? ' many=1;' : '';
    return `    '${place.path}') takes=(${found});${many} options='${options}' ;;`;
  });
  const all = places.flatMap((place) => place.options);
  const valued = [...new Set(all.filter(({ required }) => required).flatMap(flagsOf))].join('|');
  const paths = places.map((place) => `'${place.path}'`).join('|');
  // In zsh, `path` and `words` are reserved: a local `path` would empty PATH.
  return `# innsigli completion
_innsigli() {
  local current previous place word options kind skip found many prefix index
  local -a takes args
  COMPREPLY=()
  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  prefix=''
  # bash makes three words of --level=B, unless it is told otherwise; zsh leaves it one.
  if [[ "$current" == '=' ]]; then current=''
  elif [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  elif [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    prefix="$previous="
    current="\${current#*=}"
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
  case "$place" in
${cases.join('\n')}
  esac
  kind=''
  case "$place $previous" in
${valueCases(places).join('\n')}
  esac
  if [[ -z "$kind" && "$current" == -* ]]; then kind="=--help $options ${usual}"; fi
  if [[ -z "$kind" ]]; then
    index="\${#args[@]}"
    if [[ -n "$many" ]] && (( index >= \${#takes[@]} )); then index=$((\${#takes[@]} - 1)); fi
    kind="\${takes[@]:$index:1}"
  fi
  _innsigli_offer
  if [[ -n "$prefix" && \${#COMPREPLY[@]} -gt 0 ]]; then
    COMPREPLY=("\${COMPREPLY[@]/#/$prefix}")
  fi
}
${offerFunction}
complete -F _innsigli innsigli`;
}

/** Encodes accepted values in one word: the words after an equals sign, or the kind's name. */
function codeOf(takes: Takes): string {
  return typeof takes === 'string' ? takes : `'=${takes.words.join(' ')}'`;
}

/** Case patterns for option values by command: one line per kind. */
function valueCases(places: readonly Place[]): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of places) {
    for (const option of options) {
      const value = valueTakes(option);
      if (value === undefined) continue;
      // Options of the program may follow every command.
      const place = path === '' ? "*' " : `'${path} `;
      const own = flagsOf(option).map((flag) => `${place}${flag}'`);
      const code = codeOf(value);
      patterns.set(code, [...(patterns.get(code) ?? []), ...own]);
    }
  }
  return [...patterns].map(([code, own]) => `    ${own.join('|')}) kind=${code} ;;`);
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

function flagsOf({ long, short }: Option): readonly string[] {
  return [long, short].filter((flag) => flag !== undefined);
}
