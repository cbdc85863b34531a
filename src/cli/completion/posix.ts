import { FILE_FLAGS, openPaths, type Place, valuedFlags } from './places.ts';

/** The functions that bash and zsh share: the words that may stand somewhere, a line each, and the place on the line. */
function sharedFunctions(places: readonly [Place, ...Place[]]): string {
  const everywhere = places[0].options;
  const cases = places.flatMap(({ path, words, options, params, files }) => {
    const isOperation = path.startsWith('api ');
    const flags = path === '' ? everywhere : [...options, ...everywhere];
    return [
      ...clause(`'words:${path}'`, words, ({ name }) => name),
      // The options of api go on after the operation.
      ...clause(path === 'api' ? "'options:api'*" : `'options:${path}'`, isOperation ? [] : flags, ({ flag }) => flag),
      ...clause(`'params:${path}'`, params, (name) => `${name}=`),
      ...clause(`'files:${path}'`, files, (name) => `${name}=`),
    ];
  });
  return `_stockbridge_words() {
  case "$1" in
${cases.join('\n')}
  esac
}

# Sets stockbridge_path from the words before the one that is completed.
_stockbridge_line() {
  local word skip=
  stockbridge_path=
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$word" in
      ${valuedFlags(places).join('|')}) skip=1 ;;
      -*|=) ;;
      *)
        case "$stockbridge_path" in
          '') stockbridge_path="$word" ;;
          ${openPaths(places).join('|')}) stockbridge_path="$stockbridge_path $word" ;;
        esac ;;
    esac
  done
}`;
}

function clause<T>(pattern: string, all: readonly T[], word: (each: T) => string): string[] {
  return all.length === 0 ? [] : [`    ${pattern}) printf '%s\\n' ${all.map(word).join(' ')} ;;`];
}

const HOW = (shell: string, line: string) => `# What completes stockbridge in ${shell}. ${line}`;

/** The rest of the choice, by the option before: a flag begins with a dash, everything else is a word. */
const OTHERWISE = (places: readonly Place[]) => `${valuedFlags(places).join('|')}) return ;;
    *)
      case "$current" in
        -*) kind="options:$stockbridge_path" ;;
        *) kind="words:$stockbridge_path" ;;
      esac ;;`;

export function bashScript(places: readonly [Place, ...Place[]]): string {
  return `${HOW('bash', 'In ~/.bashrc: . <(stockbridge completion bash)')}

${sharedFunctions(places)}

_stockbridge() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" kind stockbridge_path
  _stockbridge_line "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=()
  # An equals sign is a word of its own here.
  if [ "$current" = = ] || [ "$before" = = ]; then
    local option="\${COMP_WORDS[COMP_CWORD-3]}"
    [ "$current" = = ] && option="\${COMP_WORDS[COMP_CWORD-2]}" && current=
    [ "$option" = --file ] && compopt -o filenames && COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  case "$before" in
    --param) kind="params:$stockbridge_path"; compopt -o nospace ;;
    --file) kind="files:$stockbridge_path"; compopt -o nospace ;;
    ${FILE_FLAGS.join('|')}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${OTHERWISE(places)}
  esac
  COMPREPLY=($(compgen -W "$(_stockbridge_words "$kind")" -- "$current"))
}
complete -F _stockbridge stockbridge`;
}

export function zshScript(places: readonly [Place, ...Place[]]): string {
  return `#compdef stockbridge
${HOW('zsh', 'In ~/.zshrc, after compinit: . <(stockbridge completion zsh)')}

${sharedFunctions(places)}

_stockbridge() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" kind stockbridge_path
  _stockbridge_line "\${(@)words[2,CURRENT-1]}"
  case "$before" in
    --param) kind="params:$stockbridge_path" ;;
    --file)
      if [[ "$current" == *=* ]]; then compset -P '*='; _files; return; fi
      kind="files:$stockbridge_path" ;;
    ${FILE_FLAGS.join('|')}) _files; return ;;
    ${OTHERWISE(places)}
  esac
  local -a found
  found=("\${(@f)$(_stockbridge_words "$kind")}")
  case "$kind" in
    params:*|files:*) compadd -S '' -- $found ;;
    *) compadd -- $found ;;
  esac
}
compdef _stockbridge stockbridge`;
}
