import { errorCode } from '../../domain/error-code.ts';

const NO_ROOM = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/;
const NOT_ALLOWED =
  /^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR_ACCESS)\b|SQLITE_(READONLY|CANTOPEN)_|EACCES$|EPERM$|EROFS$)/;
const FAILING = /^(SQLITE_IOERR|EIO$)/;

/**
 * The remedy where the disk or its permissions are at fault, so that nothing is known against the database itself; null for
 * every other error.
 */
export function diskTrouble(error: unknown, folder: string): string | null {
  const code = errorCode(error) ?? '';
  if (NO_ROOM.test(code)) return `Free some space on the disk of ${folder}`;
  if (NOT_ALLOWED.test(code)) {
    return `Let the user that runs stockbridge write in ${folder} and to the files in it, and mount its disk for writing`;
  }
  return FAILING.test(code) ? `The disk of ${folder} fails: look into the log of the system` : null;
}
