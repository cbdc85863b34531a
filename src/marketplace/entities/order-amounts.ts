import type { z } from 'zod';
import { RECORD_FIELDS } from '../operations/record-names.ts';
import { shownAmount, shownDecimalOrNone } from '../operations/wire.ts';
import { field } from './amounts.ts';

const AMOUNTS = ['discount', 'shipping', 'tax', 'total'] as const;

const DISCOUNT_TYPES = {
  percent: /^(%|percent(age)?)$/i,
  amount: /^(\$|(dollars?|(fixed|flat)?[ _-]?amount|fixed|flat|money))?$/i,
};

/** null: an unknown word for the discount type. */
export function isPercentage(row: unknown): boolean | null {
  const type = field(row, RECORD_FIELDS.order.discount_type) ?? null;
  if (type === null) return false;
  if (typeof type !== 'string') return null;
  if (DISCOUNT_TYPES.percent.test(type)) return true;
  return DISCOUNT_TYPES.amount.test(type) ? false : null;
}

/** Requires readable amounts. An amount that is present and unreadable is unknown, never 0. */
export function withAmounts<Order extends z.ZodType>(order: Order): Order {
  return order.superRefine((row, context) => {
    const report = (setting: keyof typeof RECORD_FIELDS.order, expected: string): void => {
      const message = `expected ${expected} (marketplace.fields.order.${setting} names this field)`;
      context.addIssue({ code: 'custom', path: [RECORD_FIELDS.order[setting]], message });
    };
    for (const setting of AMOUNTS) {
      const shown = field(row, RECORD_FIELDS.order[setting]);
      if (shown === undefined || shown === null) continue;
      if ([shownAmount, shownDecimalOrNone].some((schema) => schema.safeParse(shown).success)) continue;
      report(setting, 'an amount');
    }
    if (isPercentage(row) === null) report('discount_type', 'percent or amount');
  });
}
