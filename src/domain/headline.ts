import { listName } from './lists.ts';
import type { Concern } from './notices.ts';

/** Singular and plural, by flow. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  product: ['listing', 'listings'],
  'product-in': ['product for the ERP', 'products for the ERP'],
  images: ['listing with other images', 'listings with other images'],
  assignments: ['list of who may buy a listing', 'lists of who may buy a listing'],
  stock: ['stock figure', 'stock figures'],
  'facility-stock': ['stock figure', 'stock figures'],
  'batch-out': ['batch', 'batches'],
  'order-in': ['order', 'orders'],
  'order-out': ['order made in the ERP', 'orders made in the ERP'],
  'approval-out': ['purchase order', 'purchase orders'],
  'payment-in': ['payment', 'payments'],
  'payment-out': ['payment of the ERP', 'payments of the ERP'],
  'customer-in': ['customer', 'customers'],
  'customer-out': ['customer of the ERP', 'customers of the ERP'],
  'transport-in': ['transport', 'transports'],
};
const THING = ['thing', 'things'] as const;

/** Singular and plural, by kind, or by flow and kind. */
const WRITES: Readonly<Record<string, readonly [string, string]>> = {
  price: ['price', 'prices'],
  reprice: ['price', 'prices'],
  'product, create': ['new listing', 'new listings'],
  'product-in, create': ['new product for the ERP', 'new products for the ERP'],
  archive: ['archive', 'archives'],
  zero: ['stock that goes to zero', 'stocks that go to zero'],
  increase: ['stock increase', 'stock increases'],
  reject: ['cancellation', 'cancellations'],
  relink: ['move of a link', 'moves of links'],
  history: ['order of the past', 'orders of the past'],
};
const WRITE = ['write', 'writes'] as const;

/** Singular, plural, and past. */
const STATES: Readonly<Record<string, readonly [string, string, string]>> = {
  held: ['waits', 'wait', 'waited'],
  pending: ['is tried again', 'are tried again', 'tried again'],
  failed: ['has failed', 'have failed', 'had failed'],
  'in doubt': ['is in doubt', 'are in doubt', 'in doubt'],
  brake: ['waits for an approval', 'wait for an approval', 'waited for an approval'],
  'invalid row': ['cannot be read', 'cannot be read', 'could not be read'],
  alert: ['needs a look', 'need a look', 'needed a look'],
};

/**
 * `3 orders wait`, `1 price waits for an approval`.
 * @param isOver the concern has ended: `3 orders waited`
 */
export function headline({ kind, about, count }: Pick<Concern, 'kind' | 'about' | 'count'>, isOver = false): string {
  const isOne = count === 1;
  const noun = nounOf(kind, about);
  const [one, several, over] = STATES[kind] ?? ['needs somebody', 'need somebody', 'needed somebody'];
  return `${count} ${isOne ? noun[0] : noun[1]} ${isOver ? over : isOne ? one : several}`;
}

/** `18 archives`: the writes of a flow that a brake holds. */
export function brakedText(flow: string, kind: string, count: number): string {
  const [one, several] = nounOf('brake', `${flow}, ${kind}`);
  return `${count} ${count === 1 ? one : several}`;
}

function nounOf(kind: string, about: string): readonly [string, string] {
  if (kind === 'invalid row') {
    const list = listName(about);
    return [`row of the list "${list}"`, `rows of the list "${list}"`];
  }
  if (kind === 'brake') return WRITES[about] ?? WRITES[about.split(', ')[1] ?? ''] ?? WRITE;
  return NOUNS[about] ?? THING;
}
