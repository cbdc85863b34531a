import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import { type StrategyChange, strategyChanges } from '../producers/strategy-changes.ts';
import type { AccountContext } from '../reconcile/context.ts';
import { standingOf } from '../reconcile/strategy-change.ts';
import { type Cli, note, paint, stream, streamLines } from './output.ts';
import { wrap } from './table.ts';

/** How many of each kind are shown to a person; `--json` shows all. */
const SHOWN = 10;
const WIDTH = 80;

interface Counts {
  exportedEarlier: number;
  exportedLater: number;
  reservedEarlier: number;
  reservedLater: number;
  stock: number;
  unknown: number;
}

/** Shows what changes from the account's strategy to the one it is planned with. Answers how many orders are open. */
export async function showStrategyChange(
  cli: Cli,
  context: AccountContext,
  other: AccountContext,
  { signal, json }: { signal: AbortSignal; json: boolean },
): Promise<number> {
  const { account } = context;
  const [from, to] = [context.config.inventory.strategy, other.config.inventory.strategy];
  const counts: Counts = {
    exportedEarlier: 0,
    exportedLater: 0,
    reservedEarlier: 0,
    reservedLater: 0,
    stock: 0,
    unknown: 0,
  };
  const shown = { order: 0, stock: 0, unknown: 0 };
  if (!json) await stream(cli, `${paint(cli, cli.stdout, 'bold', account)}: from ${from} to ${to}`);
  for await (const change of strategyChanges(context, other, signal)) {
    count(counts, change);
    shown[change.kind] += 1;
    const lines = json
      ? [JSON.stringify({ account, whatIf: to, ...change })]
      : shown[change.kind] <= SHOWN
        ? changeText(change)
        : [];
    if (!(await streamLines(cli, lines))) break;
  }
  const openOrders = await context.store.strategies.openOrders(account);
  const { kind } = await standingOf(context, to);
  const summary = { account, from, to, openOrders, needsApproval: kind === 'waits', ...counts };
  await streamLines(cli, json ? [JSON.stringify(summary)] : summaryText(summary));
  return openOrders;
}

function count(counts: Counts, change: StrategyChange): void {
  if (change.kind === 'stock') counts.stock += 1;
  else if (change.kind === 'unknown') counts.unknown += 1;
  else {
    if (change.exported === 'earlier') counts.exportedEarlier += 1;
    if (change.exported === 'later') counts.exportedLater += 1;
    if (change.reserved === 'earlier') counts.reservedEarlier += 1;
    if (change.reserved === 'later') counts.reservedLater += 1;
  }
}

function changeText(change: StrategyChange): string[] {
  const lines = (text: string) => wrap(text, WIDTH, '    ');
  if (change.kind === 'unknown') return [`  ${change.what}: cannot be told`, ...lines(change.reason)];
  if (change.kind === 'stock') {
    const head = `  listing ${change.listingId} (${change.sku}): ${change.before} -> ${change.after}`;
    return [head, ...lines(`buyers can take ${change.available.toFixed()} with both`)];
  }
  const head = `  order ${change.number}, ${change.status}: ${change.before} -> ${change.after}`;
  return [head, ...lines(`${change.now}; ${change.units.toFixed()} units`)];
}

function summaryText(summary: Counts & { to: StrategyName; openOrders: number; needsApproval: boolean }): string[] {
  const { to, openOrders, needsApproval } = summary;
  const orders = (number: number, what: string) => `${number} ${number === 1 ? 'order' : 'orders'} ${what}`;
  const listings = (number: number) => `${number} ${number === 1 ? 'listing' : 'listings'}`;
  const lines = [
    ...(summary.exportedEarlier > 0 ? [orders(summary.exportedEarlier, 'exported earlier')] : []),
    ...(summary.exportedLater > 0 ? [orders(summary.exportedLater, 'exported later')] : []),
    ...(summary.reservedEarlier > 0 ? [orders(summary.reservedEarlier, 'reserved in the ERP earlier')] : []),
    ...(summary.reservedLater > 0 ? [orders(summary.reservedLater, 'reserved in the ERP later')] : []),
    ...(summary.stock > 0 ? [`${listings(summary.stock)} with another figure written`] : []),
    ...(summary.unknown > 0 ? [`${listings(summary.unknown)} of which it cannot be told`] : []),
    openOrders === 0
      ? 'no order is open: the change needs no approval'
      : `${orders(openOrders, openOrders === 1 ? 'is open' : 'are open')}: the change ` +
        (needsApproval ? `needs an approval, plan --strategy ${to} --approve` : 'needs no (more) approval'),
  ];
  return lines.flatMap((line) => wrap(line, WIDTH, '  '));
}

/** Puts the approval of another strategy on record; says so when there is nothing to approve. */
export async function approveStrategy(
  cli: Cli,
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  to: StrategyName,
  { openOrders, by }: { openOrders: number; by: string },
): Promise<void> {
  const inForce = await store.strategies.inForce(account);
  if (inForce === to) return note(cli, `${account}: ${to} is in force already: there is nothing to approve`);
  if (inForce === null || openOrders === 0) {
    return note(cli, `${account}: no order was begun by another strategy: there is nothing to approve`);
  }
  await store.strategies.approve(account, STRATEGIES[to].name, by);
  note(
    cli,
    `${account}: the change from ${inForce} to ${to} is approved for a day: set inventory.strategy to ${to} and start ` +
      'the daemon again',
  );
}
