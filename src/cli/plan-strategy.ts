import { counted } from '../domain/counted.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { PlannedAccount } from '../use/plan.ts';
import { type Approval, type Comparison, compareStrategies } from '../use/strategy.ts';
import type { StrategyChange } from '../use/strategy-changes.ts';
import { type Cli, paint, streamLines } from './output.ts';
import { entry, wrap } from './table.ts';

/** The most shown of each kind; `--json` shows all. */
const SHOWN = 10;
const WIDTH = 80;

/** Shows what changes between the active strategy and another. */
export async function showStrategyChange(
  cli: Cli,
  context: PlannedAccount,
  to: StrategyName,
  { signal, json }: { signal: AbortSignal; json: boolean },
): Promise<void> {
  const { account } = context;
  const shown = { order: 0, stock: 0, unknown: 0 };
  const textOf = (one: Comparison): string[] => {
    if (one.kind === 'between') return [`${paint(cli, cli.stdout, 'bold', account)}: ${betweenText(one)}`];
    if (one.kind === 'sum') return one.from === to ? [] : sumText(one);
    shown[one.kind] += 1;
    return shown[one.kind] <= SHOWN ? changeText(one) : [];
  };
  for await (const one of compareStrategies(context, to, signal)) {
    const lines = json ? jsonOf(account, to, one).map((value) => JSON.stringify(value)) : textOf(one);
    if (!(await streamLines(cli, lines))) return;
  }
}

function jsonOf(account: string, to: StrategyName, one: Comparison): object[] {
  if (one.kind === 'between') return [];
  if (one.kind !== 'sum') return [{ account, whatIf: to, ...one }];
  const { from, openOrders, standing, counts } = one;
  return [{ account, from, to, openOrders, needsApproval: standing.kind === 'waits', ...counts }];
}

function betweenText({ from, to, inForce, configured }: Extract<Comparison, { kind: 'between' }>): string {
  return from === to ? sameText(to, inForce, configured) : `from ${from} to ${to}`;
}

function sameText(to: StrategyName, inForce: StrategyName | null, configured: StrategyName): string {
  if (inForce === null) return `${to} is configured and no strategy is active yet: nothing would change`;
  const other = configured === to ? '' : `, while the configuration names ${configured}`;
  return `${to} is active already${other}: nothing would change`;
}

function changeText(change: StrategyChange): string[] {
  const lines = (text: string) => entry(text, WIDTH, '    ');
  if (change.kind === 'unknown') return [`  ${change.what}: cannot be told`, ...lines(change.reason)];
  if (change.kind === 'stock') {
    const head = `  listing ${change.listingId} (${change.sku}): ${change.before} -> ${change.after}`;
    return [head, ...lines(`buyers can take ${change.available.toFixed()} with both`)];
  }
  const head = `  order ${change.number}, ${change.status}: ${change.before} -> ${change.after}`;
  return [head, ...lines(`${change.now}; ${change.units.toFixed()} units`)];
}

function sumText({ to, counts: summary, openOrders, standing }: Extract<Comparison, { kind: 'sum' }>): string[] {
  const orders = (number: number, what: string) => `${counted(number, 'order')} ${what}`;
  const lines = [
    ...(summary.exportedEarlier > 0 ? [orders(summary.exportedEarlier, 'exported earlier')] : []),
    ...(summary.exportedLater > 0 ? [orders(summary.exportedLater, 'exported later')] : []),
    ...(summary.reservedEarlier > 0 ? [orders(summary.reservedEarlier, 'reserved in the ERP earlier')] : []),
    ...(summary.reservedLater > 0 ? [orders(summary.reservedLater, 'reserved in the ERP later')] : []),
    ...(summary.stock > 0 ? [`${counted(summary.stock, 'listing')} with another figure written`] : []),
    ...(summary.unknown > 0 ? [`${counted(summary.unknown, 'listing')} whose stock is unknown`] : []),
    standing.kind === 'comes'
      ? `${standing.why}: there is nothing to approve`
      : `${orders(openOrders, openOrders === 1 ? 'is open' : 'are open')}: the change ` +
        `needs an approval, plan --strategy ${to} --approve`,
  ];
  return lines.flatMap((line) => wrap(line, WIDTH, '  '));
}

export function approvalText(
  { account, config }: Pick<PlannedAccount, 'account' | 'config'>,
  to: StrategyName,
  approval: Approval,
): string {
  if (approval.outcome === 'in-force') return `${account}: ${to} is active already: there is nothing to approve`;
  if (approval.outcome !== 'approved') {
    return `${account}: no order began under another strategy, so there is nothing to approve`;
  }
  const next =
    config.inventory.strategy === to
      ? 'a daemon that has this strategy configured switches at its next write, any other after a restart'
      : `set inventory.strategy to ${to} and start the daemon again`;
  return `${account}: the change from ${approval.from} to ${to} is approved for a day: ${next}`;
}
