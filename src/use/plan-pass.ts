import type { Config } from '../config/resolve.ts';
import type { IsPlanned } from '../daemon/worker/handle.ts';
import { withoutBrake } from '../domain/action.ts';
import { cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import { isFlow } from '../flows/flows.ts';
import type { JournalEvent } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { WorkRow } from '../store/work.ts';
import { UsageError } from './faults.ts';
import { stateOf } from './jobs/shown.ts';
import { isPlanned, type SavedPlan, type SavedWrite } from './plan-file.ts';
import { asShown, fromShown, NEW } from './rehearsal/new-ids.ts';

export interface LeftWrite extends SavedWrite {
  /** Its entity's state after the pass. `unseen`: a side was unreadable, so nothing was compared. */
  readonly state: WorkRow['state'] | 'settled' | 'unseen';
  readonly causes: readonly ShownCause[];
}

/** Why a write was left whose entity has no causes. */
export const LEFT_REASONS: Readonly<Record<LeftWrite['state'], string>> = {
  settled: 'It is not due any more: something has changed since.',
  pending: 'It is retried later.',
  held: 'It is held.',
  failed: 'It failed.',
  unseen: 'Both sides could not be compared.',
};

/** A pass that makes only a saved plan's writes, where they are still decided. */
export interface PlanPass {
  readonly isPlanned: IsPlanned;
  readonly onJournal: (entry: JournalEvent) => void;
  /**
   * Planned writes that were not made.
   * @param isCompared both sides were fully read and compared
   */
  left(account: string, store: Pick<Store, 'work'>, isCompared: boolean): Promise<LeftWrite[]>;
  leftNow(): ReadonlySet<SavedWrite>;
}

export function createPlanPass({ writes }: Pick<SavedPlan, 'writes'>): PlanPass {
  const left = new Set(writes);
  const byKey = Map.groupBy(writes, nameOf);
  /** A key unknown to the plan is compared with all its new ones. */
  const candidates = ({ flow, key }: Pick<SavedWrite, 'flow' | 'key'>) =>
    byKey.get(nameOf({ flow, key: asShown(key) })) ?? byKey.get(nameOf({ flow, key: NEW })) ?? [];
  return {
    isPlanned: (target, action) => candidates(target).some((write) => isPlanned(write, { ...action, ...target })),
    onJournal({ outcome, ...entry }) {
      if (outcome !== 'written' && outcome !== 'noted') return;
      const made = { ...entry, action: withoutBrake(entry.action) };
      const planned = candidates(made).find((write) => left.has(write) && isPlanned(write, made));
      if (planned !== undefined) left.delete(planned);
    },
    leftNow: () => left,
    async left(account, { work }, isCompared) {
      const found: LeftWrite[] = [];
      for (const write of left) {
        if (write.account !== account || !isFlow(write.flow)) continue;
        const target = { account, flow: write.flow, key: fromShown(write.key) };
        const row = await work.get(target);
        const failed = row?.state === 'failed' ? await work.failed(target) : [];
        const causes = [
          ...(row === null || row.state === 'failed' ? [] : (row.heldFor ?? [])),
          ...failed.map(({ cause: code, message }) => cause(code, { message })),
        ];
        found.push({
          ...write,
          state: row === null ? (isCompared ? 'settled' : 'unseen') : stateOf(row),
          causes: causes.map(shownCause),
        });
      }
      return found;
    },
  };
}

/**
 * Refuses a plan with an unknown account, whose writes would silently be skipped.
 * @throws UsageError
 */
export function requireKnownAccounts(plan: Pick<PlanPass, 'leftNow'>, { accounts }: Pick<Config, 'accounts'>): void {
  const known = new Set(accounts.map(({ name }) => name));
  const stranger = [...plan.leftNow()].find(({ account }) => !known.has(account));
  if (stranger === undefined) return;
  throw new UsageError(
    `the plan holds writes of account ${stranger.account}, which the configuration does not have: make a new plan`,
  );
}

function nameOf({ flow, key }: Pick<SavedWrite, 'flow' | 'key'>): string {
  return `${flow}/${key}`;
}
