import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../domain/error-code.ts';

/** The remedy when a write failed because the file system is mounted for reading only; null: it failed for another reason. */
export function readOnlyTrouble(error: unknown, folder: string): string | null {
  if (errorCode(error) !== 'EROFS' && !isReadOnly(folder)) return null;
  return `The file system of ${folder} is read-only: mount it for writing`;
}

/** SQLite does not tell a file system for reading only from permissions that lack. The system does. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EROFS';
  }
}
