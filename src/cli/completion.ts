import { Argument, type Command } from 'commander';
import type { Operation } from '../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../marketplace/operations/table.ts';
import { fileFields } from '../use/api/schema.ts';
import { type Cli, print, printLines } from './output.ts';

/** A word that may be typed here. After a word that ends with an equals sign, its value follows without a space. */
interface Offer {
  readonly word: string;
  readonly summary: string;
}

/** Printed in place of offers: the shell completes the path of a file. */
const FILES = ':files';

/** The script for each shell. It asks this program for the words that fit. The shell itself completes paths. */
const SCRIPTS = {
  bash: `# The completion of stockbridge for bash. In ~/.bashrc: . <(stockbridge completion bash)
_stockbridge() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  case "$COMPREPLY" in
    ${FILES}) compopt -o filenames; COMPREPLY=($(compgen -f -- "\${current#=}")) ;;
    *=) compopt -o nospace ;;
  esac
}
complete -F _stockbridge stockbridge`,
  zsh: `#compdef stockbridge
# The completion of stockbridge for zsh. In ~/.zshrc, after compinit: . <(stockbridge completion zsh)
_stockbridge() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${found[1]}" in
    ${FILES}) compset -P '*='; _files ;;
    *=) compadd -S '' -- $found ;;
    *) compadd -- $found ;;
  esac
}
compdef _stockbridge stockbridge`,
  fish: `# The completion of stockbridge for fish. Once: stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish
function __stockbridge_offers
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l found ($before[1] completion fish -- $before[2..] "$typed" 2>/dev/null)
    if test "$found[1]" != ${FILES}
        printf '%s\\n' $found
    else if string match -q -- '*=*' $typed
        set -l field (string split -m 1 = -- $typed)
        for path in (__fish_complete_path $field[2])
            echo "$field[1]=$path"
        end
    else
        __fish_complete_path $typed
    end
end
complete -c stockbridge -f -a '(__stockbridge_offers)'`,
} as const;

export const help = `
It completes verbs, options, operations of the marketplace and their parameters.

Examples:
  . <(stockbridge completion bash)                    # in ~/.bashrc
  . <(stockbridge completion zsh)                     # in ~/.zshrc, after compinit
  stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish`;

/** `completion SHELL`: prints the script for a shell, or the words that may stand in the place of the last typed word. */
export function define(command: Command, cli: Cli, defineVerb: (verb: Command) => Promise<void>): void {
  const shell = new Argument('<shell>', 'the shell that is to complete').choices(Object.keys(SCRIPTS));
  command
    .addArgument(shell)
    .argument('[word...]', 'what is typed so far, after --: the script asks with it')
    .action(async (name: keyof typeof SCRIPTS, words: string[]) => {
      if (words.length === 0) return printLines(cli, SCRIPTS[name]);
      const typed = rejoined(words);
      const defineOther = async (verb: Command) => (verb === command ? undefined : defineVerb(verb));
      const offers = await offersFor(command.parent ?? command, typed, defineOther);
      if (offers === FILES) return print(cli, FILES);
      for (const { word, summary } of offers.filter((offer) => offer.word.startsWith(typed.at(-1) ?? ''))) {
        print(cli, name === 'fish' ? `${word}\t${summary}` : word);
      }
    });
}

/** In bash, an equals sign is a word of its own. */
function rejoined(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    if (index > 0 && (word === '=' || words[index - 1] === '=')) joined.push(joined.pop() + word);
    else joined.push(word);
  }
  return joined;
}

/** Every completion of the last word. */
async function offersFor(
  program: Command,
  words: readonly string[],
  defineVerb: (verb: Command) => Promise<void>,
): Promise<readonly Offer[] | typeof FILES> {
  let command = program;
  let operation: Operation | null = null;
  let awaited: string | null = null;
  const optionsHere = () => (command === program ? program.options : [...command.options, ...program.options]);
  for (const word of words.slice(0, -1)) {
    if (awaited !== null) awaited = null;
    else if (word.startsWith('-')) {
      awaited = optionsHere().find(({ long, required }) => required && long === word)?.long ?? null;
    } else if (command.commands.length > 0) {
      const verb = command.commands.find((one) => one.name() === word);
      if (verb === undefined) return [];
      if (command === program) await defineVerb(verb);
      command = verb;
    } else if (command.name() === 'api' && Object.hasOwn(OPERATIONS, word)) operation = OPERATIONS[word as OperationId];
  }
  const typed = words.at(-1) ?? '';
  if (awaited !== null) return valuesOf(awaited, operation, typed);
  if (typed.startsWith('-')) {
    const options = optionsHere().flatMap(({ long, description }) => (long == null ? [] : [offer(long, description)]));
    return [...options, offer('--help', 'show the help')];
  }
  if (command.name() !== 'api') return command.commands.map((verb) => offer(verb.name(), verb.description()));
  return operation === null ? Object.values(OPERATIONS).map(({ id, summary }) => offer(id, summary)) : [];
}

/** The values of an option that are known here. */
function valuesOf(option: string, operation: Operation | null, typed: string): readonly Offer[] | typeof FILES {
  if (option === '--config' || option === '--body') return FILES;
  if (option === '--file' && typed.includes('=')) return FILES;
  // A value follows after the equals sign. Its possible values are not known here.
  if (operation === null || typed.includes('=')) return [];
  const { pathParams, query } = operation;
  if (option === '--file') return [...fileFields(operation).keys()].map((name) => offer(`${name}=`, ''));
  if (option !== '--param') return [];
  return [...Object.keys(pathParams.shape), ...Object.keys(query.shape)].map((name) => offer(`${name}=`, ''));
}

const offer = (word: string, summary: string): Offer => ({ word, summary });
