import { mappedNames } from '../config/products.ts';
import { fieldsMoved } from '../domain/shadow/fields-moved.ts';
import { parseJson } from '../http/json.ts';
import { toOurRecord } from '../marketplace/dialect.ts';
import { readOrder } from '../marketplace/entities/order.ts';
import { readProduct } from '../marketplace/entities/product.ts';
import { OPERATIONS } from '../marketplace/operations/table.ts';
import type { InboxRow } from '../store/reading.ts';
import type { AccountRecords } from './context.ts';
import { type Entity, entityOf, orderNumberOf } from './hints.ts';

/** The key of reads that webhooks request. */
export const FOR_WEBHOOKS = 'webhooks';

type Shadowed = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/**
 * Returns whether the shadow already contains everything a webhook says. Our own writes cause webhooks, and one event
 * may cause several, so calls are too scarce to follow each. A webhook with missing fields may hide a change, so it
 * counts as news.
 */
export async function isAlreadyStored(
  context: Shadowed,
  { kind, body }: Pick<InboxRow, 'kind' | 'body'>,
): Promise<boolean> {
  const entity = entityOf(body);
  if (entity === null) return false;
  if (kind === 'products') return isKnownProduct(context, entity);
  return linesOf(entity) !== undefined && isOrderStored(context, entity);
}

/** As `isAlreadyStored`, for an order's webhook, in which a missing field means nothing. */
export async function isOrderStored({ account, config, store }: Shadowed, entity: Entity): Promise<boolean> {
  const raw = await store.orders.raw(account, orderNumberOf(entity) ?? '');
  if (raw === null) return false;
  const before = parseJson(raw) as Entity;
  const sent = toOurRecord(config.marketplace.dialect.order, entity);
  const row = OPERATIONS['orders.list'].answer.safeParse({ ...before, ...sent, line_items: linesOf(entity) });
  if (!row.success) return false;
  return store.orders.isAsKnown(account, readOrder(row.data));
}

/** Field notes: webhooks name the lines differently. */
function linesOf(entity: Entity): unknown {
  return entity['orderedproduct_set'] ?? entity['line_items'];
}

async function isKnownProduct({ account, config, store }: Shadowed, shown: Entity): Promise<boolean> {
  const entity = toOurRecord(config.marketplace.dialect.product, shown);
  const row = OPERATIONS['products.list'].answer.safeParse(entity);
  if (!row.success) return false;
  const raw = await store.products.raw(account, row.data.id);
  if (raw === null || fieldsMoved(mappedNames(config.products), parseJson(raw) as Entity, entity)) return false;
  return store.products.isAsKnown(account, readProduct(row.data, config.marketplace.externalIdKey));
}
