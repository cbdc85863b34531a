import SqliteDatabase from 'better-sqlite3';
import { ExchangeError } from './exchange.ts';

/** Lets one process write one order at a time. The lock ends with the process. */
export interface Writer {
  /** @throws ExchangeError when another process writes */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** @param path a database file whose lock is the right to write */
export function openWriter(path: string): Writer {
  const db = new SqliteDatabase(path, { timeout: 0 });
  let before: Promise<unknown> = Promise.resolve();
  const locked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      throw new ExchangeError('unavailable', 'Another process is writing an order for the ERP.', error);
    }
    try {
      return await work();
    } finally {
      db.exec('ROLLBACK');
    }
  };
  return {
    alone<T>(work: () => Promise<T>): Promise<T> {
      const mine = before.then(() => locked(work));
      before = mine.catch(() => {});
      return mine;
    },
    close: () => {
      db.close();
    },
  };
}
