import type { EntityIds, EntityStore } from '../entities.ts';
import type { MappingKind } from '../links.ts';
import type { Readable } from './database.ts';
import { and, eq, or, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { erpCustomers, erpLots, erpOrders, erpPayments, erpProducts } from './tables/erp.ts';
import { batches, customers, orders, payments, products } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

/** Where the entities stand on the marketplace, and the columns by which people name them. */
const ON_MARKETPLACE = [
  { kind: 'product', table: products, id: products.id, names: [products.id, products.sku] },
  { kind: 'order', table: orders, id: orders.number, names: [orders.number] },
  { kind: 'customer', table: customers, id: customers.id, names: [customers.id] },
  { kind: 'payment', table: payments, id: payments.id, names: [payments.id] },
  { kind: 'batch', table: batches, id: batches.id, names: [batches.id] },
] as const;

const IN_ERP = [
  { kind: 'product', table: erpProducts, id: erpProducts.id, names: [erpProducts.id, erpProducts.sku] },
  { kind: 'order', table: erpOrders, id: erpOrders.id, names: [erpOrders.id] },
  { kind: 'customer', table: erpCustomers, id: erpCustomers.id, names: [erpCustomers.id] },
  { kind: 'payment', table: erpPayments, id: erpPayments.id, names: [erpPayments.id] },
  { kind: 'batch', table: erpLots, id: erpLots.id, names: [erpLots.id] },
] as const;

type Place = (typeof ON_MARKETPLACE)[number] | (typeof IN_ERP)[number];
type Column = Place['names'][number];

/** Follows every text that begins with what stands before it. */
const LAST = '\u{10ffff}';

export const entityReads = {
  named({ db }, account, name, { beginning, kind: only }, limit) {
    const isNamed = (column: Column | typeof mappings.erpId | typeof mappings.marketplaceId) => {
      const text = column.columnType === 'SQLiteInteger' ? sql`cast(${column} as text)` : sql`${column}`;
      return beginning ? sql`(${text} >= ${name} and ${text} < ${name + LAST})` : sql`${text} = ${name}`;
    };
    const idsIn = ({ table, id, names }: Place): string[] => {
      const where = and(eq(table.account, account), or(...names.map(isNamed)));
      const found = db
        .select({ id: sql<string>`cast(${id} as text)` })
        .from(table)
        .where(where)
        .limit(limit)
        .all();
      return found.map((row) => row.id);
    };
    const isMeant = (place: Place) => only === null || place.kind === only;
    const { kind, marketplaceId, erpId } = mappings;
    const found: EntityIds[] = [
      ...db
        .select({ kind, marketplaceId, erpId })
        .from(mappings)
        .where(
          and(
            eq(mappings.account, account),
            only === null ? undefined : eq(kind, only),
            or(isNamed(marketplaceId), isNamed(erpId)),
          ),
        )
        .limit(limit)
        .all(),
      ...ON_MARKETPLACE.filter(isMeant).flatMap((place) =>
        idsIn(place).map((id) => linkOf(db, account, { kind: place.kind, marketplaceId: id, erpId: null })),
      ),
      ...IN_ERP.filter(isMeant).flatMap((place) =>
        idsIn(place).map((id) => linkOf(db, account, { kind: place.kind, marketplaceId: null, erpId: id })),
      ),
    ];
    const once = new Map(found.map((ids) => [JSON.stringify([ids.kind, ids.marketplaceId, ids.erpId]), ids]));
    return [...once.values()].slice(0, limit);
  },
} satisfies Reads<EntityStore>;

/** With its id on the other side, where it is linked. */
function linkOf(db: Readable, account: string, ids: EntityIds): EntityIds {
  const kind: MappingKind = ids.kind;
  const { marketplaceId, erpId } = mappings;
  const isThis = ids.marketplaceId === null ? eq(erpId, ids.erpId ?? '') : eq(marketplaceId, ids.marketplaceId);
  const [link] = db
    .select({ marketplaceId, erpId })
    .from(mappings)
    .where(and(eq(mappings.account, account), eq(mappings.kind, kind), isThis))
    .all();
  return link === undefined ? ids : { kind, ...link };
}
