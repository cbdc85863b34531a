import { figureOf } from '../../domain/decimal.ts';
import type { Holding } from '../erp.ts';
import { alias, and, eq, isNotNull, isNull, or } from './orm.ts';
import { matching, selecting, unindexed } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { orderLines } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

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

/** The lines of linked orders with their ERP order; nulls where it is unknown. */
export const findHoldings = selecting(HELD, (db, fields) =>
  db
    .select(fields)
    .from(orderLines)
    .innerJoin(mappings, isLinkOfLine)
    .leftJoin(erpOrders, and(eq(erpOrders.account, orderLines.account), eq(erpOrders.id, mappings.erpId)))
    .where(matching(orderLines, 'account', 'productId')),
);

const linkedOrder = alias(erpOrders, 'linked_order');
const isLinkDead = or(isNull(linkedOrder.id), eq(linkedOrder.status, 'cancelled'));

/**
 * Lines of orders with a dead ERP order, and the ERP orders that carry their number. Such a copy holds the units until
 * the link follows. An order created in the ERP is no copy.
 */
export const findHeirs = selecting(HELD, (db, fields) =>
  db
    .select(fields)
    .from(orderLines)
    .innerJoin(erpOrders, and(eq(erpOrders.account, orderLines.account), eq(erpOrders.reference, orderLines.number)))
    .leftJoin(mappings, isLinkOfLine)
    .leftJoin(linkedOrder, and(eq(linkedOrder.account, orderLines.account), eq(linkedOrder.id, mappings.erpId)))
    .where(
      and(
        matching(orderLines, 'account', 'productId'),
        or(isNull(mappings.erpId), and(isLinkDead, eq(erpOrders.origin, 'marketplace'))),
      ),
    )
    .orderBy(unindexed(erpOrders.id)),
);

/** The ERP order that holds the units of each order; null: unknown. */
export function holdingsFrom(linked: readonly HeldRow[], heirs: readonly HeldRow[]): Map<string, Holding | null> {
  const found = new Map<string, Holding | null>();
  // An ERP order that carries another order's number holds that one's units, whatever is linked to it.
  const numberOf = new Map(heirs.map(({ id, number }) => [id, number]));
  for (const row of linked) {
    const isOwn = (numberOf.get(row.id) ?? row.number) === row.number;
    found.set(row.number, isKnown(row) && isOwn ? toHolding(row) : null);
  }
  for (const row of heirs) {
    const known = found.get(row.number);
    const isAlive = row.status !== 'cancelled';
    if (known === undefined || (isAlive && (known === null || known.status === 'cancelled')))
      found.set(row.number, toHolding(row));
  }
  return found;
}

type HeldRow = Pick<typeof orderLines.$inferSelect, 'number'> & Parameters<typeof toHolding>[0];

/** A left join returns nulls for a missing order. */
function isKnown({ id }: { readonly id: string | null }): boolean {
  return id !== null;
}

/** Loads only the ledger's columns, because many orders may have the same listing. */
function toHolding({
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
