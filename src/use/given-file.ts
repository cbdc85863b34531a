import { readFileSync, statSync } from 'node:fs';
import { UsageError } from './faults.ts';

/** The largest file that is read into the memory. */
const MAX_BYTES = 100 * 1024 * 1024;

/**
 * The text of a file that a person names.
 * @throws UsageError when it is no file, too large, or not in UTF-8: a text that was read wrongly would name something else
 */
export function readGiven(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`${file} does not exist`);
  if (!found.isFile()) throw new UsageError(`${file} is not a file`);
  if (found.size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes: split it`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not in UTF-8: save it anew as UTF-8' : String(error);
    throw new UsageError(`${file} cannot be read: ${why}`);
  }
}
