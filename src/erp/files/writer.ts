import SqliteDatabase from 'better-sqlite3';
import { ExchangeError } from './exchange.ts';

/** Lets one process write orders at a time, and one order of it. A process that dies holds nothing any more. */
export interface Writer {
  /** @throws ExchangeError when another process is writing */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** @param path a file of its own, whose lock stands for the right to write */
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
