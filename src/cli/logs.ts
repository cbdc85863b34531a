import type { Command } from 'commander';
import { createLogger, type Log, overheard } from '../logging.ts';
import { textRedactor } from '../redaction.ts';
import type { Cli } from './output.ts';

/* Apart from the loading of a configuration: the verbs of `config` load no logger. */

/** For verbs that end by themselves: their output is for a person, so the log is written with `--debug` only. */
export function quietLog(command: Command, cli: Cli): Log {
  return createLogger({ level: isDebug(command) ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr });
}

/** The same, and the text of the latest warning, which the log leaves out. */
export function rememberingLog(command: Command, cli: Cli): { log: Log; lastWarning: () => string | null } {
  let last: string | null = null;
  const log = overheard(quietLog(command, cli), (words, { err, reason }) => {
    last = textRedactor(cli.secrets)(err instanceof Error ? err.message : (reason ?? words));
  });
  return { log, lastWarning: () => last };
}

function isDebug(command: Command): boolean {
  return command.optsWithGlobals<{ debug?: true }>().debug === true;
}
