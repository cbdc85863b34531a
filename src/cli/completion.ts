import { Argument, type Command } from 'commander';
import { fishScript } from './completion/fish.ts';
import { placesOf } from './completion/places.ts';
import { bashScript, zshScript } from './completion/posix.ts';
import { type Cli, printLines } from './output.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `completion`: a script for a shell, with everything that can be typed in it. */
export function define(command: Command, cli: Cli, defineVerbs: () => Promise<void>): void {
  const shell = new Argument('<shell>', 'the shell that is to complete').choices(Object.keys(SCRIPTS));
  command
    .addArgument(shell)
    .addHelpText(
      'after',
      `
It completes verbs, options, operations of the marketplace and their parameters. Print it again after an update.

Examples:
  . <(stockbridge completion bash)                    # in ~/.bashrc
  . <(stockbridge completion zsh)                     # in ~/.zshrc, after compinit
  stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish`,
    )
    .action(async (name: keyof typeof SCRIPTS) => {
      await defineVerbs();
      printLines(cli, SCRIPTS[name](placesOf(command.parent ?? command)));
    });
}
