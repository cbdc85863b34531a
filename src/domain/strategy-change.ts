import { type Cause, cause } from './causes/cause.ts';
import { counted } from './counted.ts';
import type { StrategyName } from './strategy.ts';

export interface StrategyFacts {
  readonly configured: StrategyName;
  /** null: nothing has been written yet. */
  readonly inForce: StrategyName | null;
  /** The strategy that an operator approved. null: none, or the approval has expired. */
  readonly approved: StrategyName | null;
  /** Orders that are submitted or accepted, or exported and not shipped. */
  readonly openOrders: number;
}

export type StrategyStanding =
  | { readonly kind: 'in-force' }
  | { readonly kind: 'comes'; readonly why: string }
  /** Until the configured strategy is active, no stock is written and no order is exported. */
  | { readonly kind: 'waits'; readonly cause: Cause };

/**
 * Decides whether the configured strategy may be activated. The active one decided which open orders are exported and
 * reserved. Another strategy would treat them differently, so a person checks `plan` first.
 */
export function strategyStanding({ configured, inForce, approved, openOrders }: StrategyFacts): StrategyStanding {
  if (inForce === configured) return { kind: 'in-force' };
  if (inForce === null) return { kind: 'comes', why: 'it is the first one' };
  if (openOrders === 0) return { kind: 'comes', why: 'no order is open' };
  const open = `${counted(openOrders, 'order')} ${openOrders === 1 ? 'is' : 'are'} open`;
  if (approved === configured) return { kind: 'comes', why: `${open}, and the change was approved` };
  return { kind: 'waits', cause: cause('strategy-waits', { inForce, configured, open: openOrders }) };
}
