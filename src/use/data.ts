import type { Config } from '../config/resolve.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import { operatorName } from '../operator.ts';
import { isReadByTime } from '../shadow/collections.ts';
import type { Act, AuditFinding } from '../store/record.ts';
import { migrationAct, restoreAct } from '../store/sqlite/audit.ts';
import { backupDatabase } from '../store/sqlite/backup.ts';
import { databasePath, inspectDatabase, type OpenDatabase, openDatabase } from '../store/sqlite/database.ts';
import { restoreDatabase } from '../store/sqlite/restore.ts';
import type { SchemaVersions } from '../store/sqlite/schema-versions.ts';
import { createStore } from '../store/sqlite/store.ts';
import { verifyData } from '../store/sqlite/verify.ts';
import { lockFolder } from './open.ts';

/** Copies the database into a file while the daemon goes on. */
export function backup({ state }: Config, file: string, replace: boolean) {
  return backupDatabase(state.dir, file, replace);
}

/** Checks a data folder or a backup. Changes nothing. */
export function verify(path: string) {
  const keysOf = Object.fromEntries(FLOW_NAMES.map((flow) => [flow, FLOWS[flow].keys]));
  return verifyData(path, Date.now(), { keysOf, isReadByTime });
}

export interface Restored {
  readonly database: string;
  /** The copy of the previous database; null: there was none. */
  readonly kept: string | null;
  readonly schema: SchemaVersions;
}

/** Puts a backup in the place of the database, while nobody works on it. */
export async function restore({ state: { dir } }: Config, file: string): Promise<Restored> {
  const locks = lockFolder(dir);
  try {
    const replaced = await auditOf(dir);
    const { path, kept, schema } = await restoreDatabase(dir, file, Date.now());
    // A database of an older version is migrated first: its audit log then records the migration and not this restore.
    if (schema.applied === schema.known) await record(dir, restoreAct(file, kept, replaced, operatorName()));
    return { database: path, kept, schema };
  } finally {
    locks.release();
  }
}

/** The state of the present database's audit log; null when it cannot be read. */
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
    // Only the database that is being replaced is damaged.
    return null;
  }
}

async function record(dir: string, act: Act): Promise<void> {
  const { db, close } = await openDatabase(dir);
  try {
    await createStore(db, Date.now).audit.add(act);
  } finally {
    close();
  }
}

/** The version of the database, and the migrations that it needs. */
export interface MigrationState {
  readonly database: string;
  /** null: there is no database yet. */
  readonly schema: SchemaVersions | null;
}

export function inspectMigration({ state: { dir } }: Config): MigrationState {
  return { database: databasePath(dir), schema: inspectDatabase(dir) };
}

export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The backup of the database before the migration; null: nothing was changed, or there was none. */
  readonly backup: string | null;
}

/**
 * Brings the database to the schema of this version, while nobody works on it.
 * @throws StoreError that says what to do with a database of a newer version
 */
export async function migrate({ state: { dir } }: Config, { schema }: MigrationState): Promise<Migrated> {
  const from = schema?.applied ?? 0;
  const upToDate = schema !== null && !schema.newer && from === schema.known;
  const { count, backup: kept } = upToDate ? { count: 0, backup: null } : await migrateAlone(dir);
  return { from, to: from + count, backup: kept };
}

/** A running daemon of the older version would go on writing data that this version understands differently. */
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
