import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFromPostgres } from '../store/postgres/copy.ts';
import { openDatabase } from '../store/sqlite/database.ts';

/** Copies PostgreSQL, as it is at one instant, into a temporary data folder for trials and checks. */
export function withDatabaseCopy<T>(url: string, work: (dir: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (dir) => {
    const { sqlite, close } = await openDatabase(dir);
    try {
      await copyFromPostgres(url, sqlite);
    } finally {
      close();
    }
    return work(dir);
  });
}

export async function withTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'stockbridge-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
