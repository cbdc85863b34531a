import { sideOfList } from '../domain/lists.ts';
import { ALL_FLOWS } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { AccountStatus, Status } from './status.ts';

/** A step from a new account to a live one. */
export interface FirstStep {
  readonly name: 'connect' | 'read' | 'link' | 'approve' | 'live';
  /** `now`: in progress. `you`: a person decides. `later`: an earlier step is not done. */
  readonly state: 'done' | 'now' | 'you' | 'later';
  readonly done: number;
  /** null: not known yet. */
  readonly all: number | null;
  /** The least time for the rest within the quota; null: under a minute, or unknown. */
  readonly leastMs: number | null;
}

export interface FirstDayFacts {
  readonly reads: readonly { readonly collection: string; readonly ageMs: number | null }[];
  readonly linked: number;
  readonly unlinked: number;
  readonly braked: number;
  readonly pending: number;
  readonly leastMs: number | null;
  /** Everything is paused, or this is a dry run, so a plan is approved before anything is written. */
  readonly isHeldBack: boolean;
  readonly isApproved: boolean;
  /** How long ago the journal began; null: it is empty. */
  readonly begunForMs: number | null;
}

/** An account that has worked longer is not new. */
const NEW_FOR_MS = 7 * 24 * 60 * 60_000;

/** The steps of a new account; null: it is live. */
export function firstDay(facts: FirstDayFacts): FirstStep[] | null {
  const { reads, linked, unlinked, braked, pending, leastMs, isHeldBack, isApproved, begunForMs } = facts;
  const read = reads.filter(({ ageMs }) => ageMs !== null);
  const sides = new Set(read.map(({ collection }) => sideOfList(collection))).size;
  const isRead = reads.length > 0 && read.length === reads.length;
  const isPlanned = isApproved || (braked === 0 && !isHeldBack);
  if ((isRead && isPlanned) || (begunForMs !== null && begunForMs > NEW_FOR_MS)) return null;
  const afterRead = (isDone: boolean) => (!isRead ? 'later' : isDone ? 'done' : 'you');
  return [
    { name: 'connect', state: sides === SIDES ? 'done' : 'now', done: sides, all: SIDES, leastMs: null },
    {
      name: 'read',
      state: isRead ? 'done' : read.length > 0 ? 'now' : 'later',
      done: read.length,
      all: reads.length,
      leastMs: null,
    },
    { name: 'link', state: afterRead(unlinked === 0), done: linked, all: linked + unlinked, leastMs: null },
    { name: 'approve', state: afterRead(isPlanned), done: 0, all: isRead ? braked : null, leastMs: null },
    { name: 'live', state: 'later', done: 0, all: isRead ? pending : null, leastMs },
  ];
}

const SIDES = 2;
/** Acts by which a person allows the first writes. */
const APPROVALS: ReadonlySet<string> = new Set(['brake.approve', 'plan.approve']);
const MOST_ACTS = 200;

export async function firstDayOf(
  { mode }: Pick<Status, 'mode'>,
  status: AccountStatus,
  store: Store,
  nowMs: number,
): Promise<FirstStep[] | null> {
  const { account, verdict } = status;
  const [first] = await store.journal.after(0, 1, { accounts: [account] });
  const facts: FirstDayFacts = {
    reads: status.reads,
    linked: 0,
    unlinked: status.unlinked.listings,
    braked: status.braked,
    pending: verdict.counts.pending,
    leastMs: verdict.leastMs,
    isHeldBack: mode === 'dry-run' || status.paused.some(({ flow }) => flow === ALL_FLOWS),
    isApproved: false,
    begunForMs: first === undefined ? null : nowMs - first.atMs,
  };
  if (firstDay(facts) === null) return null;
  const acts = await store.audit.latest(MOST_ACTS, account);
  const isApproved = acts.length === MOST_ACTS || acts.some(({ action }) => APPROVALS.has(action));
  const counts = await store.journal.countsByAction(account);
  const links = counts.filter(({ action }) => action === 'product.link');
  return firstDay({ ...facts, isApproved, linked: links.reduce((total, { count }) => total + count, 0) });
}
