import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The bytes left for this user on the disk of a folder, which need not exist yet. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(existingFolder(resolve(dir)));
  return bavail * bsize;
}

/** null: the disk does not tell. */
export function freeBytesOrNull(dir: string): number | null {
  try {
    return freeBytes(dir);
  } catch {
    return null;
  }
}

/** The folder, or its nearest existing parent. */
export function existingFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingFolder(dirname(path));
}

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
