import { findCustomer } from '../customers.ts';
import { parseInstant } from '../instants.ts';
import type { Market } from '../market.ts';
import type { OrderRow } from '../order-rows.ts';
import { invalid } from '../refusal.ts';
import { type Family, field } from './family.ts';

const DAY_MICROS = 86_400_000_000;

/** Spec 2, Order payment: of an order that there is, in its currency. */
export const orderPayments: Family = {
  name: 'order-payments',
  times: ['created_date', 'modified_date'],
  initial: { payment_date: null, payment_type: 'other' },
  searched: [field('order')],
  filters: {
    created_date_from: (day) => ({ sql: 'created >= ?', values: [startOf('created_date_from', day)] }),
    created_date_to: (day) => ({ sql: 'created < ?', values: [startOf('created_date_to', day) + DAY_MICROS] }),
  },
  take(market, fields) {
    const order = orderOf(market, fields['order']);
    if (!order) throw invalid('order', 'There is no such order.');
    return { ...fields, order: order.number, currency: order.currency };
  },
  show(market, fields) {
    const id = orderOf(market, fields['order'])?.customer;
    const customer = id === undefined ? undefined : findCustomer(market, id);
    return { ...fields, customer: customer === undefined ? null : { id: customer.id, name: customer.name } };
  },
};

function orderOf(market: Market, number: unknown): OrderRow | undefined {
  return market.sql.get<OrderRow>('SELECT * FROM orders WHERE number = ?', String(number).toLowerCase());
}

function startOf(name: string, day: unknown): number {
  const at = parseInstant(`${String(day)}T00:00:00Z`);
  if (at === null) throw invalid(name, 'Enter a valid date.');
  return at;
}
