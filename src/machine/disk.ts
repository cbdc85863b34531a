import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The bytes that the disk of a folder, or of the folder in which it would be made, has left for this user. */
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

/** The folder itself, or the nearest existing folder in which it would be made. */
export function existingFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingFolder(dirname(path));
}

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
