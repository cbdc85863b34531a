import type { Command } from 'commander';
import { createLogger, type Log } from '../logging.ts';
import type { Cli } from './output.ts';

/** For verbs that end by themselves: they tell a person what matters, so the log is written with `--debug` only. */
export function quietLog(command: Command, cli: Cli): Log {
  const { debug } = command.optsWithGlobals<{ debug?: true }>();
  return createLogger({ level: debug === true ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr });
}
