import { createHash } from 'node:crypto';
import type { IntentKind } from '../intent-kinds.ts';
import { findLot } from './batches.ts';
import { findCustomer, findErpCustomer } from './customers.ts';
import type { Readable } from './database.ts';
import { findErpOrder } from './erp-orders.ts';
import { findErpProduct } from './erp-products.ts';
import { findOrder } from './order-rows.ts';
import { findErpPayment, findPayment } from './payments.ts';
import { rowBy } from './queries.ts';
import { products } from './tables/marketplace.ts';
import type { intents } from './tables/work.ts';

/** `listings.ts` imports this file, so its function cannot be used here. */
const findListing = rowBy(products, 'account', 'id');

/** The shadow has no source row for such a write. */
const none = (): readonly unknown[] => [];

/** The rows from which a create is made, as last read. They show whether the entity has changed since. */
const SOURCES: Readonly<Record<IntentKind, (db: Readable, account: string, key: string) => readonly unknown[]>> = {
  'order-in': (db, account, number) => [findOrder(db, { account, number })?.hash],
  'order-out': (db, account, id) => {
    const found = findErpOrder(db, { account, id });
    return [found?.reference, found?.status, found?.content];
  },
  'approval-out': (db, account, id) => [findErpOrder(db, { account, id })?.content],
  'batch-out': (db, account, id) => {
    const found = findLot(db, { account, id });
    return [found?.productId, found?.batch, found?.attributesText];
  },
  product: (db, account, id) => {
    const found = findErpProduct(db, { account, id });
    if (found === undefined) return [];
    // When and how often a product was listed is not its content.
    return [{ ...found, absences: null, listing: null, changedAt: null }];
  },
  'product-in': (db, account, key) => {
    const found = findListing(db, { account, id: Number(key) });
    return [found?.sku, found?.name];
  },
  'customer-in': (db, account, key) => {
    const found = findCustomer(db, { account, id: Number(key) });
    return [found?.name, found?.content, found?.archived];
  },
  'customer-out': (db, account, id) => [findErpCustomer(db, { account, id })?.content],
  'payment-in': (db, account, id) => {
    const found = findPayment(db, { account, id });
    return [found?.total, found?.type, found?.paidAt, found?.orderNumber];
  },
  'payment-out': (db, account, id) => {
    const found = findErpPayment(db, { account, id });
    return [found?.reference, found?.amount, found?.currency, found?.method, found?.receivedAt, found?.voided];
  },
  'product-line': none,
  image: none,
  'facility-stock': none,
  'unseen-sale': none,
  transition: none,
};

/**
 * A text that is equal as long as the entity is unchanged. Without a row in the shadow, it is made from the values to
 * send.
 */
export function entityMark(
  db: Readable,
  { account, kind, key, externalId }: Pick<typeof intents.$inferSelect, 'account' | 'kind' | 'key' | 'externalId'>,
): string {
  const source = SOURCES[kind as IntentKind](db, account, key);
  return createHash('sha256')
    .update(JSON.stringify([externalId, ...source]))
    .digest('hex');
}
