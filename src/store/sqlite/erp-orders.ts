import { Decimal } from '../../domain/decimal.ts';
import { dueOfErpOrder, skusOf, withErpOrder } from '../../domain/shadow/erp-orders.ts';
import { isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpOrder } from '../../erp/connector.ts';
import type { ErpOrderStore, Holding, StoredErpOrder } from '../erp.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { erpProductsBySku, formerOwner } from './former-skus.ts';
import { findByErpId } from './mappings.ts';
import { dropMisfit } from './misfits.ts';
import { and, eq, isNotNull } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, keysAfter, matching, putInto, rowBy, rowsBy } from './queries.ts';
import { saveHistory } from './stock-history.ts';
import { erpOrders } from './tables/erp.ts';
import { orderLines } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { markDue } from './work.ts';

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

interface Marking {
  readonly lane: Lane;
  readonly lookedAt: string | undefined;
}

/** Stores an order and marks what has to be looked at, in the caller's transaction; false when nothing really changed. */
export function recordErpOrder(
  tx: Queryable,
  account: string,
  item: ErpOrder,
  { lane, lookedAt }: Marking,
  nowMs: number,
): boolean {
  const { id, reference, origin, status, changedAt } = item;
  const before = findOrder(tx, { account, id });
  if (isOutdatedInErp(before, item)) return false;
  const mended = dropMisfit(tx, account, 'erp-orders', id);
  const seen = { id, reference, origin, status, content: contentOf(item), changedAt };
  const { row, history } = withErpOrder(before, seen, { mended, nowMs });
  if (row === null) return false;
  putOrder(tx, { account, ...row });
  saveHistory(tx, account, history, nowMs);
  const linkedTo = findByErpId(tx, { account, kind: 'order', erpId: id })?.marketplaceId ?? null;
  const productIds = skusOf(row, before).flatMap((sku) => productsOf(tx, account, sku));
  markDue(tx, account, dueOfErpOrder(before, row, { linkedTo, productIds, lookedAt }), lane, nowMs);
  return true;
}

/** The products with a SKU; where none has it any more, the one that gave it up. */
function productsOf(tx: Queryable, account: string, sku: string): string[] {
  const known = erpProductsBySku(tx).all({ account, sku });
  if (known.length > 0) return known.map(({ id }) => id);
  const former = formerOwner(tx, account, sku);
  return former === null ? [] : [former];
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
