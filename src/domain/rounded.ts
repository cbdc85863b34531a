import { Decimal } from './decimal.ts';

/** A figure as it was sent, and as it is shown. */
export interface Pair {
  readonly sent: Decimal;
  readonly shown: Decimal;
}

/**
 * How many decimals are kept of these figures, when each of them is shown as it was sent, or nearly so with fewer decimals. null: the
 * figures differ in another way, or not at all.
 */
export function decimalsKept(pairs: readonly Pair[]): number | null {
  const kept = Math.max(0, ...pairs.map(({ shown }) => shown.decimalPlaces()));
  const step = new Decimal(10).pow(-kept);
  const isRounded = ({ sent, shown }: Pair) => sent.decimalPlaces() > kept && sent.minus(shown).abs().lessThan(step);
  const apart = pairs.filter(({ sent, shown }) => !sent.equals(shown));
  return apart.length > 0 && apart.every(isRounded) ? kept : null;
}
