import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreError } from '../store-error.ts';
import { copyDatabase } from './copy.ts';
import { databasePath, openToRead } from './database.ts';

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies the database of a data folder into `file`, as it is at one instant, while others go on writing; see
 * `copyDatabase`. Works with a database of any version.
 * @throws StoreError when there is no database, or the file is there already and may not be replaced.
 */
export async function backupDatabase(dir: string, file: string, replace: boolean): Promise<Backup> {
  const path = databasePath(dir);
  if (!existsSync(path)) throw new StoreError(`${path} does not exist: there is nothing to back up`);
  refuseTarget(path, file, replace);
  const sqlite = openToRead(path);
  try {
    copyDatabase(sqlite, file);
  } finally {
    sqlite.close();
  }
  return { file, bytes: statSync(file).size };
}

function refuseTarget(path: string, file: string, replace: boolean): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new StoreError(`the folder ${folder} does not exist: create it, or name another`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) throw new StoreError(`${file} is a folder: name a file, such as ${join(file, 'backup.db')}`);
  const own = statSync(path);
  if (found.ino === own.ino && found.dev === own.dev) {
    throw new StoreError(`${file} is the database itself: name another file`);
  }
  if (!replace) throw new StoreError(`${file} exists already: name another file, or add --force to replace it`);
}
