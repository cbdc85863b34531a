import type { Command } from 'commander';
import { type LoadedConfig, loadAgain, loadConfig, loadRecords, loadState, loadUsable } from '../config/load.ts';
import { ConfigError } from '../config/problem.ts';
import type { Config } from '../config/resolve.ts';
import type { Renewal } from '../credentials/credentials.ts';
import { textRedactor } from '../logging/redaction.ts';
import { type Cli, note } from './output.ts';

export function configPath(command: Command): string {
  return command.optsWithGlobals<{ config: string }>().config;
}

/**
 * Loads the configuration without unusable accounts, and names those.
 * @throws ConfigError when nothing is usable
 */
export function loadFor(command: Command, cli: Cli): LoadedConfig {
  const loaded = loadUsableFor(command, cli);
  for (const { account, problem } of loaded.config.unusable)
    note(cli, `Account ${account} is skipped, because its configuration cannot be used: ${problem}`);
  return loaded;
}

/**
 * For verbs that only read records: shows the fault of an unusable configuration, then goes on.
 * @throws ConfigError when the records cannot be found either
 */
export function loadForRecords(
  command: Command,
  cli: Cli,
): { readonly config: Config; readonly fault: ConfigError | null } {
  try {
    return { config: loadFor(command, cli).config, fault: null };
  } catch (error) {
    const records = error instanceof ConfigError ? loadRecords(configPath(command), cli.env, error) : null;
    if (records === null || !(error instanceof ConfigError)) throw error;
    cli.secrets.push(...records.secrets);
    return { config: records.config, fault: error };
  }
}

/**
 * For verbs that need only the state, whatever accounts are unusable.
 * @throws ConfigError when the section `state` cannot be used
 */
export function loadStateFor(command: Command, cli: Cli): Config {
  const { config, secrets } = loadState(configPath(command), cli.env) ?? loadUsable(configPath(command), cli.env);
  cli.secrets.push(...secrets);
  return config;
}

/** Without notes, since the log has them. */
export function loadUsableFor(command: Command, cli: Cli): LoadedConfig {
  return hidden(cli, loadUsable(configPath(command), cli.env));
}

/** @throws ConfigError with every problem */
export function loadWholeFor(command: Command, cli: Cli): LoadedConfig {
  return hidden(cli, loadConfig(configPath(command), cli.env));
}

function hidden(cli: Cli, loaded: LoadedConfig): LoadedConfig {
  cli.secrets.push(...loaded.secrets);
  return loaded;
}

/** The most temporary secrets that are masked. Each is valid for about an hour. */
const MAX_OBTAINED = 1_000;

/** Keeps the secrets of `loaded` up to date. */
export function renewalOf(command: Command, cli: Cli, loaded: LoadedConfig): Renewal {
  const { secrets } = cli;
  const configured = secrets.length;
  const hide = (secret: string): void => {
    if (secrets.includes(secret)) return;
    secrets.push(secret);
    if (secrets.length > configured + MAX_OBTAINED) secrets.splice(configured, MAX_OBTAINED / 10);
  };
  let last = loaded;
  const reread = () => {
    last = loadAgain(configPath(command), cli.env, last);
    for (const secret of last.secrets) hide(secret);
    return last;
  };
  return { reread, masked: loaded.masked, hide, redact: textRedactor(secrets) };
}
