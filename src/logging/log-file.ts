import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { errorCode } from '../domain/error-code.ts';

const LIMIT_BYTES = 10 * 1024 * 1024;
/** Older files. FILE.1 is the newest of them. */
const KEPT = 4;

/**
 * A full file becomes FILE.1, FILE.1 becomes FILE.2, and so on; the oldest is deleted.
 * @throws Error when it cannot be opened. A line that cannot be written later, as on a full disk, goes to stderr
 */
export function openLogFile(path: string, limitBytes = LIMIT_BYTES): { write(line: string): void } {
  let fd = opened(path);
  let bytes = fstatSync(fd).size;
  const turn = (): void => {
    for (let age = KEPT; age > 0; age -= 1) moved(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`);
    const full = fd;
    fd = openSync(path, 'a');
    bytes = 0;
    closeSync(full);
  };
  return {
    write(line) {
      try {
        if (bytes > 0 && bytes + Buffer.byteLength(line) > limitBytes) turn();
        bytes += writeSync(fd, line);
      } catch {
        process.stderr.write(line);
      }
    },
  };
}

function opened(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (cause) {
    const code = errorCode(cause) ?? String(cause);
    throw new Error(`cannot write the log to ${path} (${code}): name another file with --log-file`, { cause });
  }
}

/** Renames a file if it exists. At first there are fewer older files. */
function moved(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
