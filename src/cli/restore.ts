import type { Command } from 'commander';
import { restoreDatabase } from '../store/restore.ts';
import { loadFor } from './load.ts';
import { lockFolder } from './lock-folder.ts';
import { type Cli, note, print, printJson } from './output.ts';

/** `restore FILE`: puts a backup in the place of the database. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'the backup')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The daemon must be stopped (otherwise: exit 75). The backup is checked first; the present database is kept beside it.
What happened since the backup is read again from both sides: orders that the ERP has already are found there by their
number, listings by their external id or SKU, and nothing is made twice.

Examples:
  stockbridge restore backups/2026-01-31.db
  stockbridge restore data/backup-before-migration-2.db`,
    )
    .action(async (file: string, options: { json?: true }, restore: Command) => {
      const { dir } = loadFor(restore, cli).config.state;
      const locks = lockFolder(dir);
      try {
        const { path, kept, schema } = await restoreDatabase(dir, file, Date.now());
        if (options.json) {
          printJson(cli, { database: path, kept, schema: schema.applied, known: schema.known });
          return;
        }
        print(cli, `${path} was restored from ${file}`);
        if (kept !== null) print(cli, `the database that was there is kept in ${kept}`);
        if (schema.applied < schema.known) {
          note(cli, 'It is of an older version and is migrated at the next start, or by "stockbridge migrate".');
        }
        note(cli, 'Next: "stockbridge plan" shows what would be written now; then start the daemon.');
      } finally {
        locks.release();
      }
    });
}
