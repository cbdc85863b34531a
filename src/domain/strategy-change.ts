import { type Cause, cause } from './causes/cause.ts';
import { counted } from './counted.ts';
import type { StrategyName } from './strategy.ts';

/** The strategy that an account's open orders are kept by, and the one that the configuration names. */
export interface StrategyFacts {
  readonly configured: StrategyName;
  /** null: nothing has been written yet. */
  readonly inForce: StrategyName | null;
  /** The strategy that an operator approved; null when there is none, or it was too long ago. */
  readonly approved: StrategyName | null;
  /** Submitted or accepted, or exported and not shipped. */
  readonly openOrders: number;
}

export type StrategyStanding =
  | { readonly kind: 'in-force' }
  /** It comes into force now, and why it may. */
  | { readonly kind: 'comes'; readonly why: string }
  /** Neither stock is written nor orders are exported. */
  | { readonly kind: 'waits'; readonly cause: Cause };

/**
 * May the configured strategy be applied? Under the previous strategy, open orders were exported to the ERP or not, and
 * reserved there or not. Another strategy would have done otherwise, so a person looks at `plan` first.
 */
export function strategyStanding({ configured, inForce, approved, openOrders }: StrategyFacts): StrategyStanding {
  if (inForce === configured) return { kind: 'in-force' };
  if (inForce === null) return { kind: 'comes', why: 'it is the first one' };
  if (openOrders === 0) return { kind: 'comes', why: 'no order is open' };
  const open = `${counted(openOrders, 'order')} ${openOrders === 1 ? 'is' : 'are'} open`;
  if (approved === configured) return { kind: 'comes', why: `${open}, and the change was approved` };
  return { kind: 'waits', cause: cause('strategy-waits', { inForce, configured, open: openOrders }) };
}
