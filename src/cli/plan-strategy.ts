import { counted } from '../domain/counted.ts';
import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import type { StrategyStanding } from '../domain/strategy-change.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { standingOf } from '../flows/engine/strategy-change.ts';
import { type StrategyChange, strategyChanges } from '../use/strategy-changes.ts';
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

/** The same account with another strategy, and the stock that goes with it. */
export function withStrategy(context: AccountContext, strategy: StrategyName): AccountContext {
  const { inventory } = context.config;
  if (strategy === inventory.strategy) return context;
  const both =
    strategy === 'submitted-available'
      ? ({ strategy, write: 'available_inventory' } as const)
      : ({ strategy, write: 'quantity' } as const);
  return { ...context, config: { ...context.config, inventory: { ...inventory, ...both } } };
}

/**
 * Shows what changes from the strategy in force to another one; before any is in force, from the configured one. Answers how
 * many orders are open.
 */
export async function showStrategyChange(
  cli: Cli,
  context: AccountContext,
  to: StrategyName,
  { signal, json }: { signal: AbortSignal; json: boolean },
): Promise<number> {
  const { account, store } = context;
  const configured = context.config.inventory.strategy;
  const inForce = await store.strategies.inForce(account);
  const from = inForce ?? configured;
  const counts: Counts = {
    exportedEarlier: 0,
    exportedLater: 0,
    reservedEarlier: 0,
    reservedLater: 0,
    stock: 0,
    unknown: 0,
  };
  const shown = { order: 0, stock: 0, unknown: 0 };
  const name = paint(cli, cli.stdout, 'bold', account);
  if (!json) await stream(cli, `${name}: ${from === to ? sameText(to, inForce, configured) : `from ${from} to ${to}`}`);
  const [before, after] = [withStrategy(context, from), withStrategy(context, to)];
  for await (const change of strategyChanges(before, after, signal)) {
    count(counts, change);
    shown[change.kind] += 1;
    const lines = json
      ? [JSON.stringify({ account, whatIf: to, ...change })]
      : shown[change.kind] <= SHOWN
        ? changeText(change)
        : [];
    if (!(await streamLines(cli, lines))) break;
  }
  const openOrders = await store.strategies.openOrders(account);
  const standing = await standingOf(context, to);
  const summary = { account, from, to, openOrders, needsApproval: standing.kind === 'waits', ...counts };
  if (json) await stream(cli, JSON.stringify(summary));
  else if (from !== to) await streamLines(cli, summaryText(summary, standing));
  return openOrders;
}

function sameText(to: StrategyName, inForce: StrategyName | null, configured: StrategyName): string {
  if (inForce === null) return `${to} is configured, and none is in force yet: nothing would change`;
  const other = configured === to ? '' : `, while the configuration names ${configured}`;
  return `${to} is in force already${other}: nothing would change`;
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

function summaryText(summary: Counts & { to: StrategyName; openOrders: number }, standing: StrategyStanding): string[] {
  const { to, openOrders } = summary;
  const orders = (number: number, what: string) => `${counted(number, 'order')} ${what}`;
  const lines = [
    ...(summary.exportedEarlier > 0 ? [orders(summary.exportedEarlier, 'exported earlier')] : []),
    ...(summary.exportedLater > 0 ? [orders(summary.exportedLater, 'exported later')] : []),
    ...(summary.reservedEarlier > 0 ? [orders(summary.reservedEarlier, 'reserved in the ERP earlier')] : []),
    ...(summary.reservedLater > 0 ? [orders(summary.reservedLater, 'reserved in the ERP later')] : []),
    ...(summary.stock > 0 ? [`${counted(summary.stock, 'listing')} with another figure written`] : []),
    ...(summary.unknown > 0 ? [`${counted(summary.unknown, 'listing')} of which it cannot be told`] : []),
    standing.kind === 'comes'
      ? `${standing.why}: there is nothing to approve`
      : `${orders(openOrders, openOrders === 1 ? 'is open' : 'are open')}: the change ` +
        `needs an approval, plan --strategy ${to} --approve`,
  ];
  return lines.flatMap((line) => wrap(line, WIDTH, '  '));
}

/** Puts the approval of another strategy on record; says so when there is nothing to approve. */
export async function approveStrategy(
  cli: Cli,
  { account, store, config }: Pick<AccountContext, 'account' | 'store' | 'config'>,
  to: StrategyName,
  { openOrders, by }: { openOrders: number; by: string },
): Promise<void> {
  const inForce = await store.strategies.inForce(account);
  if (inForce === to) return note(cli, `${account}: ${to} is in force already: there is nothing to approve`);
  if (inForce === null || openOrders === 0) {
    return note(cli, `${account}: no order was begun by another strategy: there is nothing to approve`);
  }
  await store.strategies.approve(account, STRATEGIES[to].name, by);
  const next =
    config.inventory.strategy === to
      ? 'a daemon that was started with it changes at its next write, any other once it is started again'
      : `set inventory.strategy to ${to} and start the daemon again`;
  note(cli, `${account}: the change from ${inForce} to ${to} is approved for a day: ${next}`);
}
