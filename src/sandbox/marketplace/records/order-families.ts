import type { Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { invalid } from '../refusal.ts';
import { createRecord } from './crud.ts';
import { type Family, field } from './family.ts';

const isOrder = (market: Market, number: unknown) =>
  market.sql.get('SELECT 1 FROM orders WHERE number = ?', String(number)) !== undefined;

/** Spec 1 shows no field of these: sent fields are kept, and an order that is named must be there. */
const salesReps: Family = {
  name: 'order-sales-reps',
  refers: { order: isOrder, staff: 'company-staff' },
  searched: [field('order')],
};
const promocodes: Family = { name: 'promocodes', times: ['created_on', 'modified'], searched: [field('code')] };
const reports: Family = { name: 'reports', times: ['created_on', 'modified'], searched: [field('name')] };
export const orderStatuses: Family = { name: 'order-statuses', searched: [field('name')] };
/** The events of orders, in order. */
export const orderEvents: Family = {
  name: 'order-event-logs',
  times: ['created_on', 'modified'],
  searched: [field('order'), field('status')],
};
/** Spec 2, Handle purchase-order approval: each as it was told. */
const approvals: Family = { name: 'purchase-order-approvals' };

export const ORDER_FAMILIES = [salesReps, promocodes, reports, orderStatuses, orderEvents, approvals] as const;

export const orderFamilyHandlers: Readonly<Record<string, Handler>> = {
  'purchase-orders.approve': (market, { body }) => {
    const order = body['order_id'];
    if (order !== undefined && !market.sql.get('SELECT 1 FROM orders WHERE id = ?', order)) {
      throw invalid('order_id', 'There is no such order.');
    }
    createRecord(market, approvals, body);
    return { kind: 'entity', json: JSON.stringify(body) };
  },
};

/** Notes what status an order came to. It is no change that a fault may date. */
export function logOrderStatus(market: Market, order: string, status: string): void {
  createRecord({ ...market, stamp: market.now }, orderEvents, { order, status });
}
