import type { UnmeasuredMove } from '../../../domain/causes/writes.ts';
import { Decimal, parseDecimal } from '../../../domain/decimal.ts';
import { decimalText } from '../../../http/json.ts';
import { showFields, type WireFields } from '../../engine/fields.ts';
import type { Braked } from '../../engine/policy.ts';

/** Fields that change all prices of a customer. Each is a separate write, under the brake of prices. */
export const PRICE_FIELDS = ['discount_percent', 'price_schedule_id'] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** Describes a write of one of these fields, and measures it for the brake. */
export function pricesMoved(
  name: PriceField,
  shown: WireFields,
  wanted: WireFields,
): { readonly before: string; readonly after: string } & Braked {
  if (name === 'price_schedule_id') {
    const [before, after] = [showFields([name], shown), showFields([name], wanted)];
    return { before, after, brake: 'price', changePercent: 'by-schedule' };
  }
  const [before, after] = [paidPercent(shown[name]), paidPercent(wanted[name])];
  if (after === null) throw new Error(`invariant: a discount that is written is a decimal: ${String(wanted[name])}`);
  const words = { before: inWords(before, shown), after: inWords(after, wanted), priceAmount: after };
  return { ...words, brake: 'price', changePercent: movedFrom(before, after) };
}

function movedFrom(before: Decimal | null, after: Decimal): Decimal | UnmeasuredMove {
  if (before === null) return 'from-unknown';
  return before.isZero() ? 'from-nothing' : after.minus(before).dividedBy(before).times(100);
}

/** The percentage of each price that the customer pays. null: the discount is unknown. */
function paidPercent(discount: unknown): Decimal | null {
  if (discount === null) return new Decimal(100);
  const percent = parseDecimal(decimalText(discount) ?? '');
  return percent === null ? null : new Decimal(100).minus(percent);
}

/** The text starts with the figure, which the brake compares with that of a day ago. */
function inWords(paid: Decimal | null, fields: WireFields): string {
  const shown = showFields(['discount_percent'], fields);
  return paid === null ? shown : `${paid.toFixed()} % of each price (${shown})`;
}
