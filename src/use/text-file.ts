import { readFileSync, statSync } from 'node:fs';

/** The largest file that is read. */
const MAX_BYTES = 100 * 1024 * 1024;

/**
 * The text of a file that a person names.
 * @throws Error for a missing or large file, or one that is not UTF-8 and would be misread
 */
export function readTextFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${file} does not exist`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  if (found.size > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes: split it`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not in UTF-8: save it anew as UTF-8' : String(error);
    throw new Error(`${file} cannot be read: ${why}`, { cause: error });
  }
}
