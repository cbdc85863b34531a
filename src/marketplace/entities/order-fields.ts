import type { z } from 'zod';
import { shownAmount, shownDecimalOrNone } from '../operations/wire.ts';
import { field } from './amounts.ts';

/**
 * The fields of an order whose names differ between deployments, each with its place in an order: `freight`, or `totals.freight`.
 * The documents show the discount alone.
 */
export interface OrderFields {
  readonly discount: string;
  /** Says whether the discount is an amount or a percentage; null: it is always an amount. */
  readonly discountType: string | null;
  readonly shipping: string;
  readonly tax: string;
  readonly total: string;
  readonly deliveryAddress: string;
  /** null: the deployment shows none. */
  readonly requestedDate: string | null;
}

/** The places in deployments that are known from elsewhere. */
export const ORDER_FIELDS: OrderFields = {
  discount: 'discount_amount',
  discountType: null,
  shipping: 'shipping_charge',
  tax: 'tax_amount',
  total: 'total',
  deliveryAddress: 'delivery_address',
  requestedDate: null,
};

/** The value at a place; undefined when there is none. */
export function valueAt(row: unknown, place: string): unknown {
  return place.split('.').reduce(field, row);
}

const AMOUNTS = ['discount', 'shipping', 'tax', 'total'] as const;

const DISCOUNT_TYPES = {
  percent: /^(%|percent(age)?)$/i,
  amount: /^(\$|(dollars?|(fixed|flat)?[ _-]?amount|fixed|flat|money))?$/i,
};

/** Is the discount of an order a percentage of its lines? null: nobody knows, since its type has another word for it. */
export function isPercentage(row: unknown, { discountType }: Pick<OrderFields, 'discountType'>): boolean | null {
  const type = discountType === null ? null : (valueAt(row, discountType) ?? null);
  if (type === null) return false;
  if (typeof type !== 'string') return null;
  if (DISCOUNT_TYPES.percent.test(type)) return true;
  return DISCOUNT_TYPES.amount.test(type) ? false : null;
}

/** An order whose amounts can be read. One that is shown and cannot be read is not known, and never 0. */
export function withAmounts<Order extends z.ZodType>(order: Order, fields: OrderFields): Order {
  return order.superRefine((row, context) => {
    for (const name of AMOUNTS) {
      const shown = valueAt(row, fields[name]);
      if (shown === undefined || shown === null) continue;
      if ([shownAmount, shownDecimalOrNone].some((schema) => schema.safeParse(shown).success)) continue;
      const message = `expected an amount (marketplace.fields.order.${name} names this field)`;
      context.addIssue({ code: 'custom', path: fields[name].split('.'), message });
    }
    if (fields.discountType === null || isPercentage(row, fields) !== null) return;
    const message = 'expected percent or amount (marketplace.fields.order.discount_type names this field)';
    context.addIssue({ code: 'custom', path: fields.discountType.split('.'), message });
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** An object with these values, each at its place. */
export function objectWith(...values: readonly (readonly [place: string, value: unknown])[]): Fields {
  return values.reduce<Fields>((object, [place, value]) => withAt(object, place.split('.'), value), {});
}

function withAt(object: Fields, [name = '', ...below]: readonly string[], value: unknown): Fields {
  const inner = object[name] ?? {};
  return { ...object, [name]: below.length === 0 ? value : withAt(inner as Fields, below, value) };
}
