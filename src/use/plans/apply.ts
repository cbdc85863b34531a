import type { IsPlanned } from '../../daemon/worker/handle.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { JournalEvent } from '../../store/record.ts';
import { laneOfAct, type WorkKey } from '../../store/work.ts';
import type { SavedWrite } from '../plan-file.ts';
import { createPlanPass, type LeftWrite, type PlanPass } from '../plan-pass.ts';
import { awaitsId, fromShown } from '../rehearsal/new-ids.ts';
import { MAX_PASSES } from '../sync.ts';
import type { TaskRun } from '../tasks.ts';
import { untilStable } from '../until-stable.ts';

export interface Applying {
  /** Whether the write's plan ignores pauses. */
  readonly passesPauses: IsPlanned;
  readonly onJournal: (entry: JournalEvent) => void;
  /** Follows a plan until the returned function is called. */
  begin(account: string, pass: PlanPass, liftsPauses: boolean): () => void;
}

export function createApplying(): Applying {
  const now = new Map<string, { readonly pass: PlanPass; readonly liftsPauses: boolean }>();
  return {
    passesPauses(target, action) {
      const plan = now.get(target.account);
      return plan?.liftsPauses === true && plan.pass.isPlanned(target, action);
    },
    onJournal: (entry) => now.get(entry.account)?.pass.onJournal(entry),
    begin(account, pass, liftsPauses) {
      now.set(account, { pass, liftsPauses });
      return () => void now.delete(account);
    },
  };
}

const AT_ONCE = 500;
const LOOK_EVERY_MS = 250;
/** The longest wait without a write or an end. */
const IDLE_MS = 75_000;

interface ToApply {
  readonly writes: readonly SavedWrite[];
  readonly liftsPauses: boolean;
  readonly applying: Applying;
}

/**
 * Lets the workers make a plan's writes first, where the flows still decide them. Returns the others. Rounds over the
 * remaining entities go on while they write something.
 */
export async function applyPlan(
  { account, store }: AccountRecords,
  { writes, liftsPauses, applying }: ToApply,
  { signal, progress }: TaskRun,
): Promise<LeftWrite[]> {
  const pass = createPlanPass({ writes });
  const end = applying.begin(account, pass, liftsPauses);
  try {
    const tell = () => progress('writing', writes.length - pass.leftNow().size, writes.length);
    for (let round = 0; round < MAX_PASSES && pass.leftNow().size > 0; round += 1) {
      const before = pass.leftNow().size;
      const keys = keysOf(account, pass.leftNow());
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        await store.work.mark(keys.slice(at, at + AT_ONCE), laneOfAct(keys.length), 'a plan is applied');
      }
      let waiting = keys;
      const look = async () => {
        tell();
        waiting = await stillPending(store, waiting);
        return waiting.length === 0 ? null : `${waiting.length} ${pass.leftNow().size}`;
      };
      await untilStable(look, { everyMs: LOOK_EVERY_MS, idleMs: IDLE_MS, signal });
      if (pass.leftNow().size === before) break;
    }
    tell();
    return await pass.left(account, store, true);
  } finally {
    end();
  }
}

/** Entities without an id are looked at once they have one. */
function keysOf(account: string, left: Iterable<SavedWrite>): WorkKey[] {
  const keys = new Map<string, WorkKey>();
  for (const { flow, key: shown } of left) {
    const key = fromShown(shown);
    if (!awaitsId(shown)) keys.set(`${flow}/${key}`, { account, flow, key });
  }
  return [...keys.values()];
}

/** Checks only the first few pending keys; the others follow. */
async function stillPending(
  { work }: Pick<AccountRecords['store'], 'work'>,
  keys: readonly WorkKey[],
): Promise<WorkKey[]> {
  const still: WorkKey[] = [];
  for (const [at, key] of keys.entries()) {
    if (still.length >= AT_ONCE) return [...still, ...keys.slice(at)];
    if ((await work.get(key))?.state === 'pending') still.push(key);
  }
  return still;
}
