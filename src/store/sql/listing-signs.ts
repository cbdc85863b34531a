import { type Likeness, MOST_ALIKE, listingSigns as signsOf, signsSought, strengthOf } from '../../domain/alike.ts';
import type { ListingRow } from '../../domain/shadow/listing.ts';
import type { StoredErpProduct } from '../erp.ts';
import type { AlikeListing } from '../observe.ts';
import type { Queryable } from './database.ts';
import { and, eq, sql } from './orm.ts';
import type { ReadAt } from './part.ts';
import { built, deleteBy, insertInto } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { listingSigns, products } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { mappings } from './tables/work.ts';

/** Facts: an operator's decision that a listing is not this product, or no ERP product at all. */
const APART = 'apart:';

export function apartFact(listingId: number | '', erpId: string | null): string {
  return `${APART}${listingId}${erpId === null ? '' : `:${erpId}`}`;
}

const insertSign = insertInto(listingSigns);
const deleteSigns = deleteBy(listingSigns, 'account', 'listingId');

type Content = Pick<ListingRow, 'id' | 'sku' | 'name' | 'raw'>;

export function saveSigns(tx: Queryable, account: string, before: Content | undefined, row: Content): void {
  const [was, is] = [before, row].map((one) => (one === undefined ? [] : signsOf({ ...one, body: one.raw })));
  if (is === undefined || was?.join('\n') === is.join('\n')) return;
  if (before !== undefined) deleteSigns(tx, { account, listingId: row.id });
  for (const sign of is) insertSign(tx, { account, sign, listingId: row.id });
}

/**
 * Unlinked listings on sale that may be this product, unless another product claims them by id or SKU, or an operator
 * excluded them.
 */
export function alikeListings({ db }: ReadAt, account: string, erp: StoredErpProduct): AlikeListing[] {
  const found = new Map<number, { sku: string | null; name: string | null; by: Likeness[] }>();
  const values = { account, erpId: erp.id };
  for (const { from, to, by } of signsSought({ ...erp, body: erp.attributesText })) {
    for (const { id, sku, name } of findAlike(db).all({ ...values, from, to: to ?? from })) {
      const one = found.get(id) ?? { sku, name, by: [] };
      if (!one.by.includes(by)) one.by.push(by);
      found.set(id, one);
    }
  }
  const alike = [...found].map(([id, one]) => ({ id, ...one }));
  return alike.toSorted((a, b) => strengthOf(b.by) - strengthOf(a.by)).slice(0, MOST_ALIKE);
}

const findAlike = built((db) => {
  const id = products.id;
  const isSought = sql`${listingSigns.sign} between ${sql.placeholder('from')} and ${sql.placeholder('to')}`;
  const ofKind = and(eq(mappings.account, products.account), eq(mappings.kind, 'product'));
  const isLinked = sql`exists (select 1 from ${mappings} where ${ofKind} and ${mappings.marketplaceId} = cast(${id} as text))`;
  const isOther = sql`${erpProducts.account} = ${products.account} and ${erpProducts.id} <> ${sql.placeholder('erpId')} and ${erpProducts.deleted} = 0`;
  const isClaimed = sql`(exists (select 1 from ${erpProducts} where ${isOther} and ${erpProducts.sku} = ${products.sku}) or exists (select 1 from ${erpProducts} where ${isOther} and ${erpProducts.id} = ${products.externalId}))`;
  const isApart = sql`exists (select 1 from ${facts} where ${facts.account} = ${products.account} and ${facts.name} in (${APART} || ${id}, ${APART} || ${id} || ':' || ${sql.placeholder('erpId')}))`;
  return db
    .select({ id, sku: products.sku, name: products.name })
    .from(listingSigns)
    .innerJoin(products, and(eq(products.account, listingSigns.account), eq(id, listingSigns.listingId)))
    .where(
      and(
        eq(listingSigns.account, sql.placeholder('account')),
        isSought,
        eq(products.archived, false),
        sql`not ${isLinked}`,
        sql`not ${isClaimed}`,
        sql`not ${isApart}`,
      ),
    )
    .limit(MOST_ALIKE)
    .prepare();
});
