import type { EntityIds, EntityStore } from '../entities.ts';
import type { Readable } from './database.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, eq, inArray, or, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { folded } from './queries.ts';
import { erpCustomers, erpLots, erpOrders, erpPayments, erpProducts } from './tables/erp.ts';
import { batches, customers, orders, payments, products } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

/**
 * The tables of entities. `names`: the columns with the entity's own names, the id first. `others`: those of the other
 * side.
 */
const PLACES = [
  {
    side: 'marketplace',
    kind: 'product',
    table: products,
    names: [products.id, products.sku],
    others: [products.externalId],
  },
  { side: 'marketplace', kind: 'order', table: orders, names: [orders.number], others: [orders.externalId] },
  { side: 'marketplace', kind: 'customer', table: customers, names: [customers.id], others: [customers.externalId] },
  { side: 'marketplace', kind: 'payment', table: payments, names: [payments.id], others: [] },
  { side: 'marketplace', kind: 'batch', table: batches, names: [batches.id], others: [] },
  { side: 'erp', kind: 'product', table: erpProducts, names: [erpProducts.id, erpProducts.sku], others: [] },
  { side: 'erp', kind: 'order', table: erpOrders, names: [erpOrders.id], others: [erpOrders.reference] },
  { side: 'erp', kind: 'customer', table: erpCustomers, names: [erpCustomers.id], others: [] },
  { side: 'erp', kind: 'payment', table: erpPayments, names: [erpPayments.id], others: [] },
  { side: 'erp', kind: 'batch', table: erpLots, names: [erpLots.id], others: [] },
] as const;

type Place = (typeof PLACES)[number];
type Sql = ReturnType<typeof sql>;
type Column = Place['names' | 'others'][number] | typeof mappings.erpId | typeof mappings.marketplaceId;

interface Asked {
  readonly account: string;
  readonly name: string;
  readonly beginning: boolean;
  readonly limit: number;
}

export const entityReads = {
  named({ db }, account, name, { beginning, kind }, limit) {
    const asked = { account, name, beginning, limit };
    const places = PLACES.filter((place) => kind === null || place.kind === kind);
    const found = [
      ...linksNamed(db, asked, places),
      ...places.flatMap((place) => idsIn(db, asked, place, place.names)),
    ];
    return once(found.length > 0 ? found : namedOtherwise(db, asked, places)).slice(0, limit);
  },
} satisfies Reads<EntityStore>;

/** Finds entities by their names on the other side, and by SKUs typed in lower case. */
function namedOtherwise(db: Readable, asked: Asked, places: readonly Place[]): EntityIds[] {
  const large = { ...asked, name: asked.name.toUpperCase() };
  return places.flatMap((place) => [
    ...idsIn(db, asked, place, place.others),
    ...(large.name === asked.name ? [] : idsIn(db, large, place, place.names)),
  ]);
}

function linksNamed(db: Readable, asked: Asked, places: readonly Place[]): EntityIds[] {
  const { kind, marketplaceId, erpId } = mappings;
  const isMeant = and(eq(mappings.account, asked.account), inArray(kind, [...new Set(places.map((one) => one.kind))]));
  // Each column has its own index; there is none for both.
  return [marketplaceId, erpId].flatMap((column) =>
    db
      .select({ kind, marketplaceId, erpId })
      .from(mappings)
      .where(and(isMeant, isNamed(column, asked)))
      .limit(asked.limit)
      .all(),
  );
}

function idsIn(db: Readable, asked: Asked, place: Place, columns: readonly Column[]): EntityIds[] {
  const { table, side, kind, names } = place;
  return columns.flatMap((column) =>
    db
      .select({ id: sql<string>`cast(${names[0]} as text)` })
      .from(table)
      .where(and(eq(table.account, asked.account), isNamed(column, asked)))
      .limit(asked.limit)
      .all()
      .map(({ id }) => linkOf(db, asked.account, { kind, ...onSide(side, id) })),
  );
}

function onSide(side: Place['side'], id: string): Omit<EntityIds, 'kind'> {
  return side === 'erp' ? { marketplaceId: null, erpId: id } : { marketplaceId: id, erpId: null };
}

/** Sorts after every other character, to bound a range of texts with one prefix. */
const LAST = '\u{10ffff}';

/** The column starts with `text`, in a form that an index serves. */
export const begins = (column: unknown, text: string): Sql =>
  sql`(${column} >= ${text} and ${column} < ${text + LAST})`;
export const beginsInAnyCase = (column: unknown, text: string): Sql => begins(sql`lower(${column})`, folded(text));

const WHOLE = /^[1-9]\d{0,14}$/;
const MOST_DIGITS = 15;

/** A condition that an index serves: for each number of digits, the numbers with a prefix are one range. */
function isNamed(column: Column, { name, beginning }: Asked): Sql | undefined {
  if (column.columnType !== 'SQLiteInteger') return beginning ? begins(column, name) : sql`${column} = ${name}`;
  if (!WHOLE.test(name)) return sql`false`;
  if (!beginning) return sql`${column} = ${Number(name)}`;
  const more = Array.from({ length: MOST_DIGITS - name.length + 1 }, (_, digits) => digits);
  const between = (digits: number) =>
    sql`${column} between ${Number(name + '0'.repeat(digits))} and ${Number(name + '9'.repeat(digits))}`;
  return or(...more.map(between));
}

function once(found: readonly EntityIds[]): EntityIds[] {
  const each = new Map(found.map((ids) => [JSON.stringify([ids.kind, ids.marketplaceId, ids.erpId]), ids]));
  return [...each.values()];
}

function linkOf(db: Readable, account: string, ids: EntityIds): EntityIds {
  const { kind, marketplaceId, erpId } = ids;
  const link =
    marketplaceId === null
      ? findByErpId(db, { account, kind, erpId })
      : findByMarketplaceId(db, { account, kind, marketplaceId });
  return link === undefined ? ids : { kind, marketplaceId: link.marketplaceId, erpId: link.erpId };
}
