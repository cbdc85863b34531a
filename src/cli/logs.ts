import { type Command, Option } from 'commander';
import { openLogFile } from '../logging/log-file.ts';
import type { Shown } from '../logging/log-text.ts';
import { createLogger, LOG_LEVELS, type Log, type LogLevel, overheard } from '../logging/logging.ts';
import { textRedactor } from '../logging/redaction.ts';
import { type Cli, isColoured } from './output.ts';

/* Separate from loading a configuration, since the verbs of `config` load no logger. */

/** For verbs whose log is their output. */
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
 * JSON, or text on a terminal.
 * @param level the default
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

/** The log of a verb that ends by itself, written only with `--debug`. */
export function quietLog(command: Command, cli: Cli): Log {
  const shown = shownOn(cli, cli.stderr);
  return createLogger({ level: isDebug(command) ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr, shown });
}

/** A quiet log that remembers its last warning. Warnings about held or refused entities are counted elsewhere. */
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
