import type { Decimal } from './decimal.ts';

/** An amount of money. `amount` is in whole currency units (dollars, not cents), exact. */
export interface Money {
  readonly amount: Decimal;
  /** ISO 4217 code as the other side spells it, e.g. `USD`. */
  readonly currency: string;
}
