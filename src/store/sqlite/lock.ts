import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { readOnlyTrouble } from './read-only.ts';

export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
}

export interface Lock {
  release(): void;
}

/** Protects open files from the garbage collector, which would close them and so release the locks. */
const heldByThisProcess = new Set<SqliteDatabase.Database>();

/** Longer than any process holds the lock just to ask who has it. */
const ASKING_MS = 100;

/**
 * Takes all these roles' locks in a data folder, or none. The system releases them when the process ends.
 * @throws LockHeldError naming the role, the folder and the process that has it.
 */
export function acquireLocks(dir: string, roles: readonly string[]): Lock {
  const held: Lock[] = [];
  const release = (): void => {
    for (const lock of held.splice(0)) lock.release();
  };
  for (const role of roles) {
    const lock = tryLock(dir, role, ASKING_MS);
    if (lock === null) {
      release();
      throw new LockHeldError(
        `another stockbridge (process ${holderOf(dir, role)}) has the role "${role}" in ${dir}: stop it, or give this one a ` +
          'state.dir of its own',
      );
    }
    held.push(lock);
  }
  return { release };
}

/** null: another process still has the lock after `waitMs`. Blocks the thread meanwhile. */
export function tryLock(dir: string, role: string, waitMs = 0): Lock | null {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = lockFile(dir, role);
  let file: SqliteDatabase.Database | undefined;
  try {
    file = new SqliteDatabase(path, { timeout: waitMs });
    chmodSync(path, 0o600);
    // The system releases SQLite's exclusive transaction with the process. A file with a process id would outlive it.
    file.exec('BEGIN EXCLUSIVE');
    writeFileSync(holderFile(dir, role), `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    file?.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return null;
    throw cannotBeLocked(path, dir, error);
  }
  const held = file;
  heldByThisProcess.add(held);
  return {
    release() {
      if (!heldByThisProcess.delete(held)) return;
      rmSync(holderFile(dir, role), { force: true });
      held.close();
    },
  };
}

/** The id of the process with a role's lock, "unknown" if it left none; null: it is free. Does not take the lock. */
export function lockHolder(dir: string, role: string): string | null {
  const path = lockFile(dir, role);
  if (!existsSync(path)) return null;
  const file = new SqliteDatabase(path, { readonly: true, timeout: 0 });
  try {
    file.prepare('select 1 from sqlite_master').get();
    return null;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return holderOf(dir, role);
    throw error;
  } finally {
    file.close();
  }
}

export function cannotBeLocked(path: string, dir: string, error: unknown): Error {
  const trouble = readOnlyTrouble(error, dir) ?? 'check the permissions and the free space of state.dir';
  return new Error(`${path} cannot be locked: ${trouble}`, { cause: error });
}

function lockFile(dir: string, role: string): string {
  return join(dir, `lock-${role}.db`);
}

/** The file with the holder's id, for messages only. The lock is another file. */
function holderFile(dir: string, role: string): string {
  return join(dir, `lock-${role}.pid`);
}

function holderOf(dir: string, role: string): string {
  try {
    return readFileSync(holderFile(dir, role), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
