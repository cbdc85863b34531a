import { FILE_FLAGS, pathsOf, valuedFlags, type Words } from './words.ts';

/** The part that bash and zsh share: the words that may stand somewhere, a line each. */
function wordFunction({ options, verbs, operations }: Words): string {
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  const flags = (all: readonly { readonly flag: string }[]) => all.map(({ flag }) => flag);
  const cases = [
    clause('verbs:', names(verbs)),
    ...pathsOf(verbs).flatMap(([path, verb]) => [
      clause(`options:${path}`, [...flags(verb.options), ...flags(options)]),
      ...(verb.verbs.length > 0 ? [clause(`verbs:${path}`, names(verb.verbs))] : []),
    ]),
    clause('options:', flags(options)),
    clause(
      'verbs:api',
      operations.map(({ id }) => id),
    ),
    ...operations.flatMap(({ id, params, files }) => [
      ...(params.length > 0
        ? [
            clause(
              `params:${id}`,
              params.map((name) => `${name}=`),
            ),
          ]
        : []),
      ...(files.length > 0
        ? [
            clause(
              `files:${id}`,
              files.map((name) => `${name}=`),
            ),
          ]
        : []),
    ]),
  ];
  return `_stockbridge_words() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`;
}

function clause(name: string, words: readonly string[]): string {
  return `    '${name}') printf '%s\\n' ${words.join(' ')} ;;`;
}

/** Reads what is on the line: the verb with what belongs to it, and of \`api\` the operation. */
function lineFunction(words: Words): string {
  const valued = valuedFlags(words).join('|');
  const nested = words.verbs.filter(({ verbs }) => verbs.length > 0).map(({ name }) => name);
  return `# Sets stockbridge_path and stockbridge_operation from the words before the one that is completed.
_stockbridge_line() {
  local word skip=
  stockbridge_path= stockbridge_operation=
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$word" in
      ${valued}) skip=1 ;;
      -*|=) ;;
      *)
        case "$stockbridge_path" in
          '') stockbridge_path="$word" ;;
          ${nested.join('|')}) stockbridge_path="$stockbridge_path $word" ;;
          api) [ -n "$stockbridge_operation" ] || stockbridge_operation="$word" ;;
        esac ;;
    esac
  done
}`;
}

const HOW = (shell: string, line: string) => `# What completes stockbridge in ${shell}. ${line}`;

export function bashScript(words: Words): string {
  return `${HOW('bash', 'In ~/.bashrc: . <(stockbridge completion bash)')}

${wordFunction(words)}

${lineFunction(words)}

_stockbridge() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" kind
  local stockbridge_path stockbridge_operation
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
    --param) kind="params:$stockbridge_operation"; compopt -o nospace ;;
    --file) kind="files:$stockbridge_operation"; compopt -o nospace ;;
    ${FILE_FLAGS.join('|')}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${valuedFlags(words).join('|')}) return ;;
    *)
      case "$current" in
        -*) kind="options:$stockbridge_path" ;;
        *) [ -z "$stockbridge_operation" ] && kind="verbs:$stockbridge_path" ;;
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$(_stockbridge_words "$kind")" -- "$current"))
}
complete -F _stockbridge stockbridge`;
}

export function zshScript(words: Words): string {
  return `#compdef stockbridge
${HOW('zsh', 'In ~/.zshrc, after compinit: . <(stockbridge completion zsh)')}

${wordFunction(words)}

${lineFunction(words)}

_stockbridge() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" kind
  local stockbridge_path stockbridge_operation
  _stockbridge_line "\${(@)words[2,CURRENT-1]}"
  case "$before" in
    --param) kind="params:$stockbridge_operation" ;;
    --file)
      if [[ "$current" == *=* ]]; then compset -P '*='; _files; return; fi
      kind="files:$stockbridge_operation" ;;
    ${FILE_FLAGS.join('|')}) _files; return ;;
    ${valuedFlags(words).join('|')}) return ;;
    *)
      case "$current" in
        -*) kind="options:$stockbridge_path" ;;
        *) [ -z "$stockbridge_operation" ] && kind="verbs:$stockbridge_path" ;;
      esac ;;
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
