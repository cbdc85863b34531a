import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NotFound } from '../faults.ts';
import type { PlanItem } from '../plan-item.ts';
import type { LeftWrite } from '../plan-pass.ts';
import type { PlanSummary } from '../plan-summary.ts';

interface Done {
  readonly by: string;
  readonly atMs: number;
}

/** A stored plan's head. Its items are in a file beside it. */
export interface StoredPlan {
  readonly format: typeof FORMAT;
  readonly id: number;
  readonly account: string;
  readonly made: Done;
  /** LAST_FORGOTTEN when the plan was begun: it names nobody forgotten before. */
  readonly forgotten: string | null;
  /** Made, and later applied, as if nothing were paused. */
  readonly liftsPauses: boolean;
  /** Of exactly the plan's writes. */
  readonly hash: string;
  readonly entities: number;
  readonly summary: PlanSummary;
  readonly approved: Approved | null;
  readonly applied: Applied | null;
}

export interface Approved extends Done {
  /** The items that are not approved, by their names. Left out: none. */
  readonly except?: readonly string[];
}

export interface Applied extends Done {
  readonly written: number;
  readonly left: number;
  readonly firstLeft: readonly LeftWrite[];
}

const FORMAT = 'stockbridge-kept-plan-1';
/** A plan may show customers and prices. */
const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** The most plans of an account, and how long they are kept. */
const KEPT = 5;
const KEPT_MS = 7 * 24 * 60 * 60_000;

export interface StoredPlans {
  accounts(): ReadonlySet<string>;
  /** Newest first. */
  list(account: string): StoredPlan[];
  /** @throws NotFound */
  get(account: string, id: number): StoredPlan;
  add(
    plan: Omit<StoredPlan, 'format' | 'id' | 'hash' | 'entities' | 'approved' | 'applied'>,
    items: readonly PlanItem[],
  ): StoredPlan;
  change(plan: StoredPlan, by: Partial<Pick<StoredPlan, 'approved' | 'applied'>>): StoredPlan;
  /** Deletes plans that are old, or older than `forgotten`, since they may name a forgotten person. */
  tidy(account: string, forgotten: string | null): void;
  /** In order. */
  items(plan: Pick<StoredPlan, 'id'>): AsyncGenerator<PlanItem>;
}

/** @param now epoch milliseconds */
export function openStoredPlans(dir: string, now: () => number): StoredPlans {
  const folder = join(dir, 'plans');
  const headOf = (id: number) => join(folder, `${id}.json`);
  const itemsOf = (id: number) => join(folder, `${id}.jsonl`);
  const save = (plan: StoredPlan): StoredPlan => {
    writeFileSync(`${headOf(plan.id)}.new`, JSON.stringify(plan), { mode: OWNER_FILE });
    renameSync(`${headOf(plan.id)}.new`, headOf(plan.id));
    return plan;
  };
  const all = (): StoredPlan[] => {
    const found = idsIn(folder).flatMap((id) => readHead(headOf(id)));
    return found.toSorted((a, b) => b.id - a.id);
  };
  const ownOf = (account: string) => all().filter((plan) => plan.account === account);
  const remove = (plans: readonly StoredPlan[]): void => {
    for (const { id } of plans) for (const path of [headOf(id), itemsOf(id)]) rmSync(path, { force: true });
  };
  const dropOld = (account: string): void =>
    remove(ownOf(account).filter((plan, at) => at >= KEPT || plan.made.atMs < now() - KEPT_MS));
  const list = (account: string): StoredPlan[] => {
    dropOld(account);
    return ownOf(account);
  };
  return {
    accounts: () => new Set(all().map(({ account }) => account)),
    list,
    tidy: (account, forgotten) => remove(list(account).filter((plan) => plan.forgotten !== forgotten)),
    get(account, id) {
      const plan = list(account).find((one) => one.id === id);
      if (plan === undefined)
        throw new NotFound(`there is no plan ${id} of ${account}: the last ${KEPT} are kept for a week`);
      return plan;
    },
    add(plan, items) {
      mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
      const id = Math.max(0, ...idsIn(folder)) + 1;
      writeFileSync(itemsOf(id), items.map((item) => `${JSON.stringify(item)}\n`).join(''), {
        mode: OWNER_FILE,
        flag: 'wx',
      });
      const rest = { hash: hashOf(items), entities: items.length, approved: null, applied: null };
      const saved = save({ format: FORMAT, id, ...plan, ...rest });
      dropOld(plan.account);
      return saved;
    },
    change: (plan, by) => save({ ...plan, ...by }),
    async *items({ id }) {
      const lines = createInterface({
        input: createReadStream(itemsOf(id), 'utf8'),
        crlfDelay: Number.POSITIVE_INFINITY,
      });
      for await (const line of lines) yield JSON.parse(line) as PlanItem;
    },
  };
}

function idsIn(folder: string): number[] {
  try {
    const found = readdirSync(folder).map((name) => Number(/^([1-9]\d{0,14})\.jsonl?$/.exec(name)?.[1] ?? 0));
    return [...new Set(found)].filter((id) => id > 0);
  } catch {
    return [];
  }
}

/** Empty: still being written, or of another version. */
function readHead(path: string): StoredPlan[] {
  try {
    const plan = JSON.parse(readFileSync(path, 'utf8')) as StoredPlan | { readonly format: null };
    return plan.format === FORMAT ? [plan] : [];
  } catch {
    return [];
  }
}

const HASH_DIGITS = 16;

/** What an approval is bound to: every write with its values. */
function hashOf(items: readonly PlanItem[]): string {
  const hash = createHash('sha256');
  for (const { account, flow, key, actions } of items) {
    for (const { action, target, before, after } of actions)
      hash.update(JSON.stringify([account, flow, key, action, target, before, after]));
  }
  return hash.digest('hex').slice(0, HASH_DIGITS);
}
