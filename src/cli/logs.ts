import { type Command, Option } from 'commander';
import { openLogFile } from '../logging/log-file.ts';
import type { Shown } from '../logging/log-text.ts';
import { createLogger, LOG_LEVELS, type Log, type LogLevel, overheard } from '../logging/logging.ts';
import { textRedactor } from '../logging/redaction.ts';
import { type Cli, isColoured } from './output.ts';

/* Apart from the loading of a configuration: the verbs of `config` load no logger. */

/** Options of a verb whose log is its output. */
export function addLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--log-level <level>', 'the lowest level that is logged; overrides log_level').choices(LOG_LEVELS),
    )
    .option('--log-file <file>', 'log to this file as JSON; it is rotated at 10 MB, and four older files are kept');
}

export interface LogOptions {
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
}

/**
 * The log of the daemon: JSON, or text where a person sits at a terminal.
 * @param level the level, unless an option names another
 */
export function openLog(cli: Cli, { logLevel, logFile }: LogOptions, level: LogLevel): Log {
  const told = { level: logLevel ?? level, secrets: cli.secrets };
  if (logFile !== undefined) return createLogger({ ...told, to: openLogFile(logFile) });
  return createLogger({ ...told, to: cli.stderr, shown: shownOn(cli, cli.stderr) });
}

function shownOn(cli: Cli, to: NodeJS.WritableStream): Shown {
  if (!('isTTY' in to) || to.isTTY !== true) return 'json';
  return isColoured(cli, to) ? 'coloured' : 'plain';
}

/** The log of a verb that ends by itself. Its output is for a person, so the log is written only with `--debug`. */
export function quietLog(command: Command, cli: Cli): Log {
  const shown = shownOn(cli, cli.stderr);
  return createLogger({ level: isDebug(command) ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr, shown });
}

/** A quiet log, and the text of its latest warning. Warnings about held or refused entities are left out: they are counted elsewhere. */
export function rememberingLog(command: Command, cli: Cli): { log: Log; lastWarning: () => string | null } {
  let last: string | null = null;
  const log = overheard(quietLog(command, cli), (words, { err, reason, key }) => {
    if (key !== undefined && err === undefined && reason === undefined) return;
    last = textRedactor(cli.secrets)(err instanceof Error ? err.message : (reason ?? words));
  });
  return { log, lastWarning: () => last };
}

function isDebug(command: Command): boolean {
  return command.optsWithGlobals<{ debug?: true }>().debug === true;
}
