import { Argument, type Command } from 'commander';
import { keep, readKept, withAccounts } from './completion/kept.ts';
import { accountsIn, plansIn, wordsOf } from './completion/known.ts';
import { FILES, linesOf, offer, rejoined, sourceAt } from './completion/words.ts';
import { quietLog } from './logs.ts';
import { type Cli, print, printLines } from './output.ts';

/** Each script asks this program for fitting words. The shell itself completes paths. */
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
It completes verbs, options and their values, flows, states, kinds, accounts, pages of the manual, plans that a brake holds by number and hash, and operations
of the marketplace with their parameters. What it has worked out once is kept in ~/.cache/stockbridge, or $XDG_CACHE_HOME.

Examples:
  . <(stockbridge completion bash)                    # in ~/.bashrc
  . <(stockbridge completion zsh)                     # in ~/.zshrc, after compinit
  stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish`;

/** `completion SHELL`: prints a shell's script, or the words that fit the last typed word. */
export function define(command: Command, cli: Cli, defineVerb: (verb: Command) => Promise<void>): void {
  const shell = new Argument('<shell>', 'the shell that is to complete').choices(Object.keys(SCRIPTS));
  command
    .addArgument(shell)
    .argument('[word...]', 'what is typed so far, after --: the script asks with it')
    .action(async (name: keyof typeof SCRIPTS, words: string[]) => {
      if (words.length === 0) return printLines(cli, SCRIPTS[name]);
      const typed = rejoined(words);
      const kept = readKept(cli.env);
      const defineOther = async (verb: Command) => (verb === command ? undefined : defineVerb(verb));
      const known = kept ?? { words: await wordsOf(command.parent ?? command, defineOther), accounts: {} };
      const source = sourceAt(known.words, typed);
      const accounts = source === ':accounts' ? accountsIn(typed, cli.env) : null;
      if (kept === null || accounts !== null)
        keep(cli.env, accounts === null ? known : withAccounts(known, typed, accounts));
      if (source === FILES) return print(cli, FILES);
      const offers = source === ':plans' ? await plansIn(typed, cli.env, quietLog(command, cli)) : source;
      const offered = typeof offers === 'string' ? (accounts ?? []).map((account) => offer(account)) : offers;
      return printLines(cli, linesOf(offered, typed, name));
    });
}
