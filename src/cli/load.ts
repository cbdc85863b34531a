import type { Command } from 'commander';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { createLogger, type Log } from '../logging.ts';
import type { Cli } from './output.ts';

/** The path given with `--config`. */
export function configPath(command: Command): string {
  return command.optsWithGlobals<{ config: string }>().config;
}

/**
 * Loads the configuration that `--config` names.
 * @throws ConfigError with every problem at once
 */
export function loadFor(command: Command, cli: Cli): LoadedConfig {
  const loaded = loadConfig(configPath(command), cli.env);
  cli.secrets.push(...loaded.secrets);
  return loaded;
}

/** For verbs that end by themselves: they tell a person what matters, so the log is written with `--debug` only. */
export function quietLog(command: Command, cli: Cli): Log {
  return createLogger({ level: isDebug(command) ? 'debug' : 'silent', secrets: cli.secrets, to: cli.stderr });
}

/** The same, and what was warned of last. */
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
