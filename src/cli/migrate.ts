import type { Command } from 'commander';
import { inspectMigration, type Migrated, type MigrationState, migrate } from '../use/data.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, print, printJson } from './output.ts';

export const help = `
A backup is taken first, beside the database. The daemon must be stopped; it would do the same at its start.

Examples:
  stockbridge migrate --check
  stockbridge migrate`;

/** `migrate`: updates the database schema, as the daemon does at its start. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--check', 'only check whether a migration is needed; exits with 2 if it is')
    .option('--json', 'print JSON')
    .action(async ({ check: isCheck, json = false }: { check?: true; json?: boolean }, migrating: Command) => {
      const { config } = loadFor(migrating, cli);
      const before = await inspectMigration(config);
      if (isCheck && before.schema?.newer !== true) check(cli, before, json);
      else printMigrated(cli, before, await migrate(config, before, quietLog(migrating, cli)), json);
    });
}

function check(cli: Cli, { database, schema }: MigrationState, json: boolean): void {
  const needed = schema === null || schema.applied < schema.known;
  if (needed) cli.exitCode = EXIT.changes;
  if (json) printJson(cli, { database, needed, from: schema?.applied ?? 0, to: schema?.known ?? null });
  else if (schema === null) print(cli, `${database} does not exist: it would be created`);
  else if (needed) print(cli, `${database} has schema ${schema.applied} and would be migrated to ${schema.known}`);
  else print(cli, `${database} is up to date: schema ${schema.applied}`);
}

function printMigrated(cli: Cli, { database }: MigrationState, { from, to, backup }: Migrated, json: boolean): void {
  if (json) printJson(cli, { database, from, to, backup });
  else if (from === to) print(cli, `${database} is up to date: schema ${to}`);
  else if (backup === null) print(cli, `${database} was created: schema ${to}`);
  else print(cli, `${database} was migrated from schema ${from} to ${to}. The earlier database is kept in ${backup}`);
}
