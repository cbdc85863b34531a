import { rankOf } from './status.ts';

export type StrategyName = 'fulfilled-quantity' | 'submitted-available' | 'submitted-quantity';

/**
 * One of the three recommended inventory procedures (spec 1, Inventory setting rules, 5). It fixes from which status
 * orders are exported, which field is written, and when the ERP reserves.
 */
export interface Strategy {
  readonly name: StrategyName;
  readonly exportFromRank: number;
  readonly writes: 'quantity' | 'available_inventory';
  readonly reserveFromRank: number;
}

const SUBMITTED = 1;
const FULFILLED = 3;

export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  'fulfilled-quantity': {
    name: 'fulfilled-quantity',
    exportFromRank: FULFILLED,
    writes: 'quantity',
    reserveFromRank: FULFILLED,
  },
  'submitted-available': {
    name: 'submitted-available',
    exportFromRank: SUBMITTED,
    writes: 'available_inventory',
    reserveFromRank: SUBMITTED,
  },
  'submitted-quantity': {
    name: 'submitted-quantity',
    exportFromRank: SUBMITTED,
    writes: 'quantity',
    reserveFromRank: FULFILLED,
  },
};

export function isExported(strategy: Strategy, status: string): boolean {
  const rank = rankOf(status);
  return rank !== null && rank >= strategy.exportFromRank;
}

export function erpStatusFor(strategy: Strategy, status: string): 'draft' | 'reserved' {
  const rank = rankOf(status);
  return rank !== null && rank >= strategy.reserveFromRank ? 'reserved' : 'draft';
}
