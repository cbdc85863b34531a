import { type Likeness, likenessOf, MOST_ALIKE } from '../../domain/alike.ts';
import type { AlikeProduct, ShownListing } from '../observe.ts';
import type { UnlinkedStore } from '../unlinked.ts';
import { deleteFact, findFact, putFact } from './cursors.ts';
import type { Readable } from './database.ts';
import { toProduct } from './erp-products.ts';
import { addActs } from './journal.ts';
import { apartFact } from './listing-signs.ts';
import { toStored } from './listings.ts';
import { and, asc, eq, gt, gte, lt, sql } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { rowsWhere, wholeNumber } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { products } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { mappings } from './tables/work.ts';
import { markAll, releaseWork } from './work.ts';

type Sql = ReturnType<typeof sql>;

const isLinkedThere = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${products.account} and ${mappings.kind} = 'product' and ${mappings.marketplaceId} = cast(${products.id} as text))`;
const isLinkedHere = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${erpProducts.account} and ${mappings.kind} = 'product' and ${mappings.state} = 'linked' and ${mappings.erpId} = ${erpProducts.id})`;

const isOnSale = (account: string) => and(eq(products.account, account), eq(products.archived, false));
const isSold = (account: string) => {
  const { active, deleted, absences } = erpProducts;
  return and(eq(erpProducts.account, account), eq(active, true), eq(deleted, false), eq(absences, 0));
};
const isListedAlone = (account: string) => and(isOnSale(account), sql`not ${isLinkedThere}`);
const isSoldAlone = (account: string) => and(isSold(account), sql`not ${isLinkedHere}`);

const APART = apartFact('', null);

/** All ids are read in order and merged: fast even for 100,000. */
function countLess(db: Readable, ids: Sql, ...others: readonly Sql[]): number {
  const less = others.map((other) => sql` except ${other}`);
  const rows = db.select({ count: sql<number>`count(*)` }).from(sql`(${ids}${sql.join(less)} order by 1) as alone`);
  return rows.get()?.count ?? 0;
}

export const unlinkedReads = {
  counts({ db }, account) {
    const linked = sql`from ${mappings} where ${mappings.account} = ${account} and ${mappings.kind} = 'product'`;
    const apartFacts = and(eq(facts.account, account), gte(facts.name, APART), lt(facts.name, `${APART}:`));
    const apart = sql`(select substr(${facts.name}, ${APART.length + 1}) as id from ${facts} where ${apartFacts}) as apart`;
    return {
      listings: countLess(
        db,
        sql`select ${products.id} from ${products} where ${isOnSale(account)}`,
        sql`select ${wholeNumber(mappings.marketplaceId)} ${linked} and ${mappings.marketplaceId} is not null`,
        sql`select ${wholeNumber(sql`id`)} from ${apart} where instr(id, ':') = 0`,
      ),
      products: countLess(
        db,
        sql`select ${erpProducts.id} from ${erpProducts} where ${isSold(account)}`,
        sql`select ${mappings.erpId} ${linked} and ${mappings.state} = 'linked' and ${mappings.erpId} is not null`,
      ),
    };
  },

  listings({ db }, account, afterId, limit) {
    const isAfter = and(isListedAlone(account), gt(products.id, afterId));
    const rows = rowsWhere(db, products, isAfter, { order: [asc(products.id)], limit });
    const isApart = (id: number) => findFact(db, { account, name: apartFact(id, null) }) !== undefined;
    return rows.map((row) => ({ ...toStored(row), isApart: isApart(row.id) }));
  },

  products({ db }, account, after, limit) {
    const isAfter = and(isSoldAlone(account), gt(erpProducts.id, after));
    return rowsWhere(db, erpProducts, isAfter, { order: [asc(erpProducts.id)], limit }).map(toProduct);
  },
} satisfies Reads<UnlinkedStore>;

export const unlinkedWrites = {
  tellApart({ tx, nowMs }, { account, listingId, erpId }, by) {
    putFact(tx, { account, name: apartFact(listingId, erpId), value: by, updatedAtMs: nowMs });
    releaseWork(tx, { account, flow: 'product', alike: [listingId] });
    releaseWork(tx, { account, flow: 'product-in', codes: ['could-be-known'] });
    const after = erpId === null ? 'no product of the ERP' : `not ERP product ${erpId}`;
    const act = { flow: 'product', key: erpId ?? '*', action: 'map.refuse', target: `listing ${listingId}` };
    addActs(tx, [{ account, ...act, before: null, after, by }], nowMs);
  },

  forgetApart({ tx, nowMs }, { account, listingId, erpId }, by) {
    deleteFact(tx, { account, name: apartFact(listingId, erpId) });
    const product = erpId === null ? [] : [{ account, flow: 'product', key: erpId }];
    markAll(tx, product, 'operator', `listing ${listingId} may be it again`, nowMs);
    const act = { flow: 'product', key: erpId ?? '*', action: 'map.reconsider', target: `listing ${listingId}` };
    const before = erpId === null ? 'no product of the ERP' : `not ERP product ${erpId}`;
    addActs(tx, [{ account, ...act, before, after: null, by }], nowMs);
  },
} satisfies Writes<UnlinkedStore>;

const PAGE = 500;

/**
 * Unlinked ERP products on sale that may be this listing, without those that an operator excluded. Few products are
 * unlinked, so each is compared.
 */
export function alikeProducts(at: ReadAt, account: string, { stored, raw }: ShownListing): AlikeProduct[] {
  const { id: listingId, sku, name } = stored;
  const isApart = (erpId: string) =>
    [apartFact(listingId, erpId), apartFact(listingId, null)].some(
      (fact) => findFact(at.db, { account, name: fact }) !== undefined,
    );
  const found: AlikeProduct[] = [];
  let after: string | null = '';
  while (after !== null && found.length < MOST_ALIKE) {
    const page = unlinkedReads.products(at, account, after, PAGE);
    for (const product of page) {
      const by: Likeness[] = likenessOf(
        { sku, name: name ?? null, body: raw ?? '{}' },
        { ...product, body: product.attributesText },
      );
      if (by.length > 0 && !isApart(product.id)) found.push({ id: product.id, sku: product.sku, by });
    }
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
  return found.slice(0, MOST_ALIKE);
}
