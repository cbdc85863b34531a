import { Decimal } from './decimal.ts';

export interface Pair {
  readonly sent: Decimal;
  readonly shown: Decimal;
}

/**
 * Returns how many decimals the side stores, if rounding explains every difference. null: it does not, or there is no
 * difference.
 */
export function storedDecimals(pairs: readonly Pair[]): number | null {
  const kept = Math.max(0, ...pairs.map(({ shown }) => shown.decimalPlaces()));
  const step = new Decimal(10).pow(-kept);
  const isRounded = ({ sent, shown }: Pair) => sent.decimalPlaces() > kept && sent.minus(shown).abs().lessThan(step);
  const apart = pairs.filter(({ sent, shown }) => !sent.equals(shown));
  return apart.length > 0 && apart.every(isRounded) ? kept : null;
}
