import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/resolve.ts';
import { STRATEGY_LETTERS } from '../config/schema.ts';
import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import type { Log } from '../logging/logging.ts';
import { accountFor, onlyAccount } from '../use/accounts.ts';
import { UsageError } from '../use/faults.ts';
import { csvLine } from '../use/mapping/csv.ts';
import { accountsToPlan, type Plan, type PlannedAccount, planAccount } from '../use/plan.ts';
import { savePlan } from '../use/plan-file.ts';
import { isSingleEntity, type PlanPart, partOf } from '../use/plan-filter.ts';
import { csvOf, PLAN_COLUMNS, type PlanItem } from '../use/plan-item.ts';
import { summaryOf } from '../use/plan-summary.ts';
import { entitiesToRehearse } from '../use/rehearsal/entities-to-rehearse.ts';
import { approveStrategy } from '../use/strategy.ts';
import { workedExample } from '../use/worked-example.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note, print, stream, streamExactly, streamLines } from './output.ts';
import { showHistory } from './plan-history.ts';
import { approvalText, showStrategyChange } from './plan-strategy.ts';
import { itemText, summaryText, unitsText } from './plan-text.ts';
import { createProgress, type Progress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { onStore, type VerbOptions } from './with-store.ts';

export const help = `
Both sides are read first; while a daemon is running, its reads are used. Then the passes are rehearsed on a copy of the
database, until they are quiet: the plan shows every write that follows, also those that follow from a new link. "(new)"
stands for an id that only the write itself brings. When nothing changes meanwhile, "stockbridge sync" writes just that. A
side may still refuse a write. An image that cannot be fetched, or that the listing has already, is not uploaded.

With --out, the plan is saved, and "stockbridge sync --plan FILE" writes what is in it and nothing else.

With --strategy, the changes from the strategy in force follow: the orders that the ERP hears of, and reserves, earlier or
later, and the stock figures that are written. While orders are open, the daemon changes its strategy only after --approve.

With --history, the daemon's record of the ERP's stock and of orders is played again in every way to write stock: with the
ledger, and as a plain push of the ERP's figure less the buffer, each time the figure is read anew. Buyers order the same in
all of them, and a write arrives at once: an event that crosses a write is in none. Under a strategy by which the ERP was not
told, it counts orders as long after it should as it really took. Only the database is read, and nothing is planned: it ends
with 0.

Exit codes: 0 nothing to do, 1 nothing to do but rows of a side cannot be read, 2 something would be written or linked, 69 a
side is down, 75 it was stopped before the end, 77 a side refuses the credentials.

Examples:
  stockbridge plan --summary
  stockbridge plan --sku SB-0001
  stockbridge plan --flow stock --csv
  stockbridge plan --out plan.json
  stockbridge plan --strategy fulfilled-quantity
  stockbridge plan --strategy fulfilled-quantity --approve
  stockbridge plan --history
  stockbridge plan --json | jq 'select(.flow == "stock")'`;

/** `plan`: the writes of a pass and their reasons; writes nothing to either side. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--strategy <name>', 'as if inventory.strategy were this one', parseStrategy)
    .option('--approve', 'approve the change to --strategy while orders are open')
    .option(
      '--history',
      'simulate with the recorded history how much each strategy would have oversold, with the ledger and without',
    )
    .option('--flow <name>', 'of this flow only')
    .option('--sku <sku>', 'of this product only: its SKU, its id on either side, or a beginning of one')
    .option('--order <id>', 'of this order only: its number on either side, or a beginning of one')
    .option('--summary', 'only the totals')
    .option('--out <file>', 'save the plan for "sync --plan"')
    .option('--csv', 'print CSV: one line for each write, hold and alert')
    .option('--json', 'print JSON lines: one for each entity with a difference, and a summary for each account')
    .action(async (options: PlanOptions, plan: Command) => {
      const { account, strategy, approve, history } = options;
      if (history) {
        if (strategy !== undefined || approve) {
          throw new UsageError('--history shows every strategy: leave --strategy and --approve out');
        }
        return onStore(cli, showHistory)(options, plan);
      }
      const { config } = loadFor(plan, cli);
      if (approve && strategy === undefined)
        throw new UsageError('--approve needs --strategy NAME, the strategy to approve');
      const planned = onlyAccount(config, approve ? accountFor(config, account).name : account);
      for (const { name } of strategy === undefined ? [] : planned.accounts) {
        note(cli, `${name}: planned as if its strategy were ${strategy}`);
      }
      cli.exitCode = await planAll(planned, options, quietLog(plan, cli), cli);
    });
}

interface PlanOptions extends VerbOptions, PlanPart {
  readonly summary?: true;
  readonly csv?: true;
  /** Where the plan is saved. */
  readonly out?: string;
  /** Instead of the configured strategy. */
  readonly strategy?: StrategyName;
  readonly approve?: true;
  readonly history?: true;
}

function parseStrategy(text: string): StrategyName {
  const names = Object.keys(STRATEGIES) as StrategyName[];
  const letter = Object.entries(STRATEGY_LETTERS).find(([key]) => key === text)?.[1];
  const found = letter ?? names.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Strategies are ${names.join(', ')}, or a, b, c.`);
  return found;
}

/** Prints every account's plan. @returns whether there is something to do, as exit code */
export async function planAll(config: Config, options: PlanOptions, log: Log, cli: Cli): Promise<ExitCode> {
  const { strategy, approve, json = false, out } = options;
  return interruptibly(async (signal) => {
    const progress = createProgress(cli);
    const daemons: string[] = [];
    const watch = {
      signal,
      isOfOne: isSingleEntity(options),
      onDaemon: (process: string) => {
        daemons.push(process);
        note(cli, `a daemon is running (process ${process}): planned from what it has read`);
      },
      onStep: progress.step,
    };
    const found: PlanItem[] = [];
    let unread = 0;
    const madeAt = new Date();
    if (options.csv) print(cli, csvLine(PLAN_COLUMNS));
    try {
      for await (const account of accountsToPlan(config, log, watch)) {
        const { items, invalidRows } = await showPlan(cli, account, options, signal, progress);
        found.push(...items);
        unread += invalidRows.count;
        if (strategy === undefined) continue;
        await showStrategyChange(cli, account, strategy, { signal, json });
        if (approve) note(cli, approvalText(account, strategy, await approveStrategy(account, strategy)));
      }
    } finally {
      progress.end();
    }
    if (out !== undefined) {
      savePlan(out, madeAt, found);
      const [daemon] = daemons;
      const first = daemon === undefined ? '' : `end the daemon (process ${daemon}), then: `;
      note(cli, `Saved as ${out}. To write it: ${first}stockbridge sync --plan ${out}`);
    }
    if (found.some(({ actions }) => actions.length > 0)) return EXIT.changes;
    return unread > 0 ? EXIT.failed : EXIT.ok;
  });
}

function otherWaitingText(account: string, beside: number): string {
  const others = beside === 1 ? '1 other entity waits' : `${beside} other entities wait`;
  return `${account}: ${others} for a look. Brakes count their writes together with these: "stockbridge plan" shows which are held`;
}

async function showPlan(
  cli: Cli,
  account: PlannedAccount,
  { strategy, json, csv, summary, ...part }: PlanOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<Plan> {
  let looked = 0;
  let left = 0;
  const onPending = (pending: number) => {
    left = pending;
    progress.step({ account: account.account, step: 'rehearsing', pending });
  };
  const onLook = (flow: string) => {
    looked += 1;
    if (left === 0) progress.show(`${account.account}: rehearsing, ${flow} ${looked}`);
  };
  const { includes, asked } = await partOf(account, part);
  const only = asked === null ? null : await entitiesToRehearse(account, asked);
  const whole = await planAccount(account, { strategy, only, signal, onLook, onPending });
  const items = whole.items.filter(includes);
  progress.end();
  if (whole.beside > 0) note(cli, otherWaitingText(account.account, whole.beside));
  const shown = { ...whole, items };
  const totals = summaryOf(account.account, shown);
  const linesOf = (item: PlanItem) =>
    json ? [JSON.stringify(item)] : csv ? csvOf(item) : ['', ...itemText(cli, item)];
  if (!json && !csv && !(await streamLines(cli, summaryText(cli, totals, summary === true)))) return shown;
  const units = json || csv || only !== null || totals.writes === 0 ? null : await workedExample(account);
  if (units !== null && !(await streamLines(cli, unitsText(units)))) return shown;
  for (const item of summary ? [] : items) {
    if (!(await streamLines(cli, linesOf(item), csv && !json ? streamExactly : stream))) return shown;
  }
  if (json) await stream(cli, JSON.stringify(totals));
  return shown;
}
