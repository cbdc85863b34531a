import type { Disk } from './disk.ts';
import type { Request } from './sides.ts';

const NEWEST = 'SELECT coalesce(max(id), 0) AS id FROM journal';
const LEASE = "SELECT fence FROM leases WHERE account = 'main'";

/** At any time only one daemon works an account: every write is recorded and sent under the latest lease. */
export function createLeaseLaw(disk: Disk, broken: string[]) {
  const newest = disk.prepare<[], { id: number }>(NEWEST);
  const latest = disk.prepare<[], { fence: number }>(LEASE);
  let seen = 0;
  /** The lease of the last entry of the journal. */
  let writtenUnder = 0;

  return {
    /** To be called when work under this lease was committed. */
    committed(fence: number): void {
      const id = newest.get()?.id ?? 0;
      if (id === seen) return;
      seen = id;
      const lease = latest.get()?.fence;
      if (fence < writtenUnder)
        broken.push(`one worker: entry ${id} of the journal is of lease ${fence}, after ${writtenUnder}`);
      else if (fence !== lease)
        broken.push(`one worker: entry ${id} of the journal is of lease ${fence}, and ${lease} is held`);
      writtenUnder = Math.max(writtenUnder, fence);
    },
    /** To be called when a write leaves under this lease. */
    sent(fence: number, { method, target }: Request): void {
      const lease = latest.get()?.fence;
      if (fence !== lease)
        broken.push(`one worker: ${method} ${target} was sent under lease ${fence}, and ${lease} is held`);
    },
  };
}
