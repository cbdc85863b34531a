import type { Cause } from '../../domain/causes/cause.ts';
import { Decimal, decimalOf, decimalOrNull } from '../../domain/decimal.ts';
import type { BrowseStore, Choice, FlowsOf, OrderChoice, WorkState } from '../browse.ts';
import { isWithoutIndex, orderSorts, ordersAfter, productSorts, productsAfter } from './browse-sorts.ts';
import type { Readable } from './database.ts';
import { begins, beginsInAnyCase } from './entities.ts';
import { and, eq, inArray, isNotNull, isNull, or, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { wholeNumber } from './queries.ts';
import { erpOrders, erpProducts } from './tables/erp.ts';
import { orderLines, orders, products } from './tables/marketplace.ts';
import { failedJobs, mappings, work } from './tables/work.ts';
import { isOnHold, shownState } from './work.ts';

type Sql = ReturnType<typeof sql>;

/** SKU comparison is case-sensitive. People also type SKUs in lower case, so upper case is tried too. */
const spelt = (column: unknown, text: string): Sql =>
  sql`(${begins(column, text)} or ${begins(column, text.toUpperCase())})`;

/** The most names searched per kind. A search for one letter must not block the work. */
const MOST_NAMED = 2_000;

function idsOf(db: Readable, queries: readonly Sql[]): { ids: string[]; isPartly: boolean } {
  const found = queries.map((query) => {
    const rows = db
      .selectDistinct({ id: sql<string | null>`found.id` })
      .from(sql`(${query} limit ${MOST_NAMED + 1}) as found`)
      .all();
    return { ids: rows.flatMap(({ id }) => (id === null ? [] : [id])), isPartly: rows.length > MOST_NAMED };
  });
  return { ids: [...new Set(found.flatMap(({ ids }) => ids))], isPartly: found.some((one) => one.isPartly) };
}

/** Queries for the numbers of orders whose names start with `text`. A cross join reads the named products first. */
function ordersNamed(account: string, text: string): Sql[] {
  return [
    sql`select number as id from orders where account = ${account} and ${begins(sql`number`, text)}`,
    sql`select number as id from orders where account = ${account} and ${beginsInAnyCase(sql`customer_name`, text)}`,
    sql`select number as id from orders where account = ${account} and ${begins(sql`external_id`, text)}`,
    sql`select marketplace_id as id from mappings where account = ${account} and kind = 'order' and ${begins(sql`erp_id`, text)}`,
    sql`select l.number as id from products p cross join order_lines l
      where l.account = p.account and l.product_id = p.id and p.account = ${account} and ${spelt(sql`p.sku`, text)}`,
  ];
}

/** Queries for the ids of ERP products whose own name, or whose listing's name, starts with `text`. */
function productsNamed(account: string, text: string): Sql[] {
  return [
    sql`select id from erp_products where account = ${account} and ${begins(sql`id`, text)}`,
    sql`select id from erp_products where account = ${account} and ${spelt(sql`sku`, text)}`,
    sql`select id from erp_products where account = ${account} and ${beginsInAnyCase(sql`name`, text)}`,
    sql`select erp_id as id from mappings where account = ${account} and kind = 'product' and ${begins(sql`marketplace_id`, text)}`,
    sql`select m.erp_id as id from products p
      cross join mappings m
      where m.account = p.account and m.kind = 'product' and m.marketplace_id = cast(p.id as text) and p.account = ${account} and ${spelt(sql`p.sku`, text)}`,
  ];
}

/** The ids go to the database as one value. */
function isNamed(column: unknown, ids: readonly string[]): Sql {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;
}

interface Linked {
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

/** The pending work of an entity. With several keys, the worst state counts. */
interface Left {
  readonly state: WorkState | null;
  readonly heldFor: readonly Cause[];
}

function withLeft<Row>(
  db: Readable,
  account: string,
  flows: FlowsOf,
  rows: readonly Row[],
  linkedOf: (row: Row) => Linked,
): (Row & Left)[] {
  const left = (side: keyof Linked, names: readonly string[]) => {
    const { key, heldFor } = work;
    const keys = rows.flatMap((row) => linkedOf(row)[side] ?? []);
    const isOf = and(eq(work.account, account), inArray(work.flow, [...names]), isNamed(key, keys));
    const found =
      names.length === 0 ? [] : db.select({ key, state: shownState(), heldFor }).from(work).where(isOf).all();
    return Map.groupBy(found, (one) => one.key);
  };
  const [there, here] = [left('marketplaceId', flows.marketplace), left('erpId', flows.erp)];
  return rows.map((row) => {
    const { marketplaceId, erpId } = linkedOf(row);
    const all = [...(there.get(marketplaceId ?? '') ?? []), ...(here.get(erpId ?? '') ?? [])];
    const [worst = null] = all.toSorted((one, other) => (one.state < other.state ? -1 : 1));
    return { ...row, state: worst?.state ?? null, heldFor: worst?.state === 'held' ? (worst.heldFor ?? []) : [] };
  });
}

function isLeft(account: string, kind: 'order' | 'product', { flows, states }: Choice): Sql | undefined {
  if (states.length === 0) return undefined;
  const of = (names: readonly string[]) =>
    sql`w.account = ${account} and w.flow in ${names.length === 0 ? [''] : names} and ${shownState('w')} in ${[...states]}`;
  const own = (names: readonly string[]) => sql`select w.key from work w where ${of(names)}`;
  const linked = (wanted: Sql, side: Sql, names: readonly string[]) =>
    sql`select m.${wanted} from work w cross join mappings m
      where m.account = w.account and m.kind = ${kind} and m.${side} = w.key and ${of(names)}`;
  const [marketplaceId, erpId] = [sql`marketplace_id`, sql`erp_id`];
  return kind === 'order'
    ? sql`${orders.number} in (${own(flows.marketplace)} union ${linked(marketplaceId, erpId, flows.erp)})`
    : sql`${erpProducts.id} in (${own(flows.erp)} union ${linked(erpId, marketplaceId, flows.marketplace)})`;
}

const isMapped = (kind: 'order' | 'product') => and(eq(mappings.kind, kind), eq(mappings.state, 'linked'));

const currencyOf = sql<string | null>`(select ${orderLines.currency} from ${orderLines}
  where ${orderLines.account} = ${orders.account} and ${orderLines.number} = ${orders.number} limit 1)`;

const linesOf = sql<number>`(select count(*) from ${orderLines}
  where ${orderLines.account} = ${orders.account} and ${orderLines.number} = ${orders.number})`.mapWith(Number);

const isLinkOfOrder = and(
  eq(mappings.account, orders.account),
  isMapped('order'),
  eq(mappings.marketplaceId, orders.number),
);
const isErpOrderOf = and(eq(erpOrders.account, orders.account), eq(erpOrders.id, mappings.erpId));

/** Only the numbers, where all orders have to be sorted. The rest is read of one page. */
function numbersSorted(db: Readable, isIt: Sql | undefined, choice: OrderChoice, limit: number): string[] {
  return db
    .select({ number: orders.number })
    .from(orders)
    .leftJoin(mappings, isLinkOfOrder)
    .leftJoin(erpOrders, isErpOrderOf)
    .where(isIt)
    .orderBy(...orderSorts(choice))
    .limit(limit)
    .all()
    .map(({ number }) => number);
}

export const browseReads = {
  orders({ db }, account, choice, limit) {
    const named = choice.search === '' ? null : idsOf(db, ordersNamed(account, choice.search));
    const isIt = and(
      eq(orders.account, account),
      choice.status === null ? undefined : eq(orders.status, choice.status),
      named === null ? undefined : isNamed(orders.number, named.ids),
      isLeft(account, 'order', choice),
      ordersAfter(choice) ?? undefined,
    );
    const isOnPage = isWithoutIndex(choice)
      ? and(eq(orders.account, account), isNamed(orders.number, numbersSorted(db, isIt, choice, limit)))
      : isIt;
    const rows = db
      .select({
        number: orders.number,
        status: orders.status,
        modified: orders.modified,
        customer: orders.customerName,
        total: orders.total,
        currency: currencyOf,
        lines: linesOf,
        erpId: mappings.erpId,
        erpStatus: erpOrders.status,
      })
      .from(orders)
      .leftJoin(mappings, isLinkOfOrder)
      .leftJoin(erpOrders, isErpOrderOf)
      .where(isOnPage)
      .orderBy(...orderSorts(choice))
      .limit(limit)
      .all()
      .map((row) => ({ ...row, total: decimalOrNull(row.total) }));
    const ids = (row: (typeof rows)[number]) => ({ marketplaceId: row.number, erpId: row.erpId });
    return { isPartly: named?.isPartly ?? false, rows: withLeft(db, account, choice.flows, rows, ids) };
  },

  products({ db }, account, choice, limit) {
    const named = choice.search === '' ? null : idsOf(db, productsNamed(account, choice.search));
    const rows = db
      .select({
        id: erpProducts.id,
        sku: erpProducts.sku,
        name: erpProducts.name,
        sold: sql<number>`${erpProducts.active} = 1 and ${erpProducts.deleted} = 0 and ${erpProducts.absences} = 0`,
        price: erpProducts.priceAmount,
        currency: erpProducts.currency,
        stock: sql<
          string | null
        >`(select string_agg(available, ' ') from erp_stock s where s.account = ${erpProducts.account} and s.product_id = ${erpProducts.id})`,
        listing: mappings.marketplaceId,
        archived: products.archived,
        available: products.available,
      })
      .from(erpProducts)
      .leftJoin(
        mappings,
        and(eq(mappings.account, erpProducts.account), isMapped('product'), eq(mappings.erpId, erpProducts.id)),
      )
      .leftJoin(
        products,
        and(eq(products.account, erpProducts.account), eq(products.id, wholeNumber(mappings.marketplaceId))),
      )
      .where(
        and(
          eq(erpProducts.account, account),
          choice.linked === null
            ? undefined
            : choice.linked
              ? sql`${mappings.erpId} is not null`
              : isNull(mappings.erpId),
          named === null ? undefined : isNamed(erpProducts.id, named.ids),
          isLeft(account, 'product', choice),
          productsAfter(choice) ?? undefined,
        ),
      )
      .orderBy(...productSorts(choice))
      .limit(limit)
      .all()
      .map(({ stock, available, price, sold, archived, ...row }) => ({
        ...row,
        sold: sold === 1,
        price: decimalOf(price),
        erpAvailable: stock === null ? null : Decimal.sum(...stock.split(' ')),
        archived: archived ?? false,
        available: decimalOrNull(available),
      }));
    const ids = (row: (typeof rows)[number]) => ({ marketplaceId: row.listing, erpId: row.id });
    return { isPartly: named?.isPartly ?? false, rows: withLeft(db, account, choice.flows, rows, ids) };
  },

  atStake({ db }, account, flows, limit) {
    const rows = db
      .select({
        flow: work.flow,
        heldFor: work.heldFor,
        state: shownState(),
        failed: failedJobs.cause,
        total: orders.total,
        currency: currencyOf,
      })
      .from(work)
      .innerJoin(orders, and(eq(orders.account, work.account), eq(orders.number, work.key)))
      .leftJoin(
        failedJobs,
        and(eq(failedJobs.account, work.account), eq(failedJobs.flow, work.flow), eq(failedJobs.key, work.key)),
      )
      .where(and(eq(work.account, account), inArray(work.flow, [...flows]), or(isOnHold, isNotNull(failedJobs.id))))
      .limit(limit)
      .all();
    return rows.flatMap(({ flow, heldFor, state, failed, total, currency }) => {
      if (total === null || currency === null) return [];
      const held = state === 'held' ? (heldFor ?? []).map(({ code }) => code) : [];
      return [{ flow, codes: failed === null ? held : [...held, failed], total: decimalOf(total), currency }];
    });
  },
} satisfies Reads<BrowseStore>;
