import { ROLES } from '../app.ts';
import { acquireLocks, type Lock, LockHeldError, lockHolder } from '../store/sqlite/lock.ts';

/**
 * The whole data folder for one process: nobody polls, works or serves on it until it is released.
 * @throws LockHeldError that says who does
 */
export function lockFolder(dir: string): Lock {
  try {
    return acquireLocks(dir, ROLES);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const holders = new Set(ROLES.map((role) => lockHolder(dir, role)).filter((holder) => holder !== null));
    const who = `a daemon or a sync (process ${[...holders].join(', ') || 'unknown'})`;
    throw new LockHeldError(`${who} works on ${dir}: stop it, then try again. Nothing was changed`, { cause: error });
  }
}
