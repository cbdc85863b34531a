import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Redis } from 'ioredis';
import { holesOnRecord } from '../support/holes.ts';

/** The figures that are measured every few seconds. null: a part was away just then. */
export interface Sample {
  readonly atMs: number;
  /** The number of the daemon's start: 1 for the first. */
  readonly life: number;
  /** How long the daemon has run. */
  readonly upMs: number;
  readonly rssMb: number | null;
  readonly descriptors: number | null;
  readonly databaseMb: number;
  readonly logMb: number;
  readonly freeMb: number;
  readonly redisMb: number | null;
  readonly redisFileMb: number;
  /** Keys that wait to be looked at. */
  readonly pending: number;
  readonly journalRows: number;
  readonly inboxRows: number;
  readonly intentRows: number;
  readonly coverageRows: number;
  /** The times that no completed read has covered. */
  readonly holes: readonly string[];
  /** Age of the oldest entry. */
  readonly oldestJournalMs: number;
  readonly oldestInboxMs: number;
  readonly orders: number;
}

const MB = 1024 * 1024;

/** The system's figures of a process; Linux only. */
export function processFigures(pid: number): Pick<Sample, 'rssMb' | 'descriptors'> {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const rssMb = kilobytes === undefined ? null : Number(kilobytes) / 1024;
    return { rssMb, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { rssMb: null, descriptors: null };
  }
}

export async function redisMb(redis: Redis): Promise<number | null> {
  const bytes = /used_memory:(\d+)/.exec(await redis.info('memory').catch(() => ''))?.[1];
  return bytes === undefined ? null : Number(bytes) / MB;
}

export function folderMb(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + fileMb(join(parentPath, name)), 0);
}

function fileMb(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MB;
}

type DatabaseFigures = Omit<
  Sample,
  'atMs' | 'life' | 'upMs' | 'rssMb' | 'descriptors' | 'redisMb' | 'redisFileMb' | 'orders'
>;

export function databaseFigures(file: string, nowMs: number): DatabaseFigures {
  const sqlite = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    const count = (table: string) => Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get());
    const age = (table: string, column: string) =>
      nowMs - Number(sqlite.prepare(`select coalesce(min(${column}), ${nowMs}) from ${table}`).pluck().get());
    const pageBytes = Number(sqlite.pragma('page_size', { simple: true }));
    return {
      databaseMb: fileMb(file),
      logMb: fileMb(`${file}-wal`),
      freeMb: (Number(sqlite.pragma('freelist_count', { simple: true })) * pageBytes) / MB,
      pending: Number(sqlite.prepare("select count(*) from work where state = 'pending'").pluck().get()),
      journalRows: count('journal'),
      inboxRows: count('inbox'),
      intentRows: count('intents'),
      coverageRows: count('coverage'),
      holes: holesOnRecord(sqlite),
      oldestJournalMs: age('journal', 'at_ms'),
      oldestInboxMs: age('inbox', 'received_at_ms'),
    };
  } finally {
    sqlite.close();
  }
}
