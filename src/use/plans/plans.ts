import { counted } from '../../domain/counted.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import { LAST_FORGOTTEN } from '../../store/personal.ts';
import type { Act } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import { NotFound, Refused } from '../faults.ts';
import { type PlannedAccount, planAccount } from '../plan.ts';
import { type SavedWrite, writesIn } from '../plan-file.ts';
import { itemName, type PlanItem } from '../plan-item.ts';
import { type PlanSummary, summaryOf } from '../plan-summary.ts';
import type { Task, TaskRun, Tasks } from '../tasks.ts';
import { type Applying, applyPlan } from './apply.ts';
import type { StoredPlan, StoredPlans } from './stored.ts';

/** Makes and applies plans beside a daemon's work. */
export interface Plans extends Pick<StoredPlans, 'list' | 'get' | 'items'> {
  /** Rehearses an account's next passes on a copy. @throws TaskRunning */
  make(account: string, how: { readonly liftsPauses: boolean; readonly by: string }): Task;
  /**
   * @param hash of exactly the writes shown
   * @param except the names of the items that are not approved
   * @throws NotFound also for an item that the plan does not have, Refused for another hash or an applied plan
   */
  approve(account: string, id: number, hash: string, except: readonly string[], by: string): Promise<StoredPlan>;
  /** What such an approval approves, without those items. @throws as `approve` */
  approvable(account: string, id: number, hash: string, except: readonly string[]): Promise<Approvable>;
  /**
   * Makes an approved plan's writes, where the flows still decide them.
   * @throws NotFound, TaskRunning, Refused for an unapproved plan, or a process that writes nothing
   */
  apply(account: string, id: number, hash: string, by: string): Promise<Task>;
  /** Deletes plans that are old, or may name a forgotten person. */
  tidy(): Promise<void>;
}

export type Approvable = Pick<PlanSummary, 'writes' | 'links' | 'stopped' | 'actions' | 'zeroed' | 'priceMoves'>;

interface PlansParts {
  readonly store: Pick<Store, 'audit' | 'facts'>;
  readonly accounts: ReadonlyMap<string, AccountContext>;
  readonly plannedOf: (context: AccountContext) => PlannedAccount;
  readonly stored: StoredPlans;
  readonly tasks: Tasks;
  /** null: no workers in this process. */
  readonly applying: Applying | null;
  readonly isDryRun: boolean;
}

const SOMEBODY_FORGOTTEN =
  'the data of a customer was erased while the plan was made, and the plan may contain it: make a new plan';
const MOST = 500_000;
const MOST_LEFT = 200;

export function createPlans(parts: PlansParts): Plans {
  const { store, accounts, stored, tasks } = parts;
  const contextOf = (account: string): AccountContext => {
    const context = accounts.get(account);
    if (context === undefined)
      throw new Refused(`this daemon does not process account ${account}: make the plan at the daemon that does`);
    return context;
  };
  const noted = (plan: StoredPlan, action: string, by: string, after: string | null = null) =>
    store.audit.add(entryOf(plan, action, by, after));
  const shown = (account: string, id: number, hash: string): StoredPlan => {
    const plan = stored.get(account, id);
    if (plan.hash === hash) return plan;
    throw new Refused(`plan ${id} has the hash ${plan.hash}, not ${hash}: review it again`);
  };
  const lastForgotten = (account: string) => store.facts.get(account, LAST_FORGOTTEN);
  const tidy = async (account: string): Promise<void> => stored.tidy(account, await lastForgotten(account));
  return {
    async tidy() {
      for (const account of stored.accounts()) await tidy(account);
    },
    list: stored.list,
    get: stored.get,
    items: stored.items,
    make(account, { liftsPauses, by }) {
      const planned = parts.plannedOf(contextOf(account));
      return tasks.start({ account, kind: 'plan', by }, async (run) => {
        const atMs = planned.now();
        const forgotten = await lastForgotten(account);
        const { summary, items } = await rehearsed(planned, liftsPauses, run);
        const plan = stored.add({ account, made: { by, atMs }, forgotten, liftsPauses, summary }, items);
        // Tidied after adding, since somebody in it may have been forgotten meanwhile.
        await tidy(account);
        if (!stored.list(account).some(({ id }) => id === plan.id)) throw new Refused(SOMEBODY_FORGOTTEN);
        await noted(plan, 'plan.make', by, counted(summary.writes, 'write'));
        return { said: `${counted(summary.writes, 'write')} planned.`, plan: plan.id };
      });
    },
    approvable: (account, id, hash, except) => withoutItems(stored, shown(account, id, hash), except),
    async approve(account, id, hash, except, by) {
      const plan = shown(account, id, hash);
      if (plan.applied !== null) throw new Refused(`plan ${id} was applied already`);
      if (plan.approved !== null) {
        if ((plan.approved.except ?? []).join() === except.join()) return plan;
        throw new Refused(`plan ${id} was approved already, with other items left out: make a new plan`);
      }
      const { writes, links } = await withoutItems(stored, plan, except);
      if (except.length > 0 && writes + links === 0) throw new Refused(`nothing of plan ${id} is left to approve`);
      const left = except.length === 0 ? null : `without ${except.join(', ')}`;
      await noted(plan, 'plan.approve', by, left);
      return stored.change(plan, { approved: { by, atMs: contextOf(account).now(), except } });
    },
    async apply(account, id, hash, by) {
      const plan = shown(account, id, hash);
      const context = contextOf(account);
      const applying = applyingOf(plan, parts);
      const task = tasks.start({ account, kind: 'apply', by }, async (run) => {
        const writes = await writesOf(stored, plan);
        const left = await applyPlan(context, { writes, liftsPauses: plan.liftsPauses, applying }, run);
        const counts = { written: writes.length - left.length, left: left.length };
        const applied = { by, atMs: context.now(), ...counts, firstLeft: left.slice(0, MOST_LEFT) };
        stored.change(stored.get(account, id), { applied });
        const said = `${counted(counts.written, 'write')} made, ${counts.left} left.`;
        await noted(plan, 'plan.applied', by, said);
        return { said, plan: id };
      });
      await noted(plan, 'plan.apply', by);
      return task;
    },
  };
}

/** What applies the plan. @throws Refused for a plan that is not approved, or a process that writes nothing */
function applyingOf({ id, approved, applied }: StoredPlan, { isDryRun, applying }: PlansParts): Applying {
  if (approved === null) throw new Refused(`plan ${id} is not approved: approve it first`);
  if (applied !== null) throw new Refused(`plan ${id} was applied already: make another one`);
  if (isDryRun) throw new Refused('mode: dry-run writes nothing: set mode: live, and start the daemon again');
  if (applying === null) throw new Refused('this process only serves the screen: apply it where the daemon works');
  return applying;
}

function entryOf({ account, id, hash }: StoredPlan, action: string, by: string, after: string | null): Act {
  const about = { account, flow: 'all', key: '', target: `plan ${id}` };
  return { ...about, action, before: hash, after, who: by, outcome: 'done', resultOf: null };
}

async function rehearsed(planned: PlannedAccount, liftsPauses: boolean, { signal, progress }: TaskRun) {
  let looked = 0;
  const onLook = (flow: string) => progress(`rehearsing ${flow}`, ++looked);
  const plan = await planAccount(planned, { signal, liftsPauses, onLook });
  if (plan.items.length > MOST) throw new Refused(`more than ${MOST} entities differ: use "stockbridge plan"`);
  return { summary: summaryOf(planned.account, plan), items: plan.items };
}

/** @throws NotFound for an item that the plan does not have */
async function withoutItems(stored: StoredPlans, plan: StoredPlan, except: readonly string[]): Promise<Approvable> {
  if (except.length === 0) return plan.summary;
  const missing = new Set(except);
  const items: PlanItem[] = [];
  for await (const item of stored.items(plan)) if (!missing.delete(itemName(item))) items.push(item);
  const [unknown] = missing;
  if (unknown !== undefined) throw new NotFound(`plan ${plan.id} has no ${unknown}`);
  const { unlinked, history, invalidRows } = plan.summary;
  return summaryOf(plan.account, { items, unlinked, history, invalidRows });
}

async function writesOf(stored: StoredPlans, plan: StoredPlan): Promise<SavedWrite[]> {
  const writes: SavedWrite[] = [];
  const except = new Set(plan.approved?.except);
  for await (const item of stored.items(plan)) if (!except.has(itemName(item))) writes.push(...writesIn(item));
  return writes;
}
