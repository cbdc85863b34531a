import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../domain/error-code.ts';

/** What to do if a write failed because the file system is mounted read-only; null: another cause. */
export function readOnlyTrouble(error: unknown, folder: string): string | null {
  if (errorCode(error) !== 'EROFS' && !isReadOnly(folder)) return null;
  return `The file system of ${folder} is read-only: mount it for writing`;
}

/** SQLite does not distinguish a read-only file system from missing permissions. The system does. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EROFS';
  }
}
