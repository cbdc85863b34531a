import type { Decimal } from './decimal.ts';
import type { Counted } from './units.ts';

/** An ERP line in the wrong unit: 2 cases where 24 units were ordered. */
export interface Miscounted {
  readonly sku: string;
  readonly shown: string;
  readonly ordered: string;
  /** The unit in which the ERP should count its lines. */
  readonly counts: Counted;
}

interface Line {
  readonly sku: string;
  readonly quantity: Decimal;
}

/**
 * Returns the first line that the ERP shows in cases instead of units, or in units instead of cases. null: none.
 * @param multipliers units per case of each ordered line
 */
export function miscountedIn(
  ordered: readonly Line[],
  multipliers: readonly (Decimal | null)[],
  shown: readonly Line[],
  counts: Counted,
): Miscounted | null {
  for (const [at, { sku, quantity }] of ordered.entries()) {
    const there = onlyOf(shown, sku);
    const multiplier = multipliers[at] ?? null;
    if (there === null || multiplier === null || onlyOf(ordered, sku) === null || there.equals(quantity)) continue;
    const meant = counts === 'units' ? there.times(multiplier) : there.dividedBy(multiplier);
    if (meant.equals(quantity)) return { sku, shown: there.toFixed(), ordered: quantity.toFixed(), counts };
  }
  return null;
}

function onlyOf(lines: readonly Line[], sku: string): Decimal | null {
  const own = lines.filter((line) => line.sku === sku);
  return own.length === 1 ? (own[0]?.quantity ?? null) : null;
}

/** `the ERP shows 2 where 24 units of SB-0001 were ordered; 2 is the number of cases` */
export function miscountedText({ sku, shown, ordered, counts }: Miscounted): string {
  const other = counts === 'units' ? 'cases' : 'units';
  return `the ERP shows ${shown} where ${ordered} ${counts} of ${sku} were ordered; ${shown} is the number of ${other}`;
}
