import type { Command } from 'commander';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Renewal } from '../credentials/credentials.ts';
import { textRedactor } from '../redaction.ts';
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

/** The most obtained secrets that are masked. Each lives for an hour or so; older ones are in no text any more. */
const MAX_OBTAINED = 1_000;

/** Keeps the secrets of `loaded` up to date for as long as the program runs. */
export function renewalOf(command: Command, cli: Cli, { masked }: LoadedConfig): Renewal {
  const { secrets } = cli;
  const configured = secrets.length;
  const hide = (secret: string): void => {
    if (secrets.includes(secret)) return;
    secrets.push(secret);
    if (secrets.length > configured + MAX_OBTAINED) secrets.splice(configured, MAX_OBTAINED / 10);
  };
  const reread = () => {
    const loaded = loadConfig(configPath(command), cli.env);
    for (const secret of loaded.secrets) hide(secret);
    return loaded;
  };
  return { reread, masked, hide, redact: textRedactor(secrets) };
}
