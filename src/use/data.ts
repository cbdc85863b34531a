import type { Config } from '../config/resolve.ts';
import { type OpenStore, openStore } from '../core/state.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import type { Log } from '../logging/logging.ts';
import { operatorName } from '../machine/operator.ts';
import { isReadByTime } from '../shadow/collections.ts';
import { versionsInPostgres } from '../store/postgres/open.ts';
import type { AuditFinding } from '../store/record.ts';
import { restoreAct } from '../store/sql/audit.ts';
import { backupDatabase, type Restored, restoreDatabase } from '../store/sqlite/backup.ts';
import { databasePath, inspectDatabase } from '../store/sqlite/database.ts';
import type { SchemaVersions } from '../store/sqlite/schema.ts';
import { type Verified, verifyData } from '../store/sqlite/verify.ts';
import { StoreError } from '../store/store-error.ts';
import { withDatabaseCopy } from './folder-copy.ts';
import { lockFolder } from './open.ts';

/** Copies the database while the daemon runs. */
export function backup({ state }: Config, file: string, replace: boolean) {
  refuseOnPostgres(state, 'pg_dump, which makes a backup while the daemons go on');
  return backupDatabase(state.dir, file, replace);
}

/** @throws StoreError naming PostgreSQL's own tool */
function refuseOnPostgres({ postgres }: Config['state'], tool: string): void {
  if (postgres !== null)
    throw new StoreError(`everything is stored in PostgreSQL: use ${tool} ("stockbridge guide postgres")`);
}

/** Checks a copy of the database. Changes nothing. */
export function verifyPostgres(url: string): Promise<Verified> {
  return withDatabaseCopy(url, async (dir) => ({ ...(await verify(dir)), file: 'PostgreSQL' }));
}

/** Checks a data folder or backup. Changes nothing. */
export function verify(path: string) {
  const keysOf = Object.fromEntries(FLOW_NAMES.map((flow) => [flow, FLOWS[flow].keys]));
  return verifyData(path, Date.now(), { keysOf, isReadByTime });
}

/** Replaces the unused database by a backup. */
export async function restore(config: Config, file: string, log: Log): Promise<Restored> {
  const { dir } = config.state;
  refuseOnPostgres(config.state, 'pg_restore, while no daemon runs');
  const locks = lockFolder(dir);
  try {
    const replaced = await auditOf(config, log);
    const restored = await restoreDatabase(dir, file, Date.now());
    const { kept, schema } = restored;
    // An older database is migrated first, and its audit log records that instead.
    if (schema.applied === schema.known) {
      const act = restoreAct(file, kept, replaced, operatorName());
      await whileOpen(config, log, ({ store }) => store.audit.add(act));
    }
    return restored;
  } finally {
    locks.release();
  }
}

/** null: unreadable. */
async function auditOf(config: Config, log: Log): Promise<AuditFinding | null> {
  try {
    const schema = inspectDatabase(config.state.dir);
    if (schema === null || schema.newer || schema.applied < schema.known) return null;
    return await whileOpen(config, log, ({ store }) => store.audit.verify());
  } catch {
    // Only the replaced database is damaged.
    return null;
  }
}

async function whileOpen<T>(config: Config, log: Log, work: (opened: OpenStore) => Promise<T> | T): Promise<T> {
  const opened = await openStore(config, log);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}

export interface MigrationState {
  readonly database: string;
  /** null: no database yet. */
  readonly schema: SchemaVersions | null;
}

export async function inspectMigration({ state: { dir, postgres } }: Config): Promise<MigrationState> {
  if (postgres !== null) return { database: 'the database in PostgreSQL', schema: await versionsInPostgres(postgres) };
  return { database: databasePath(dir), schema: inspectDatabase(dir) };
}

export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The backup before the migration; null: no change, or no database before. */
  readonly backup: string | null;
}

/**
 * Updates the unused database to this version: a running older daemon would go on writing data that this version reads
 * differently.
 * @throws StoreError with advice about a newer database
 */
export async function migrate(config: Config, { schema }: MigrationState, log: Log): Promise<Migrated> {
  const from = schema?.applied ?? 0;
  if (schema !== null && !schema.newer && from === schema.known) return { from, to: from, backup: null };
  const locks = lockFolder(config.state.dir);
  try {
    const { count, backup: kept } = await whileOpen(config, log, ({ migrated }) => migrated);
    return { from, to: from + count, backup: kept };
  } finally {
    locks.release();
  }
}
