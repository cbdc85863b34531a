import type { Command } from 'commander';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
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
