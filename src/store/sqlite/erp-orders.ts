import { Decimal } from '../../domain/decimal.ts';
import { isOvertaken } from '../../domain/instant.ts';
import { type Held, holdingChanges } from '../../domain/shadow/stock-history.ts';
import type { ErpOrder } from '../../erp/connector.ts';
import type { ErpOrderStore, Holding, StoredErpOrder } from '../erp.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { formerOwner } from './former-skus.ts';
import { findByErpId } from './mappings.ts';
import { dropMisfit } from './misfits.ts';
import { and, eq, isNotNull } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, keysAfter, matching, putInto, rowBy, rowsBy } from './queries.ts';
import { erpProductsBySku } from './record-products.ts';
import { saveHistory } from './stock-history.ts';
import { erpOrders } from './tables/erp.ts';
import { orderLines } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { markWork } from './work.ts';

type ErpOrderRow = typeof erpOrders.$inferSelect;

export const erpOrderReads = {
  order({ db }, account, id) {
    const row = findOrder(db, { account, id });
    return row === undefined ? null : toOrder(row);
  },

  ordersBeside({ db }, account, link) {
    return ordersBeside(db, account, link).map(toOrder);
  },

  ordersByReference({ db }, account, reference) {
    return findByReference(db, { account, reference }).map(toOrder);
  },

  holdings({ db }, account, productId) {
    const rows = findHoldings(db).all({ account, productId });
    return new Map(rows.map((row) => [row.number, row.content === null ? null : toHolding(row.content, row)]));
  },

  orderIds: keysAfter(erpOrders, 'id'),
} satisfies Reads<ErpOrderStore>;

export const erpOrderWrites = {
  recordOrders({ tx, nowMs }, account, items, lane, lookedAt) {
    return items.filter((item) => recordErpOrder(tx, account, item, { lane, lookedAt }, nowMs)).length;
  },
} satisfies Writes<ErpOrderStore>;

const findOrder = rowBy(erpOrders, 'account', 'id');

const findHoldings = built((db) => {
  const { account, number } = orderLines;
  const link = and(eq(mappings.account, account), eq(mappings.kind, 'order'), eq(mappings.marketplaceId, number));
  return db
    .select({ number, content: erpOrders.content, countedSince: erpOrders.countedSince })
    .from(orderLines)
    .innerJoin(mappings, and(link, isNotNull(mappings.erpId)))
    .leftJoin(erpOrders, and(eq(erpOrders.account, account), eq(erpOrders.id, mappings.erpId)))
    .where(matching(orderLines, 'account', 'productId'))
    .prepare();
});

/** Only what the ledger needs of it: many orders may have the same listing. */
function toHolding(content: string, { countedSince }: { countedSince: string | null }): Holding {
  const { lines } = JSON.parse(content) as { lines: { sku: string; quantity: string }[] };
  return { countedSince, lines: lines.map(({ sku, quantity }) => ({ sku, quantity: new Decimal(quantity) })) };
}

const putOrder = putInto(erpOrders, 'account', 'id');

const findByReference = rowsBy(erpOrders, ['account', 'reference'], { limit: 10 });

/** Rows, as `store.erp.ordersBeside` shows them. */
export function ordersBeside(
  db: Readable,
  account: string,
  { marketplaceId, erpId }: { readonly marketplaceId: string; readonly erpId: string },
): ErpOrderRow[] {
  const found = findByReference(db, { account, reference: marketplaceId });
  return found.filter(({ id, origin, status }) => id !== erpId && origin === 'marketplace' && status !== 'cancelled');
}

function contentOf(order: ErpOrder): string {
  return JSON.stringify({
    customer: order.customer,
    currency: order.currency,
    lines: order.lines.map((line) => ({
      sku: line.sku,
      quantity: line.quantity.toFixed(),
      unitPrice: line.unitPrice.toFixed(),
      ...(line.description === undefined ? {} : { description: line.description }),
    })),
    discount: order.discount.toFixed(),
    shipping: order.shipping.toFixed(),
    tax: order.tax.toFixed(),
    total: order.total.toFixed(),
    note: order.note,
  });
}

function isCounted(status: string): boolean {
  return status === 'reserved' || status === 'shipped';
}

function quantitiesOf(content: string): string {
  const { lines } = JSON.parse(content) as { lines: { sku: string; quantity: string }[] };
  return JSON.stringify(lines.map((line) => `${line.quantity} ${line.sku}`).toSorted());
}

interface Marking {
  readonly lane: Lane;
  readonly lookedAt: string | undefined;
}

function recordErpOrder(
  tx: Queryable,
  account: string,
  item: ErpOrder,
  { lane, lookedAt }: Marking,
  nowMs: number,
): boolean {
  const before = findOrder(tx, { account, id: item.id });
  // A page that was on its way while the order was changed says nothing new.
  if (before !== undefined && isOvertaken(item.changedAt, before.changedAt)) return false;
  const content = contentOf(item);
  const same =
    before !== undefined &&
    before.content === content &&
    before.status === item.status &&
    before.reference === item.reference &&
    before.origin === item.origin;
  const mended = dropMisfit(tx, account, 'erp-orders', item.id);
  if (same && !mended) return false;
  const row: ErpOrderRow = {
    account,
    id: item.id,
    reference: item.reference,
    origin: item.origin,
    status: item.status,
    content,
    changedAt: item.changedAt,
    countedSince: countedFrom(before, item, content),
    seenAtMs: nowMs,
  };
  putOrder(tx, row);
  const change = { before: before === undefined ? null : heldBy(before), after: heldBy(row) };
  const since = row.countedSince ?? item.changedAt;
  saveHistory(tx, account, holdingChanges({ id: item.id, ...change, since }), nowMs);
  const why = `ERP order ${item.id} is ${item.status}`;
  if (item.origin === 'erp') markWork(tx, { account, flow: 'order-out', key: item.id }, lane, why, nowMs);
  const numbers = new Set([item, before ?? item].map((order) => numberOf(tx, account, order)));
  for (const number of numbers) {
    if (number === null || number === lookedAt) continue;
    markWork(tx, { account, flow: 'order-in', key: number }, lane, why, nowMs);
  }
  const skus = [...item.lines.map((line) => line.sku), ...skusOf(before?.content)];
  markStockOfSkus(tx, account, skus, lane, why, nowMs);
  return true;
}

/** The marketplace's order that it is about. */
function numberOf(
  tx: Queryable,
  account: string,
  order: Pick<ErpOrderRow, 'id' | 'origin' | 'reference'>,
): string | null {
  if (order.origin !== 'erp') return order.reference;
  return findByErpId(tx, { account, kind: 'order', erpId: order.id })?.marketplaceId ?? null;
}

/** Since when the ERP counts these very quantities: an edit starts it afresh, which errs towards too little. */
function countedFrom(before: ErpOrderRow | undefined, item: ErpOrder, content: string): string | null {
  if (!isCounted(item.status)) return null;
  const unchanged = before?.countedSince != null && quantitiesOf(before.content) === quantitiesOf(content);
  return unchanged ? before.countedSince : item.changedAt;
}

function heldBy({ status, content }: ErpOrderRow): Held {
  return { isCounted: isCounted(status), ...(JSON.parse(content) as Pick<Held, 'lines'>) };
}

/** The SKUs that the order had before count too: the ERP has let go of them. */
function skusOf(content: string | undefined): string[] {
  if (content === undefined) return [];
  const { lines } = JSON.parse(content) as { lines: { sku: string }[] };
  return lines.map((line) => line.sku);
}

function markStockOfSkus(
  tx: Queryable,
  account: string,
  skus: readonly string[],
  lane: Lane,
  why: string,
  nowMs: number,
): void {
  const ids = [...new Set(skus)].flatMap((sku) => {
    const known = erpProductsBySku(tx).all({ account, sku });
    return known.length > 0 ? known.map(({ id }) => id) : (formerOwner(tx, account, sku) ?? []);
  });
  for (const id of new Set(ids)) markWork(tx, { account, flow: 'stock', key: id }, lane, why, nowMs);
}

function toOrder(row: ErpOrderRow): StoredErpOrder {
  const content = JSON.parse(row.content) as {
    customer: ErpOrder['customer'];
    currency: string;
    lines: { sku: string; quantity: string; unitPrice: string; description?: string }[];
    discount: string;
    shipping: string;
    tax: string;
    total: string;
    note: string;
  };
  return {
    id: row.id,
    reference: row.reference,
    origin: row.origin,
    status: row.status,
    customer: content.customer,
    currency: content.currency,
    lines: content.lines.map((line) => ({
      ...line,
      quantity: new Decimal(line.quantity),
      unitPrice: new Decimal(line.unitPrice),
    })),
    discount: new Decimal(content.discount),
    shipping: new Decimal(content.shipping),
    tax: new Decimal(content.tax),
    total: new Decimal(content.total),
    note: content.note,
    changedAt: row.changedAt,
    countedSince: row.countedSince,
  };
}
