import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database as Sqlite } from 'better-sqlite3';
import { errorCode } from '../../domain/error-code.ts';
import { StoreError } from '../store-error.ts';
import { generationOf } from './read-snapshot.ts';

const sync = promisify(fdatasync);

const PART_BYTES = 1024 * 1024;

export interface LogSync {
  /**
   * Waits until everything committed so far is on the disk. The program goes on meanwhile.
   * @throws LogNotOnDisk
   */
  toDisk(): Promise<void>;
  /**
   * Brings the log to the disk that an earlier attempt did not.
   * @throws LogNotOnDisk
   */
  mend(): void;
  /** Brings everything committed to the disk before it returns. */
  close(): void;
}

export class LogNotOnDisk extends StoreError {
  override readonly passes = true;
  readonly code: string;

  constructor(log: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${log} could not be written to disk: ${why}. The next write tries again`, { cause });
    this.code = errorCode(cause) ?? 'EIO';
  }
}

/**
 * A commit of SQLite waits for the disk, and nothing else runs in this process meanwhile. So it commits without that
 * wait, and the write-ahead log is brought to the disk beside the program's other work.
 * @returns null if the file system allows no such log
 */
export function logSyncOf(sqlite: Sqlite, path: string): LogSync | null {
  if (sqlite.pragma('journal_mode', { simple: true }) !== 'wal') return null;
  const name = `${path}-wal`;
  const log = openSync(name, 'r+');
  sqlite.pragma('synchronous = NORMAL');
  let syncs = 0;
  let failure: LogNotOnDisk | null = null;
  let isClosed = false;

  /**
   * After a failed attempt, the system no longer knows what it could not write. So every byte is written again. A
   * checkpoint would leave a hole in the log, with older pages before it.
   */
  function mend(): void {
    if (failure === null) return;
    try {
      generationOf(sqlite).end();
      // Nobody else may write into the log meanwhile.
      const again = sqlite.transaction(() => writeAgain(log));
      again.immediate();
      fdatasyncSync(log);
      failure = null;
    } catch (cause) {
      throw new LogNotOnDisk(name, cause);
    }
  }

  async function syncLog(): Promise<void> {
    syncs += 1;
    try {
      await sync(log);
    } catch (cause) {
      failure = new LogNotOnDisk(name, cause);
    } finally {
      syncs -= 1;
      if (isClosed && syncs === 0) closeSync(log);
    }
  }

  return {
    async toDisk() {
      if (failure === null && !isClosed) await syncLog();
      if (failure !== null && isClosed) throw failure;
      mend();
    },
    mend,
    close() {
      if (isClosed) return;
      try {
        mend();
        fdatasyncSync(log);
      } catch (cause) {
        failure = cause instanceof LogNotOnDisk ? cause : new LogNotOnDisk(name, cause);
      }
      isClosed = true;
      if (syncs === 0) closeSync(log);
    },
  };
}

function writeAgain(file: number): void {
  const part = Buffer.alloc(PART_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(file, part, 0, PART_BYTES, at);
    if (read === 0) return;
    for (let written = 0; written < read; ) written += writeSync(file, part, written, read - written, at + written);
    at += read;
  }
}
