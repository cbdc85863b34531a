import type { Command } from 'commander';
import { restore as putBack } from '../use/data.ts';
import { loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note, print, printJson } from './output.ts';

export const help = `
The daemon must be stopped (otherwise: exit 75). The backup is checked first; the present database is kept beside it.
Everything since the backup is read again from both sides: orders that the ERP has already are found there by their number,
listings by their external id or SKU, and nothing is created twice.

Examples:
  stockbridge restore backups/2026-01-31.db
  stockbridge restore data/backup-before-migration-2.db`;

/** `restore FILE`: replaces the database by a backup. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'the backup')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: true }, restore: Command) => {
      const { config } = loadFor(restore, cli);
      const { path: database, kept, schema } = await putBack(config, file, quietLog(restore, cli));
      if (json) return printJson(cli, { database, kept, schema: schema.applied, known: schema.known });
      print(cli, `${database} was restored from ${file}`);
      if (kept !== null) print(cli, `the database that was there is kept in ${kept}`);
      if (schema.applied !== schema.known) {
        note(
          cli,
          'The backup is of an older version. It is migrated at the next start, or now by "stockbridge migrate".',
        );
        note(cli, 'Its audit log will contain the migration, but not this restore.');
      }
      note(cli, 'Next: "stockbridge plan" shows what would be written now; then start the daemon.');
    });
}
