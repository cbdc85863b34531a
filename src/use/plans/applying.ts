import type { IsPlanned } from '../../daemon/worker/handle.ts';
import type { ToldEntry } from '../../store/record.ts';
import type { PlanPass } from '../plan-pass.ts';

/** The plans that the workers of this process are making now. */
export interface Applying {
  /** Is this write in a plan whose writes no pause stops? */
  readonly passesPauses: IsPlanned;
  readonly onJournal: (entry: ToldEntry) => void;
  /** Follows a plan that is being made, until the answered function is called. */
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
