import type { AccountConfig } from '../config/resolve.ts';
import { shownCause } from '../domain/causes/cause.ts';
import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import type { StrategyStanding } from '../domain/strategy-change.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { standingOf, strategyOf } from '../flows/engine/strategy-change.ts';
import { operatorName } from '../machine/operator.ts';
import type { AccountRecords } from '../shadow/context.ts';
import type { Store } from '../store/store.ts';
import type { Need } from './needs.ts';
import { type StrategyChange, strategyChanges } from './strategy-changes.ts';

export interface StrategyStatus {
  /** null: nothing written yet. */
  readonly inForce: StrategyName | null;
  readonly configured: StrategyName;
  readonly standing: StrategyStanding;
}

export async function strategyStatus({ name, inventory }: AccountConfig, store: Store): Promise<StrategyStatus> {
  const { strategy: configured } = inventory;
  const { inForce, standing } = await strategyOf({ account: name, store }, configured);
  return { inForce, configured, standing };
}

/** A change of strategy that needs approval. */
export function strategyNeeds({ inForce, configured, standing }: StrategyStatus): Need[] {
  if (standing.kind !== 'waits') return [];
  const about = `${inForce} to ${configured}`;
  const example = { key: 'inventory.strategy', ...shownCause(standing.cause) };
  return [
    { kind: 'strategy', about, shared: null, count: 1, firstMs: null, lastMs: null, example, first: null, away: null },
  ];
}

/** With another strategy and its stock field. */
export function withStrategy(context: AccountContext, strategy: StrategyName): AccountContext {
  const { inventory } = context.config;
  if (strategy === inventory.strategy) return context;
  const both =
    strategy === 'submitted-available'
      ? ({ strategy, write: 'available_inventory' } as const)
      : ({ strategy, write: 'quantity' } as const);
  return { ...context, config: { ...context.config, inventory: { ...inventory, ...both } } };
}

const NONE = { exportedEarlier: 0, exportedLater: 0, reservedEarlier: 0, reservedLater: 0, stock: 0, unknown: 0 };
type ChangeCounts = typeof NONE;

/** The two names, each change, and the totals. */
export type Comparison =
  | {
      readonly kind: 'between';
      readonly from: StrategyName;
      readonly to: StrategyName;
      readonly inForce: StrategyName | null;
      readonly configured: StrategyName;
    }
  | StrategyChange
  | {
      readonly kind: 'sum';
      readonly from: StrategyName;
      readonly to: StrategyName;
      readonly counts: Readonly<ChangeCounts>;
      readonly openOrders: number;
      readonly standing: StrategyStanding;
    };

/** Compares the active strategy, or else the configured one, with another. */
export async function* compareStrategies(
  context: AccountContext,
  to: StrategyName,
  signal: AbortSignal,
): AsyncGenerator<Comparison> {
  const { account, store } = context;
  const configured = context.config.inventory.strategy;
  const inForce = await store.strategies.inForce(account);
  const from = inForce ?? configured;
  yield { kind: 'between', from, to, inForce, configured };
  const counts = { ...NONE };
  for await (const change of strategyChanges(withStrategy(context, from), withStrategy(context, to), signal)) {
    count(counts, change);
    yield change;
  }
  const openOrders = await store.strategies.openOrders(account);
  yield { kind: 'sum', from, to, counts, openOrders, standing: await standingOf(context, to) };
}

function count(counts: ChangeCounts, change: StrategyChange): void {
  if (change.kind === 'stock') counts.stock += 1;
  else if (change.kind === 'unknown') counts.unknown += 1;
  else {
    if (change.exported === 'earlier') counts.exportedEarlier += 1;
    if (change.exported === 'later') counts.exportedLater += 1;
    if (change.reserved === 'earlier') counts.reservedEarlier += 1;
    if (change.reserved === 'later') counts.reservedLater += 1;
  }
}

/** No approval is needed for the active strategy, or if no order began under another. */
export type Approval =
  | { readonly outcome: 'in-force' }
  | { readonly outcome: 'no-orders' }
  | { readonly outcome: 'approved'; readonly from: StrategyName };

export async function approveStrategy(
  { account, store }: Pick<AccountRecords, 'account' | 'store'>,
  to: StrategyName,
): Promise<Approval> {
  const inForce = await store.strategies.inForce(account);
  if (inForce === to) return { outcome: 'in-force' };
  if (inForce === null || (await store.strategies.openOrders(account)) === 0) return { outcome: 'no-orders' };
  await store.strategies.approve(account, STRATEGIES[to].name, operatorName());
  return { outcome: 'approved', from: inForce };
}
