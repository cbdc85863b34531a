import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { brakeStateText, movedPercent } from '../domain/brake.ts';
import { sentenceOf } from '../domain/causes/cause.ts';
import { counted } from '../domain/counted.ts';
import { moneyText } from '../domain/money-text.ts';
import {
  type ApprovalRequest,
  approvePlan,
  type BrakeItem,
  dropPlan,
  type HeldPlan,
  largestChangesFirst,
  listPlans,
  planToApprove,
  shownItem,
  shownPlan,
  waitingFirst,
} from '../use/brakes.ts';
import { UsageError } from '../use/faults.ts';
import type { Opened } from '../use/open.ts';
import { orderBehindText, ordersBehind } from '../use/order-behind.ts';
import { EXIT } from './exit.ts';
import { type Cli, lineWidth, note, paint, print, printJson, printLines } from './output.ts';
import { NO_BREAK } from './paint.ts';
import { entry, hangingText, shownInstant } from './table.ts';
import { noteWorker, onRecords, onStore, type VerbOptions } from './with-store.ts';

/** The most items of a plan shown; `--all` and `--json` show all. */
const SHOWN = 20;
const WIDEST = 100;
const OPENED_ANEW = 'the next full pass of the daemon or of "stockbridge sync" makes a new plan with another hash';

export const help = `
An approval is bound to the hash: a write that joined the plan after it was shown is not in it. By its number, a plan is shown
first, and somebody has to say yes; without a terminal, give its hash, or --yes. Each write passes once, and only as it was
shown. An excepted or dropped write is held until another value is to be written.

Examples:
  stockbridge brakes list
  stockbridge brakes approve 2
  stockbridge brakes approve 5f3a9c0d1b2e4f67
  stockbridge brakes approve 5f3a9c0d1b2e4f67 --except 3 product/P-000007
  stockbridge brakes drop 2`;

/** `brakes list|approve|drop`: writes that a brake holds for an operator's decision. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('Show the plans that wait for an approval, with each write')
    .option('--account <name>', 'of this account only')
    .option('--all', 'every item, also of long plans')
    .option('--json', 'print JSON')
    .action(onRecords(cli, showPlans));

  command
    .command('approve')
    .description('Approve the writes of a plan')
    .argument('<plan>', 'its hash, or its number for the writes that it holds now')
    .option('--yes', 'do not ask when the plan is named by its number')
    .option('--except <item...>', 'but not these: their numbers, or FLOW/KEY')
    .option('--json', 'print JSON')
    .action(onStore(cli, approve));

  command
    .command('drop')
    .description('Refuse what a plan holds')
    .argument('<plan>', 'its hash, or its number for the writes that it holds now')
    .option('--json', 'print JSON')
    .action(onStore(cli, drop));
}

async function showPlans(cli: Cli, opened: Opened, options: VerbOptions & { all?: true }): Promise<void> {
  const plans = waitingFirst(await listPlans(opened, options.account, Date.now()));
  if (options.json) {
    const orders = await ordersBehind(
      opened,
      plans.flatMap(({ items }) => items),
    );
    return printJson(cli, { plans: plans.map((held) => shownPlan(held, orders)) });
  }
  if (plans.length === 0) print(cli, 'No brake holds anything.');
  for (const held of plans) await printPlan(cli, opened, held, options.all === true);
  for (const { plan, hash, expired } of plans) {
    if (plan.state === 'open' && !expired) {
      note(cli, `To approve plan ${plan.id}: stockbridge brakes approve ${hash}`);
    }
  }
}

async function approve(
  cli: Cli,
  opened: Opened,
  named: string,
  options: VerbOptions & { except?: readonly string[]; yes?: true },
): Promise<void> {
  const { except = [], json } = options;
  const asked = await planToApprove(opened, named, Date.now());
  if (!json && asked.held !== null) await printPlan(cli, opened, asked.held);
  if (!(await isMeant(cli, asked, options))) return;
  // Approves exactly the writes that were shown, not ones that joined the plan later.
  const { plan, hash, approved, vetoed } = await approvePlan(opened, asked.held?.hash ?? named, except);
  if (json) {
    return printJson(cli, { id: plan.id, hash, approved: approved.map(shownItem), excepted: vetoed.map(shownItem) });
  }
  print(cli, `plan ${plan.id} (${hash}): ${approved.length} approved`);
  for (const item of vetoed) print(cli, `  excepted: ${itemText(item)}`);
  noteWorker(cli, opened.config);
}

/** A plan's number does not fix its content, so somebody who saw the plan must confirm. */
async function isMeant(
  cli: Cli,
  { held, isShown }: ApprovalRequest,
  asked: VerbOptions & { yes?: true },
): Promise<boolean> {
  const left = held?.items.filter(({ state }) => state !== 'approved').length ?? 0;
  if (held === null || held.expired || left === 0 || isShown || asked.yes) return true;
  if (cli.confirm === undefined || asked.json) {
    const named = `its hash, ${held.hash}, which stands for what was shown`;
    throw new UsageError(`name plan ${held.plan.id} by ${named}, or add --yes. Nothing was approved`);
  }
  if (await cli.confirm(`Let ${left === 1 ? 'this write' : `these ${left} writes`} go ahead?`)) return true;
  note(cli, 'Nothing was approved.');
  cli.exitCode = EXIT.failed;
  return false;
}

async function drop(cli: Cli, opened: Opened, named: string, { json }: VerbOptions): Promise<void> {
  const { plan, dropped } = await dropPlan(opened, named);
  if (json) printJson(cli, { id: plan.id, dropped: dropped.map(shownItem) });
  else print(cli, `plan ${plan.id}: ${dropped.length} dropped. Each write stays held until its value changes`);
}

async function printPlan(cli: Cli, opened: Opened, shown: HeldPlan, all = false): Promise<void> {
  const { plan, items, hash } = shown;
  const width = lineWidth(cli, WIDEST);
  const of = opened.config.accounts.length > 1 ? ` of ${plan.account}` : '';
  const name = `plan ${plan.id}  ${plan.kind}`;
  const head = `${unbroken(name)}  ${hash}  ${plan.flow}${of}, ${counted(items.length, 'write')}, ${stateText(shown)}`;
  const [first = '', ...more] = hangingText(spaced(head), width, '', '  ');
  print(cli, paint(cli, cli.stdout, plan.state === 'open' ? 'yellow' : 'bold', name) + first.slice(name.length));
  printLines(cli, [...more, ...entry(whatText(shown), width, '  ')]);
  const listed = all ? largestChangesFirst(items) : largestChangesFirst(items).slice(0, SHOWN);
  const orders = await ordersBehind(opened, listed);
  for (const item of listed) {
    printLines(cli, hangingText(spaced(itemText(item)), width, '  ', '     '));
    const order = orders.get(item.id);
    if (order !== undefined) printLines(cli, entry(orderBehindText(order), width, '     '));
    const isOfPlan = plan.state !== 'open' || (plan.holdsAll && isDeepStrictEqual(item.reason, plan.reason));
    if (!isOfPlan) printLines(cli, entry(sentenceOf(item.reason), width, '     '));
  }
  if (listed.length < items.length)
    print(cli, `  and ${items.length - listed.length} more: "stockbridge brakes list --all" shows them`);
}

/** Keeps two spaces together within a line. */
function spaced(text: string): string {
  return text.replaceAll('  ', ` ${NO_BREAK}`);
}

function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK);
}

function stateText({ plan, items, expired }: HeldPlan): string {
  const { state, createdAtMs, expiresAtMs, decidedBy } = plan;
  const over = unbroken(shownInstant(expiresAtMs));
  if (state === 'open') {
    return `since ${unbroken(shownInstant(createdAtMs))}, ${expired ? `expired ${over}` : `to approve until ${over}`}`;
  }
  if (state === 'dropped' || !items.some((item) => item.state === 'approved')) return `${state} by ${decidedBy}`;
  return `approved by ${decidedBy}${expired ? `, expired ${over}` : ` until ${over}`}`;
}

/** What becomes of a plan's writes. */
function whatText({ plan, items, expired }: HeldPlan): string {
  const refused = items.some(({ state }) => state !== 'approved');
  const until = 'stays held until its value changes';
  switch (plan.state) {
    case 'dropped':
      return `each ${until}`;
    case 'approved': {
      const isLeft = items.some(({ state }) => state === 'approved');
      const late = `writes that were not made in time are held again: ${OPENED_ANEW}`;
      const approved = expired ? late : 'each approved write is made once';
      return [...(isLeft ? [approved] : []), ...(refused ? [`what was excepted ${until}`] : [])].join('; ');
    }
    case 'open':
      if (expired) return `it cannot be approved any more: ${OPENED_ANEW}`;
      return plan.holdsAll
        ? `all writes of this kind wait: each ${sentenceOf(plan.reason)}`
        : 'only these wait, each for itself';
  }
}

function itemText({ id, flow, key, action, target, before, after, state }: BrakeItem): string {
  const decided = state === 'held' ? '' : ` (${brakeStateText(state)})`;
  const moved = movedPercent(before, after);
  const by = moved === null ? '' : `, ${moved.isNegative() ? '' : '+'}${moved.toFixed(1)} percent`;
  return `${id}  ${action} ${target}: ${moneyText(before ?? '(unknown)')} -> ${moneyText(after ?? '(nothing)')}${by}  ${flow}/${key}${decided}`;
}
