import type { Spoken } from './notation.ts';
import { BY_ID, ORDERS, PAGES, RECORD, SEARCHED } from './shorthand.ts';

const MONEY = { 'amount!': 'number', 'currency!': 'text /^[A-Z]{3}$/', '...': 'more' };
const MONEY_OR_NULL = '{amount!:number,currency!:text /^[A-Z]{3}$/,...:more} or null';

/** Spec 1, Line item: the fields that a new line needs. Every field of a changed line is optional. */
const line = (required: '!' | '') => ({
  [`product${required}`]: 'integer',
  // "string, decimal with 4 fractional digits"
  [`quantity${required}`]: String.raw`text /^\d{1,30}(\.\d{1,4})?$/`,
  [`ordered_unit_price${required}`]: MONEY,
  sale_price: MONEY_OR_NULL,
  '...': 'more',
});

const BY_NUMBER = { 'number!': String.raw`text /^[A-Za-z0-9][\w-]{0,63}$/` };

const everybody = 'Orders or Products or Customers: Read';
const list = (path: string, needs: string = ORDERS.read): Spoken => ({
  call: `GET ${path}`,
  needs,
  query: SEARCHED,
  answers: 'page',
});
const get = (path: string, needs: string = ORDERS.read): Spoken => ({
  call: `GET ${path}{id}/ (assumed)`,
  needs,
  path: BY_ID,
  answers: 'one',
});
const create = (path: string): Spoken => ({
  call: `POST ${path}`,
  needs: ORDERS.write,
  body: RECORD,
  answers: 'one',
});
const patch = (path: string): Spoken => ({
  call: `PATCH ${path}{id}/ (assumed)`,
  needs: ORDERS.write,
  path: BY_ID,
  body: RECORD,
  answers: 'one',
});
const remove = (path: string): Spoken => ({
  call: `DELETE ${path}{id}/ (assumed)`,
  needs: ORDERS.write,
  path: BY_ID,
  answers: 'one',
});

/** Spec 1, Orders, and the row of Orders in the table of permissions. */
export const ORDER_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'orders.list': {
    call: 'GET /orders-received/',
    needs: ORDERS.read,
    query: { ...PAGES, status: 'text', include_children: 'line_items', modified__gte: 'date-time' },
    answers: 'page',
  },
  'orders.create': {
    call: 'POST /orders-received/',
    needs: ORDERS.write,
    body: {
      'seller!': 'integer',
      'customer!': { 'id!': 'integer', '...': 'more' },
      'status!': 'Submitted | Accepted | Fulfilled | Shipped | Complete | Rejected | Backorder | Canceled',
      'line_items!': [line('!')],
      discount_amount: 'number',
      external_id: 'text',
      '...': 'more',
    },
    answers: 'one',
  },
  'orders.get': { call: 'GET /orders-received/{number}/', needs: ORDERS.read, path: BY_NUMBER, answers: 'one' },
  'orders.patch': {
    call: 'PATCH /orders-received/{number}/',
    needs: ORDERS.write,
    path: BY_NUMBER,
    // A line without an id needs the fields of a new line.
    body: {
      line_items: [{ id: 'integer', ...line('') }],
      status: 'Submitted | Accepted | Fulfilled | Shipped | Complete | Rejected | Backorder | Canceled',
      external_id: 'text or null',
      discount_amount: 'number',
      '...': 'more',
    },
    answers: 'one',
  },
  'orders.transition': {
    call: 'POST /orders-received/{number}/transition/{action}/',
    needs: ORDERS.write,
    path: { ...BY_NUMBER, 'action!': 'text /^[a-z][a-z_-]{0,39}$/' },
    answers: 'one',
  },
  'orders.delete': {
    call: 'DELETE /orders-received/{number}/ (assumed)',
    needs: ORDERS.write,
    path: BY_NUMBER,
    answers: 'one',
  },

  'line-items.list': list('/line-items/'),
  'line-items.get': get('/line-items/'),
  'line-items.patch': { ...patch('/line-items/'), body: line('') },
  'line-items.delete': remove('/line-items/'),

  'order-event-logs.list': list('/order-event-logs/'),
  'order-event-logs.get': get('/order-event-logs/'),
  'order-sales-reps.list': list('/order-sales-reps/'),
  'order-sales-reps.get': get('/order-sales-reps/'),
  'order-sales-reps.create': create('/order-sales-reps/'),
  'order-sales-reps.delete': remove('/order-sales-reps/'),
  'order-statuses.list': list('/order-statuses/'),
  'order-statuses.get': get('/order-statuses/'),
  'promocodes.list': list('/promocodes/'),
  'promocodes.get': get('/promocodes/'),
  'promocodes.create': create('/promocodes/'),
  'promocodes.patch': patch('/promocodes/'),
  'promocodes.delete': remove('/promocodes/'),
  'reports.list': list('/reports/'),
  'reports.get': get('/reports/'),
  'reports.create': create('/reports/'),
  'reports.patch': patch('/reports/'),
  'reports.delete': remove('/reports/'),

  'companies.list': list('/companies/', everybody),
  'companies.get': get('/companies/', everybody),
  'company-staff.list': list('/company-staff/', everybody),
  'company-staff.get': get('/company-staff/', everybody),
};
