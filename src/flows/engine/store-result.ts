import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { remembersWrite, type WorkRow } from '../../store/work.ts';
import { FIRST_START_HOLDS, releaseEnded } from './first-links.ts';
import type { Result } from './flow.ts';

/** No key waits longer than this for its next look. */
const LONGEST_WAIT_MS = 600_000;

interface StoredResult {
  readonly outcome: 'in-sync' | 'held' | 'waiting' | 'handed-back';
  /** False: the entity changed during the look and needs another one. */
  readonly isStored: boolean;
  /** The causes of a hold that differs from the hold before. A key is looked at from time to time, and its hold is reported once. */
  readonly newlyHeldFor: readonly Cause[];
}

/** Stores the result of a look: the key is settled, held, or waits for its next look. */
export async function storeResult(
  { account, store, now }: AccountRecords,
  row: WorkRow,
  result: Result,
): Promise<StoredResult> {
  const { version } = row;
  const none = { newlyHeldFor: [] };
  const postpone = (waitMs: number, why: readonly Cause[]) =>
    store.work.postpone(row, version, now() + Math.min(waitMs, LONGEST_WAIT_MS), why);
  switch (result.state) {
    case 'held': {
      const { causes } = result;
      const isStored = await store.work.hold(row, version, causes);
      if (!isStored) return { outcome: 'held', isStored, ...none };
      await releaseEnded({ account, store }, causes);
      const isNews =
        JSON.stringify(row.heldFor) !== JSON.stringify(causes) &&
        !causes.every(({ code }) => FIRST_START_HOLDS.includes(code));
      return { outcome: 'held', isStored, newlyHeldFor: isNews ? causes : [] };
    }
    case 'wait': {
      const kept = (row.heldFor ?? []).filter((one) => one.code === 'tried-again' || remembersWrite(one));
      const why = [...kept, cause('waits-first', { reason: result.reason })];
      return { outcome: 'waiting', isStored: await postpone(result.waitMs, why), ...none };
    }
    case 'gives-way':
      return { outcome: 'handed-back', isStored: await store.work.giveWay(row, version), ...none };
    case 'in-sync': {
      const { lookAgainMs } = result;
      const isStored = lookAgainMs === null ? await store.work.settle(row, version) : await postpone(lookAgainMs, []);
      return { outcome: 'in-sync', isStored, ...none };
    }
  }
}
