import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { readOnlyTrouble } from './read-only.ts';

/** Another process holds a lock of the data folder. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
}

export interface Lock {
  release(): void;
}

/** Keeps the open files from the garbage collector, which would close them and so release the locks. */
const heldByThisProcess = new Set<SqliteDatabase.Database>();

/** A process that only asks for the holder of a lock ends sooner than this. */
const ASKING_MS = 100;

/**
 * Takes the locks of all these roles in a data folder, or none of them. The system releases them when the process ends or is
 * killed.
 * @throws LockHeldError when another process has one of them; the message names the role, the folder and that process.
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

/** Takes one role's lock. null: another process still has it after `waitMs`. Nothing else runs during that wait. */
export function tryLock(dir: string, role: string, waitMs = 0): Lock | null {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = lockFile(dir, role);
  let file: SqliteDatabase.Database | undefined;
  try {
    file = new SqliteDatabase(path, { timeout: waitMs });
    chmodSync(path, 0o600);
    // SQLite's exclusive transaction is a lock that the system frees with the process. A file with a process id would outlive
    // it.
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

/** The process that has a role's lock, or "unknown" when it left no id; null when nobody has it. The lock is not taken. */
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

/** The file with the holder's id, only for messages. The lock itself is the file beside it. */
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
