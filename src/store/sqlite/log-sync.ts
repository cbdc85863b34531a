import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database as Sqlite } from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { storeError } from './disk-trouble.ts';
import { generationOf } from './read-snapshot.ts';

const sync = promisify(fdatasync);

export interface LogSync {
  /**
   * Waits until everything committed so far is on the disk. The program goes on meanwhile.
   * @throws StoreError if the disk fails
   */
  toDisk(): Promise<void>;
  /** Brings everything committed to the disk before it returns. */
  close(): void;
}

class NotOnDisk extends StoreError {
  override readonly passes = true;

  constructor(path: string) {
    super(`${path} could not be written to disk, because another program reads it: the next write tries again`);
  }
}

/**
 * A commit of SQLite waits for the disk, and nothing else runs in this process meanwhile. So it commits without that
 * wait, and the write-ahead log is brought to the disk beside the program's other work.
 */
export function logSyncOf(sqlite: Sqlite, path: string): LogSync {
  sqlite.pragma('synchronous = NORMAL');
  const log = openSync(`${path}-wal`, 'r+');
  let syncs = 0;
  let hasFailed = false;
  let closed: { readonly failure: unknown } | null = null;

  /** After a failed sync, the system may forget what it could not write. So the database takes it over from the log. */
  function checkpoint(): void {
    try {
      generationOf(sqlite).end();
      const [{ busy = 1 } = {}] = sqlite.pragma('wal_checkpoint(FULL)') as readonly { busy?: number }[];
      if (busy !== 0) throw new NotOnDisk(path);
    } catch (error) {
      throw storeError(error);
    }
    hasFailed = false;
  }

  async function syncLog(): Promise<void> {
    syncs += 1;
    try {
      await sync(log);
    } catch {
      hasFailed = true;
    } finally {
      syncs -= 1;
      if (closed !== null && syncs === 0) closeSync(log);
    }
  }

  return {
    async toDisk() {
      if (!hasFailed && closed === null) await syncLog();
      if (closed?.failure !== undefined) throw storeError(closed.failure);
      if (hasFailed && closed === null) checkpoint();
    },
    close() {
      if (closed !== null) return;
      try {
        if (hasFailed) checkpoint();
        else fdatasyncSync(log);
        closed = { failure: undefined };
      } catch (failure) {
        closed = { failure };
      }
      if (syncs === 0) closeSync(log);
    },
  };
}
