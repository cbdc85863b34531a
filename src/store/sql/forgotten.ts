import { isOver, isOverInErp } from '../../domain/status.ts';
import type { ErpOrder } from '../../erp/connector.ts';
import type { ObservedOrder } from '../marketplace.ts';
import type { CustomerIds } from '../personal.ts';
import { forgetCursor } from './cursors.ts';
import type { Queryable, Readable } from './database.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { withoutPerson } from './personal-texts.ts';
import { deleteBy, matching, putInto, rowBy, selecting } from './queries.ts';
import { forgotten } from './tables/reading.ts';

type Kind = (typeof forgotten.$inferSelect)['kind'];

const findMark = rowBy(forgotten, 'account', 'kind', 'id');
const putMark = putInto(forgotten, 'account', 'kind', 'id');
const dropMark = deleteBy(forgotten, 'account', 'kind', 'id');

/** Usually no entity is erased, which saves a question per order of a page. */
export function isAnyForgotten(db: Readable, account: string): boolean {
  return findAny(db).get({ account }) !== undefined;
}

const findAny = selecting({ kind: forgotten.kind }, (db, fields) =>
  db.select(fields).from(forgotten).where(matching(forgotten, 'account')).limit(1),
);

export function isForgotten(db: Readable, account: string, kind: Kind, id: string): boolean {
  return findMark(db, { account, kind, id }) !== undefined;
}

export function markForgotten(tx: Queryable, account: string, kind: Kind, id: string, nowMs: number): void {
  putMark(tx, { account, kind, id, forgottenAtMs: nowMs });
}

/**
 * Removes erased personal data from an order. The erasure of an order that goes on ends. A new order of an erased
 * customer restores the customer.
 */
export function asRemembered(tx: Queryable, account: string, observed: ObservedOrder): ObservedOrder {
  const { order, raw } = observed;
  const isMarked = isForgotten(tx, account, 'order', order.number);
  if (isMarked && isOver(order.status)) {
    return { order: { ...order, customer: { ...order.customer, name: null } }, raw: withoutPerson(raw) };
  }
  if (isMarked) dropMark(tx, { account, kind: 'order', id: order.number });
  rememberCustomer(tx, account, { marketplaceId: order.customer.id, erpId: null });
  return observed;
}

/** The same for an ERP order. */
export function asRememberedInErp(tx: Queryable, account: string, order: ErpOrder): ErpOrder {
  const { id, status, customer } = order;
  const isMarked = isForgotten(tx, account, 'erp-order', id);
  if (isMarked && isOverInErp(status)) return withoutCustomer(order);
  if (isMarked) dropMark(tx, { account, kind: 'erp-order', id });
  rememberCustomer(tx, account, { marketplaceId: customer.marketplaceId ?? null, erpId: customer.id ?? null });
  return order;
}

export function withoutCustomer<Order extends ErpOrder>(order: Order): Order {
  const { attributesText: _attributes, ...kept } = order;
  const { name: _name, ...ids } = order.customer;
  return { ...kept, customer: ids, note: '' } as Order;
}

/**
 * Ends the erasure of a customer who orders again. The customer's row may be unchanged, so the lists are read from the
 * beginning.
 */
function rememberCustomer(tx: Queryable, account: string, { marketplaceId, erpId }: CustomerIds): void {
  const shop = marketplaceId === null ? null : String(marketplaceId);
  const inErp = shop === null ? null : findByMarketplaceId(tx, { account, kind: 'customer', marketplaceId: shop });
  const inShop = erpId === null ? null : findByErpId(tx, { account, kind: 'customer', erpId });
  const marks = [
    ['customer', shop],
    ['customer', inShop?.marketplaceId],
    ['erp-customer', erpId],
    ['erp-customer', inErp?.erpId],
  ] as const;
  const dropped = marks.filter(([kind, id]) => id != null && dropMark(tx, { account, kind, id }) > 0);
  if (dropped.length === 0) return;
  for (const collection of ['customers', 'erp-customers']) forgetCursor(tx, account, collection);
}
