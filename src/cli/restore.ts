import type { Command } from 'commander';
import { operatorName } from '../operator.ts';
import { type Act, type AuditFinding, restoreAct } from '../store/sqlite/audit.ts';
import { inspectDatabase, openDatabase } from '../store/sqlite/database.ts';
import { restoreDatabase } from '../store/sqlite/restore.ts';
import { createStore } from '../store/sqlite/store.ts';
import { lockFolder } from '../use/open.ts';
import { loadFor } from './load.ts';
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
        const replaced = await auditOf(dir);
        const { path, kept, schema } = await restoreDatabase(dir, file, Date.now());
        const isCurrent = schema.applied === schema.known;
        if (isCurrent) await recordRestore(dir, restoreAct(file, kept, replaced, operatorName()));
        if (options.json) {
          printJson(cli, { database: path, kept, schema: schema.applied, known: schema.known });
          return;
        }
        print(cli, `${path} was restored from ${file}`);
        if (kept !== null) print(cli, `the database that was there is kept in ${kept}`);
        if (!isCurrent) {
          note(cli, 'It is of an older version and is migrated at the next start, or by "stockbridge migrate".');
          note(cli, 'Its audit log tells of the migration, and not of this restore.');
        }
        note(cli, 'Next: "stockbridge plan" shows what would be written now; then start the daemon.');
      } finally {
        locks.release();
      }
    });
}

/** What the audit log of the present database has come to; null when it cannot be read. */
async function auditOf(dir: string): Promise<AuditFinding | null> {
  try {
    const schema = inspectDatabase(dir);
    if (schema === null || schema.newer || schema.applied < schema.known) return null;
    const { db, close } = await openDatabase(dir);
    try {
      return await createStore(db, Date.now).audit.verify();
    } finally {
      close();
    }
  } catch {
    // What is damaged is what is being replaced.
    return null;
  }
}

async function recordRestore(dir: string, act: Act): Promise<void> {
  const { db, close } = await openDatabase(dir);
  try {
    await createStore(db, Date.now).audit.add(act);
  } finally {
    close();
  }
}
