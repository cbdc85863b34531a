import { entity, type Handler } from '../call.ts';
import type { Market } from '../market.ts';
import type { OrderRow } from '../order-rows.ts';
import { invalid } from '../wire-values.ts';
import { createRecord } from './crud.ts';
import { findCustomer } from './customers.ts';
import { type Family, field, madeBetween } from './family.ts';

const isOrder = (market: Market, number: unknown) =>
  market.sql.get('SELECT 1 FROM orders WHERE number = ?', String(number)) !== undefined;

/** Spec 2, Order payment: of an existing order, in its currency. */
const orderPayments: Family = {
  name: 'order-payments',
  times: ['created_date', 'modified_date'],
  initial: { payment_date: null, payment_type: 'other' },
  searched: [field('order')],
  filters: madeBetween('created_date_from', 'created_date_to'),
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

const orderEvents: Family = {
  name: 'order-event-logs',
  times: ['created_on', 'modified'],
  searched: [field('order'), field('status')],
};
/** Spec 2, Handle purchase-order approval: each approval as sent. */
const approvals: Family = { name: 'purchase-order-approvals' };

export const ORDER_FAMILIES: readonly Family[] = [
  orderPayments,
  // Spec 1 shows no fields. Sent fields are stored, and referenced orders must exist.
  {
    name: 'order-sales-reps',
    refers: { order: isOrder, staff: 'company-staff' },
    searched: [field('order')],
  },
  { name: 'promocodes', times: ['created_on', 'modified'], searched: [field('code')] },
  { name: 'reports', times: ['created_on', 'modified'] },
  { name: 'order-statuses' },
  orderEvents,
  approvals,
];

export const approvePurchaseOrder: Handler = (market, { body }) => {
  const order = body['order_id'];
  if (order !== undefined && !market.sql.get('SELECT 1 FROM orders WHERE id = ?', order)) {
    throw invalid('order_id', 'There is no such order.');
  }
  createRecord(market, approvals, body);
  return entity(body);
};

/** Logs an order's new status. Faults never change this log's dates. */
export function logOrderStatus(market: Market, order: string, status: string): void {
  createRecord({ ...market, stamp: market.now }, orderEvents, { order, status });
}
