import type { Command } from 'commander';
import { operatorName } from '../operator.ts';
import { migrationAct } from '../store/sqlite/audit.ts';
import { databasePath, inspectDatabase, type OpenDatabase, openDatabase } from '../store/sqlite/database.ts';
import type { SchemaVersions } from '../store/sqlite/schema-versions.ts';
import { createStore } from '../store/sqlite/store.ts';
import { lockFolder } from '../use/open.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { type Cli, print, printJson } from './output.ts';

interface MigrateOptions {
  readonly check?: true;
  readonly json?: true;
}

/** `migrate`: brings the database to the schema of this version, as the start of the daemon does. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--check', 'only say whether it is needed: exits 2 when it is')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A backup is taken first, beside the database. The daemon must be stopped; it would do the same at its start.

Examples:
  stockbridge migrate --check
  stockbridge migrate`,
    )
    .action(async (options: MigrateOptions, migrate: Command) => {
      const { dir } = loadFor(migrate, cli).config.state;
      const before = inspectDatabase(dir);
      const json = options.json === true;
      if (options.check === true && before?.newer !== true) check(cli, dir, before, json);
      else await apply(cli, dir, before, json);
    });
}

function check(cli: Cli, dir: string, schema: SchemaVersions | null, json: boolean): void {
  const path = databasePath(dir);
  const needed = schema === null || schema.applied < schema.known;
  if (needed) cli.exitCode = EXIT.changes;
  if (json) printJson(cli, { database: path, needed, from: schema?.applied ?? 0, to: schema?.known ?? null });
  else if (schema === null) print(cli, `${path} does not exist: it would be created`);
  else if (needed) print(cli, `${path} has schema ${schema.applied} and would be migrated to ${schema.known}`);
  else print(cli, `${path} is up to date: schema ${schema.applied}`);
}

/** Of a database of a newer version, opening it tells what to do. */
async function apply(cli: Cli, dir: string, before: SchemaVersions | null, json: boolean): Promise<void> {
  const path = databasePath(dir);
  const from = before?.applied ?? 0;
  const upToDate = before !== null && !before.newer && from === before.known;
  const { count, backup } = upToDate ? { count: 0, backup: null } : await migrateAlone(dir);
  const to = from + count;
  if (json) printJson(cli, { database: path, from, to, backup });
  else if (count === 0) print(cli, `${path} is up to date: schema ${to}`);
  else if (backup === null) print(cli, `${path} was created: schema ${to}`);
  else print(cli, `${path} was migrated from schema ${from} to ${to}; as it was, it is kept in ${backup}`);
}

/** A daemon of the older version would go on writing what this one understands otherwise. */
async function migrateAlone(dir: string): Promise<OpenDatabase['migrated']> {
  const locks = lockFolder(dir);
  try {
    const { db, migrated, close } = await openDatabase(dir);
    await createStore(db, Date.now).audit.add(migrationAct(migrated, operatorName()));
    close();
    return migrated;
  } finally {
    locks.release();
  }
}
