import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Keeps the temporary files of this process and of its children in memory, until it ends: the tests commit to thousands of
 * databases, and no test needs a database that survives the machine. Without enough memory, they stay where they were.
 */
export function keepInMemory() {
  if (freeBytes() < ENOUGH_BYTES) return;
  const folder = mkdtempSync(join(MEMORY, 't-'));
  // Some databases run as users of their own.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function freeBytes() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
