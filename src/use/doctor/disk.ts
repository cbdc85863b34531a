import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/resolve.ts';
import { versionsInPostgres } from '../../store/postgres/open.ts';
import { databasePath, inspectDatabase } from '../../store/sqlite/database.ts';
import { checked, type Finding, fail, ok, warn } from './finding.ts';

const MIN_FREE_BYTES = 100_000_000;
const SCANT_FREE_BYTES = 1_000_000_000;

/** Checks the data folder as it is. Nothing is created. */
export function checkDisk(dir: string): Finding[] {
  const path = resolve(dir);
  const folder = existingFolder(path);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const user = process.getuid?.() ?? 'this one';
    return [fail('disk', `${folder} cannot be written by user ${user}`, 'give it to the user that runs Stockbridge')];
  }
  return [judgeFree(path, statfsSync(folder)), ...(folder === path ? [checkModes(path)] : [])];
}

/** The folder itself, or the nearest existing folder in which it would be made. */
function existingFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingFolder(dirname(path));
}

export function judgeFree(path: string, { bavail, bsize }: { bavail: number; bsize: number }): Finding {
  const free = bavail * bsize;
  const text = `${path}: ${(free / 1e9).toFixed(1)} GB free`;
  const mend = 'make room: without it no order can be recorded, and none is exported';
  if (free < MIN_FREE_BYTES) return fail('disk', text, mend);
  return free < SCANT_FREE_BYTES ? warn('disk', text, mend) : ok('disk', `${text}, can be written`);
}

/** The database holds orders and names of customers: nobody but its owner may read it. */
function checkModes(dir: string): Finding {
  const database = databasePath(dir);
  const open = [dir, database, `${database}-wal`, `${database}-shm`].filter(
    (path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  );
  if (open.length === 0) return ok('file modes', 'closed to other users');
  return warn('file modes', `other users may look into ${open.join(' and ')}`, `chmod go= ${open.join(' ')}`);
}

export function checkDatabase({ dir, postgres }: Pick<Config['state'], 'dir' | 'postgres'>): Promise<Finding> {
  return checked('database', async (about) => {
    const versions = postgres === null ? inspectDatabase(dir) : await versionsInPostgres(postgres);
    if (versions === null) return ok(about, 'none yet: the first run makes it');
    const { applied, known, newer } = versions;
    if (newer)
      return fail(about, 'it is of a newer version of Stockbridge', 'install that version, or restore a backup');
    if (applied < known) return warn(about, 'it is of an older version', 'the next start migrates it, after a backup');
    return ok(about, `${postgres === null ? databasePath(dir) : 'PostgreSQL'}, up to date`);
  });
}
