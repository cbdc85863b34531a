import { counted } from '../../domain/counted.ts';
import { OPENED_ANEW } from '../../store/sqlite/brake-decisions.ts';
import type { BrakeItem, BrakePlan } from '../../store/sqlite/brakes.ts';
import { accountsFor } from '../account.ts';
import { shownInstant } from '../instant.ts';
import { type Cli, lineWidth, note, paint, print, printJson } from '../output.ts';
import { hang, NO_BREAK, wrap } from '../table.ts';
import type { Opened } from '../with-store.ts';

/** Of one plan, this many items are shown; `--all` and `--json` show all. */
const SHOWN = 20;
const WIDEST = 100;

export interface ListOptions {
  readonly account?: string;
  readonly all?: true;
  readonly json?: true;
}

interface Shown {
  readonly plan: BrakePlan;
  readonly items: readonly BrakeItem[];
  readonly hash: string;
  readonly expired: boolean;
}

export async function listPlans(cli: Cli, { config, store }: Opened, options: ListOptions): Promise<void> {
  const names = accountsFor(config, options.account).map(({ name }) => name);
  const nowMs = Date.now();
  const plans = (await store.brakes.list())
    .filter(({ plan }) => names.includes(plan.account))
    .map((shown) => ({ ...shown, expired: isExpired(shown, nowMs) }));
  if (options.json) {
    printJson(cli, { plans: plans.map(planJson) });
    return;
  }
  if (plans.length === 0) print(cli, 'No brake holds anything.');
  for (const shown of plans)
    printPlan(cli, shown, { withAccount: config.accounts.length > 1, all: options.all === true });
  for (const { plan, hash, expired } of plans) {
    if (plan.state === 'open' && !expired) {
      note(cli, `To let plan ${plan.id} go ahead: stockbridge brakes approve ${hash}`);
    }
  }
}

/** Nothing of it can be approved any more, or nothing that was approved is written any more. */
function isExpired({ plan, items }: Pick<Shown, 'plan' | 'items'>, nowMs: number): boolean {
  if (plan.expiresAtMs > nowMs || plan.state === 'dropped') return false;
  return plan.state === 'open' || items.some(({ state }) => state === 'approved');
}

function planJson({ plan, items, hash, expired }: Shown) {
  const { id, account, flow, kind, state, holdsAll, reason, createdAtMs, expiresAtMs, decidedBy } = plan;
  return {
    id,
    hash,
    account,
    flow,
    kind,
    state,
    expired,
    holds_all: holdsAll,
    reason: holdsAll ? reason : null,
    decided_by: decidedBy,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    count: items.length,
    items: items.map(itemJson),
  };
}

export function itemJson({ id, flow, key, action, target, before, after, why, reason, state }: BrakeItem) {
  return { id, flow, key, action, target, before, after, why, reason, state };
}

function printPlan(cli: Cli, shown: Shown, { withAccount, all }: { withAccount: boolean; all: boolean }): void {
  const { plan, items, hash } = shown;
  const width = lineWidth(cli, WIDEST);
  const of = withAccount ? ` of ${plan.account}` : '';
  const name = `plan ${plan.id}  ${plan.kind}`;
  const head = `${unbroken(name)}  ${hash}  ${plan.flow}${of}, ${counted(items.length, 'write')}, ${stateText(shown)}`;
  const [first = '', ...more] = hang(spaced(head), width, '', '  ');
  print(cli, paint(cli, cli.stdout, plan.state === 'open' ? 'yellow' : 'bold', name) + first.slice(name.length));
  for (const line of [...more, ...wrap(whatText(shown), width, '  ')]) print(cli, line);
  const listed = all ? items : items.slice(0, SHOWN);
  for (const item of listed) {
    for (const line of hang(spaced(itemText(item)), width, '  ', '     ')) print(cli, line);
    const isOfPlan = plan.state !== 'open' || (plan.holdsAll && item.reason === plan.reason);
    if (!isOfPlan) for (const line of wrap(item.reason, width, '     ')) print(cli, line);
  }
  if (listed.length < items.length) print(cli, `  and ${items.length - listed.length} more: --all shows them`);
}

/** Two spaces stay two where no line ends. */
function spaced(text: string): string {
  return text.replaceAll('  ', ` ${NO_BREAK}`);
}

function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK);
}

function stateText({ plan, items, expired }: Shown): string {
  const { state, createdAtMs, expiresAtMs, decidedBy } = plan;
  const over = unbroken(shownInstant(expiresAtMs));
  if (state === 'open') {
    return `since ${unbroken(shownInstant(createdAtMs))}, ${expired ? `expired ${over}` : `to approve until ${over}`}`;
  }
  if (state === 'dropped' || !items.some((item) => item.state === 'approved')) return `${state} by ${decidedBy}`;
  return `approved by ${decidedBy}${expired ? `, expired ${over}` : ` until ${over}`}`;
}

/** What becomes of what is in it. */
function whatText({ plan, items, expired }: Shown): string {
  const refused = items.some(({ state }) => state !== 'approved');
  const until = 'is held until it is another write';
  switch (plan.state) {
    case 'dropped':
      return `each ${until}`;
    case 'approved': {
      const isLeft = items.some(({ state }) => state === 'approved');
      const late = `what was not written in time is held again: ${OPENED_ANEW}`;
      const approved = expired ? late : 'what was approved is written once';
      return [...(isLeft ? [approved] : []), ...(refused ? [`what was excepted ${until}`] : [])].join('; ');
    }
    case 'open':
      if (expired) return `nothing of it can be approved any more: ${OPENED_ANEW}`;
      return plan.holdsAll ? `everything of this kind waits: each ${plan.reason}` : 'only these wait, each for itself';
  }
}

export function itemText({ id, flow, key, action, target, before, after, state }: BrakeItem): string {
  const decided = state === 'held' ? '' : ` (${state})`;
  return `${id}  ${action} ${target}: ${before ?? '(unknown)'} -> ${after ?? '(nothing)'}  ${flow}/${key}${decided}`;
}
