import type { Disk } from './disk.ts';
import type { Request } from './sides.ts';

const NEWEST = 'SELECT coalesce(max(id), 0) FROM journal';
const LEASE = "SELECT fence FROM leases WHERE account = 'main'";

/** An account is worked by one at any time: whoever puts a write on record, or sends one, does it under the latest lease. */
export function createLeaseLaw({ sqlite }: Disk, broken: string[]) {
  const newest = sqlite.prepare<[], number>(NEWEST).pluck();
  const latest = sqlite.prepare<[], number>(LEASE).pluck();
  let seen = 0;
  /** Of the last entry of the journal. */
  let writtenUnder = 0;

  return {
    /** Work under this lease was committed. */
    committed(fence: number): void {
      const id = newest.get() ?? 0;
      if (id === seen) return;
      seen = id;
      const lease = latest.get();
      if (fence < writtenUnder)
        broken.push(`one worker: entry ${id} of the journal is of lease ${fence}, after ${writtenUnder}`);
      else if (fence !== lease)
        broken.push(`one worker: entry ${id} of the journal is of lease ${fence}, and ${lease} is held`);
      writtenUnder = Math.max(writtenUnder, fence);
    },
    /** A write leaves under this lease. */
    sent(fence: number, { method, target }: Request): void {
      const lease = latest.get();
      if (fence !== lease)
        broken.push(`one worker: ${method} ${target} was sent under lease ${fence}, and ${lease} is held`);
    },
  };
}
