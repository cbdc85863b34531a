import { figureOf } from '../../domain/decimal.ts';
import type { Holding } from '../erp.ts';
import { and, eq, isNotNull, isNull } from './orm.ts';
import { afterwards, matching, selecting } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { orderLines } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

/** The units of a product that the orders of the ERP hold. */

const HELD = {
  number: orderLines.number,
  id: erpOrders.id,
  status: erpOrders.status,
  content: erpOrders.content,
  countedSince: erpOrders.countedSince,
  changedTick: erpOrders.changedTick,
};

const isLinkOfLine = and(
  eq(mappings.account, orderLines.account),
  eq(mappings.kind, 'order'),
  eq(mappings.marketplaceId, orderLines.number),
  isNotNull(mappings.erpId),
);

/** The lines of linked orders, each with the ERP's order; nulls where that is not known. */
export const findHoldings = selecting(HELD, (db, fields) =>
  db
    .select(fields)
    .from(orderLines)
    .innerJoin(mappings, isLinkOfLine)
    .leftJoin(erpOrders, and(eq(erpOrders.account, orderLines.account), eq(erpOrders.id, mappings.erpId)))
    .where(matching(orderLines, 'account', 'productId')),
);

/** The lines of orders without a link, each with the orders of the ERP that carry its number. */
export const findUnlinkedHoldings = selecting(HELD, (db, fields) =>
  db
    .select(fields)
    .from(orderLines)
    .innerJoin(erpOrders, and(eq(erpOrders.account, orderLines.account), eq(erpOrders.reference, orderLines.number)))
    .leftJoin(mappings, isLinkOfLine)
    .where(and(matching(orderLines, 'account', 'productId'), isNull(mappings.erpId)))
    .orderBy(afterwards(erpOrders.id)),
);

/** Loads only the columns that the ledger needs, because many orders may have the same listing. */
export function toHolding({
  id,
  status,
  content,
  countedSince,
  changedTick,
}: Pick<typeof erpOrders.$inferSelect, 'id' | 'status' | 'content' | 'countedSince' | 'changedTick'>): Holding {
  const { lines } = JSON.parse(content) as { lines: { sku: string; quantity: string }[] };
  return {
    id,
    status,
    countedSince,
    changedTick,
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity: figureOf(quantity) })),
  };
}
