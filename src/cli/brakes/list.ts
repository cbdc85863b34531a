import type { BrakeItem, BrakePlan } from '../../store/brakes.ts';
import { accountsFor } from '../account.ts';
import { shownInstant } from '../instant.ts';
import { type Cli, note, paint, print, printJson } from '../output.ts';
import { wrap } from '../table.ts';
import type { Opened } from '../with-store.ts';

/** Of one plan, this many items are shown; `--all` and `--json` show all. */
const SHOWN = 20;
const WIDTH = 100;

export interface ListOptions {
  readonly account?: string;
  readonly all?: true;
  readonly json?: true;
}

interface Shown {
  readonly plan: BrakePlan;
  readonly items: readonly BrakeItem[];
  readonly hash: string;
}

export async function listPlans(cli: Cli, { config, store }: Opened, options: ListOptions): Promise<void> {
  const names = accountsFor(config, options.account).map(({ name }) => name);
  const plans = (await store.brakes.list()).filter(({ plan }) => names.includes(plan.account));
  if (options.json) {
    printJson(cli, { plans: plans.map(planJson) });
    return;
  }
  if (plans.length === 0) print(cli, 'No brake holds anything.');
  for (const shown of plans)
    printPlan(cli, shown, { withAccount: config.accounts.length > 1, all: options.all === true });
  const open = plans.find(({ plan }) => plan.state === 'open');
  if (open !== undefined) note(cli, `To let it go ahead: stockbridge brakes approve ${open.hash}`);
}

export function planJson({ plan, items, hash }: Shown) {
  const { id, account, flow, kind, state, holdsAll, reason, createdAtMs, expiresAtMs, decidedBy } = plan;
  return {
    id,
    hash,
    account,
    flow,
    kind,
    state,
    holds_all: holdsAll,
    reason,
    decided_by: decidedBy,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    count: items.length,
    items: items.map(itemJson),
  };
}

export function itemJson({ id, flow, key, action, target, before, after, why, state }: BrakeItem) {
  return { id, flow, key, action, target, before, after, why, state };
}

function printPlan(cli: Cli, shown: Shown, { withAccount, all }: { withAccount: boolean; all: boolean }): void {
  const { plan, items, hash } = shown;
  const count = `${items.length} ${items.length === 1 ? 'write' : 'writes'}`;
  const of = withAccount ? ` of ${plan.account}` : '';
  const head = paint(cli, cli.stdout, plan.state === 'open' ? 'yellow' : 'bold', `plan ${plan.id}  ${plan.kind}`);
  print(cli, `${head}  ${hash}  ${plan.flow}${of}, ${count}, ${stateText(plan)}`);
  const what = plan.holdsAll ? 'everything of this kind waits' : 'only these wait';
  for (const line of wrap(`${what}: ${plan.reason}`, WIDTH, '  ')) print(cli, line);
  const listed = all ? items : items.slice(0, SHOWN);
  for (const item of listed) print(cli, `  ${itemText(item)}`);
  if (listed.length < items.length) print(cli, `  and ${items.length - listed.length} more: --all shows them`);
}

function stateText({ state, createdAtMs, expiresAtMs, decidedBy }: BrakePlan): string {
  const over = shownInstant(expiresAtMs);
  if (state === 'dropped') return `dropped by ${decidedBy}`;
  if (state === 'approved') return `approved by ${decidedBy} until ${over}`;
  return `since ${shownInstant(createdAtMs)}, to approve until ${over}`;
}

export function itemText({ id, flow, key, action, target, before, after, state }: BrakeItem): string {
  const decided = state === 'held' ? '' : ` (${state})`;
  return `${id}  ${action} ${target}: ${before ?? '(unknown)'} -> ${after ?? '(nothing)'}  ${flow}/${key}${decided}`;
}
