import { type Cause, cause } from './causes/cause.ts';
import { counted } from './counted.ts';
import type { StrategyName } from './strategy.ts';

/** The strategy by which an account's open orders are kept, and the strategy that the configuration names. */
export interface StrategyFacts {
  readonly configured: StrategyName;
  /** null: nothing has been written yet. */
  readonly inForce: StrategyName | null;
  /** The strategy that an operator approved; null when there is none, or it was too long ago. */
  readonly approved: StrategyName | null;
  /** The number of orders that are submitted or accepted, or are exported and not shipped. */
  readonly openOrders: number;
}

export type StrategyStanding =
  | { readonly kind: 'in-force' }
  /** The configured strategy comes into force now. `why` says why it may. */
  | { readonly kind: 'comes'; readonly why: string }
  /** The configured strategy waits. Until then, no stock is written and no order is exported. */
  | { readonly kind: 'waits'; readonly cause: Cause };

/**
 * May the configured strategy be applied? The previous strategy decided which open orders are exported to the ERP and reserved
 * there. Another strategy would have decided otherwise, so a person looks at `plan` first.
 */
export function strategyStanding({ configured, inForce, approved, openOrders }: StrategyFacts): StrategyStanding {
  if (inForce === configured) return { kind: 'in-force' };
  if (inForce === null) return { kind: 'comes', why: 'it is the first one' };
  if (openOrders === 0) return { kind: 'comes', why: 'no order is open' };
  const open = `${counted(openOrders, 'order')} ${openOrders === 1 ? 'is' : 'are'} open`;
  if (approved === configured) return { kind: 'comes', why: `${open}, and the change was approved` };
  return { kind: 'waits', cause: cause('strategy-waits', { inForce, configured, open: openOrders }) };
}
