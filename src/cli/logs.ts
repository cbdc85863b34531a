import type { Command } from 'commander';
import { createLogger, type Log } from '../logging.ts';
import type { Cli } from './output.ts';

/* Apart from the loading of a configuration: the verbs of `config` load no logger. */

/** For verbs that end by themselves: their output is for a person, so the log is written with `--debug` only. */
export function quietLog(command: Command, cli: Cli): Log {
  return createLogger({ level: isDebug(command) ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr });
}

/** The same, and the latest warning. */
export function rememberingLog(command: Command, cli: Cli): { log: Log; lastWarning: () => string | null } {
  let last: string | null = null;
  const debug = isDebug(command);
  const write = (line: string): void => {
    const { level, msg, err } = JSON.parse(line) as { level: string; msg?: string; err?: { message?: string } };
    if (level === 'warn' || level === 'error') last = err?.message ?? msg ?? null;
    if (debug) cli.stderr.write(line);
  };
  const log = createLogger({ level: debug ? 'debug' : 'warn', secrets: cli.secrets, to: { write } });
  return { log, lastWarning: () => last };
}

function isDebug(command: Command): boolean {
  return command.optsWithGlobals<{ debug?: true }>().debug === true;
}
