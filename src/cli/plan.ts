import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/resolve.ts';
import { STRATEGY_LETTERS } from '../config/schema.ts';
import { openCore } from '../core.ts';
import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import type { Planned } from '../flows/engine/decision.ts';
import type { FlowName } from '../flows/engine/flow.ts';
import { createForesight, type Foresee } from '../flows/engine/foresee.ts';
import { strategyHold } from '../flows/engine/strategy-change.ts';
import { brakedOf, type WaitingWrite } from '../flows/engine/waiting-writes.ts';
import { findDifferences, type PlannedKey } from '../flows/resync.ts';
import type { Log } from '../logging.ts';
import { operatorName } from '../operator.ts';
import { acquireLocks, type Lock, LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import { accountFor, accountsFor } from '../use/accounts.ts';
import { UsageError } from '../use/faults.ts';
import { readBothSides } from '../use/sync.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { quietLog } from './log.ts';
import { type Cli, note, stream, streamLines } from './output.ts';
import { showHistory } from './plan-history.ts';
import { approveStrategy, showStrategyChange, withStrategy } from './plan-strategy.ts';
import { itemText, type PlanItem, type PlanSummary, summaryText } from './plan-text.ts';
import { createProgress, type Progress } from './progress.ts';
import { interruptibly } from './signals.ts';

/** `plan`: what a pass would write and why; writes nothing to either side. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--strategy <name>', 'as if inventory.strategy were this one', parseStrategy)
    .option('--approve', 'approve that the daemon changes to --strategy while orders are open')
    .option(
      '--history',
      'how far each strategy would have oversold over what the daemon recorded, with the ledger and without',
    )
    .option('--json', 'print JSON lines: one for each entity that is not in step, and a summary for each account')
    .addHelpText(
      'after',
      `
Both sides are read first; while a daemon is running, what it has read is used. Of each entity the next step is shown:
an order's customer before the order, a new listing before its later stock.

A link is kept in Stockbridge's own database. What it shows to differ is written after it, and planned once it is there.

With --strategy, what would change from the strategy in force is shown after it: which orders the ERP hears of, and
reserves, earlier or later, and which stock figures are written. While orders are open, the daemon changes its strategy only
after --approve.

With --history, what the daemon recorded of the ERP's stock and of orders is played again in every way to write stock: with
the ledger, and as a plain push of the ERP's figure less the buffer each time it is read anew. Buyers order the same in all of
them, and a write arrives at once: what crosses a write is in none. A strategy by which the ERP was not told has it count
orders as long after it should as it really took. Only the database is read, and nothing is planned: it ends with 0.

Exit codes: 0 nothing to do, 2 something would be written or linked, 69 a side is down, 75 it was stopped before
the end, 77 a side refuses the credentials.

Examples:
  stockbridge plan
  stockbridge plan --strategy fulfilled-quantity
  stockbridge plan --strategy fulfilled-quantity --approve
  stockbridge plan --history
  stockbridge plan --json | jq 'select(.flow == "stock")'`,
    )
    .action(async (options: PlanOptions, plan: Command) => {
      const { strategy, approve = false, json = false, history = false } = options;
      if (history) {
        if (strategy !== undefined || approve) {
          throw new UsageError('--history shows every strategy: leave --strategy and --approve out');
        }
        return showHistory(plan, cli, options);
      }
      const { config } = loadFor(plan, cli);
      if (approve && strategy === undefined) throw new UsageError('--approve needs --strategy: what is to be approved');
      const accounts = approve ? [accountFor(config, options.account)] : accountsFor(config, options.account);
      for (const { name } of accounts) {
        if (strategy !== undefined) note(cli, `${name}: planned as if its strategy were ${strategy}`);
      }
      const write = async (value: PlanItem | PlanSummary) => {
        if (json) return stream(cli, JSON.stringify(value));
        return streamLines(cli, 'flow' in value ? itemText(cli, value) : summaryText(cli, value));
      };
      const wanted = { config: { ...config, accounts: [...accounts] }, strategy, approve, json };
      const found = await planAll(wanted, quietLog(plan, cli), cli, write);
      if (found) cli.exitCode = EXIT.changes;
    });
}

interface PlanOptions {
  readonly account?: string;
  readonly strategy?: StrategyName;
  readonly approve?: true;
  readonly history?: true;
  readonly json?: true;
}

/** What is planned. */
interface Wanted {
  readonly config: Config;
  /** Another strategy than that of the configuration. */
  readonly strategy: StrategyName | undefined;
  readonly approve: boolean;
  readonly json: boolean;
}

function parseStrategy(text: string): StrategyName {
  const names = Object.keys(STRATEGIES) as StrategyName[];
  const letter = Object.entries(STRATEGY_LETTERS).find(([key]) => key === text)?.[1];
  const found = letter ?? names.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Strategies are ${names.join(', ')}, or a, b, c.`);
  return found;
}

/** Answers false when nobody reads what is written any more. */
type Write = (value: PlanItem | PlanSummary) => Promise<boolean>;

/** Answers whether anything would be written. */
async function planAll(wanted: Wanted, log: Log, cli: Cli, write: Write): Promise<boolean> {
  const { config } = wanted;
  return interruptibly(async (signal) => {
    const progress = createProgress(cli);
    const lock = lockForReading(config, cli);
    const core = await openCore({ config, log }).catch((error: unknown) => {
      lock?.release();
      throw error;
    });
    try {
      let found = false;
      for (const context of core.accounts.values()) {
        if (lock !== null) await readBothSides(context, signal, (now) => progress.show(`${now.account}: ${now.step}`));
        const summary = await planAs(wanted, cli, context, { signal, progress, write });
        found ||= summary.writes + summary.links > 0;
      }
      return found;
    } finally {
      progress.end();
      await core.close();
      lock?.release();
    }
  });
}

/** Only one process reads into the shadow at a time. null while a daemon does. */
function lockForReading({ state }: Config, cli: Cli): Lock | null {
  try {
    return acquireLocks(state.dir, ['poll', 'work']);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const holder = lockHolder(state.dir, 'work') ?? lockHolder(state.dir, 'poll') ?? 'unknown';
    note(cli, `a daemon is running (process ${holder}): planned from what it has read`);
    return null;
  }
}

interface Planning {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly write: Write;
}

async function planAs(
  { strategy, approve, json }: Wanted,
  cli: Cli,
  context: AccountContext,
  planning: Planning,
): Promise<PlanSummary> {
  if (strategy === undefined) return planAccount(context, planning, (action) => strategyHold(context, action));
  const other = withStrategy(context, strategy);
  // Whether the change may be made at all is said once, below.
  const summary = await planAccount(other, planning, async () => null);
  const openOrders = await showStrategyChange(cli, context, strategy, { signal: planning.signal, json });
  if (approve) await approveStrategy(cli, context, strategy, { openOrders, by: operatorName() });
  return summary;
}

/** @param waits why a write waits for something else than pauses and brakes */
async function planAccount(
  context: AccountContext,
  { signal, progress, write }: Planning,
  waits: (action: Planned) => Promise<string | null>,
): Promise<PlanSummary> {
  const { account } = context;
  const counts = { writes: 0, links: 0, stopped: 0, held: 0, alerts: 0 };
  const actions: Record<string, number> = {};
  let looked = 0;
  const onLook = (flow: string) => progress.show(`${account}: comparing, ${flow} ${++looked}`);
  const foreseen = createForesight(context, await brakedWrites(context, signal, onLook));
  const foresee: Foresee = async (flow, key, action) => (await waits(action)) ?? (await foreseen(flow, key, action));
  for await (const planned of findDifferences(context, signal, onLook)) {
    const item = await itemOf(account, planned, foresee);
    for (const { action, stoppedBy } of item.actions) {
      actions[action] = (actions[action] ?? 0) + 1;
      if (isLink(action)) counts.links += 1;
      else counts.writes += 1;
      if (stoppedBy !== null) counts.stopped += 1;
    }
    if (item.hold !== null) counts.held += 1;
    counts.alerts += item.alerts.length;
    progress.end();
    if (!(await write(item))) break;
  }
  progress.end();
  const summary = { account, ...counts, actions };
  await write(summary);
  return summary;
}

/** What brakes would count in this pass: they judge it as a whole, so it is looked for first. */
async function brakedWrites(
  context: AccountContext,
  signal: AbortSignal,
  onLook: (flow: string) => void,
): Promise<ReadonlyMap<FlowName, WaitingWrite[]>> {
  const found = new Map<FlowName, WaitingWrite[]>();
  for await (const { flow, key, decision } of findDifferences(context, signal, onLook)) {
    const writes = brakedOf(key, decision.actions);
    if (writes.length > 0) found.set(flow, (found.get(flow) ?? []).concat(writes));
  }
  return found;
}

/** Writes to neither side. */
function isLink(action: string): boolean {
  return action.endsWith('.link');
}

async function itemOf(account: string, { flow, key, decision }: PlannedKey, foresee: Foresee): Promise<PlanItem> {
  const actions: PlanItem['actions'][number][] = [];
  for (const planned of decision.actions) {
    const { action, target, before, after, why } = planned;
    actions.push({ action, target, before, after, why, stoppedBy: await foresee(flow, key, planned) });
  }
  return { account, flow, key, actions, hold: decision.hold, alerts: decision.alerts };
}
