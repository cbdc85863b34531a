import type { UnlinkedStore } from '../unlinked.ts';
import { findFact, putFact } from './cursors.ts';
import { toProduct } from './erp-products.ts';
import { addActs } from './journal.ts';
import { apartFact, fillSigns } from './listing-signs.ts';
import { toStored } from './listings.ts';
import { and, asc, eq, gt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countOf } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { products } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { mappings } from './tables/work.ts';
import { releaseWork } from './work.ts';

const isLinkedThere = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${products.account} and ${mappings.kind} = 'product' and ${mappings.marketplaceId} = cast(${products.id} as text))`;
const isLinkedHere = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${erpProducts.account} and ${mappings.kind} = 'product' and ${mappings.state} = 'linked' and ${mappings.erpId} = ${erpProducts.id})`;
const isApart = sql`exists (select 1 from ${facts} where ${facts.account} = ${products.account} and ${facts.name} = ${apartFact('', null)} || ${products.id})`;

const isListedAlone = (account: string) =>
  and(eq(products.account, account), eq(products.archived, false), sql`not ${isLinkedThere}`);
const isSoldAlone = (account: string) => {
  const { active, deleted, absences } = erpProducts;
  const isSold = and(eq(active, true), eq(deleted, false), eq(absences, 0));
  return and(eq(erpProducts.account, account), isSold, sql`not ${isLinkedHere}`);
};

export const unlinkedReads = {
  counts({ db }, account) {
    return {
      listings: countOf(db, products, and(isListedAlone(account), sql`not ${isApart}`)),
      products: countOf(db, erpProducts, isSoldAlone(account)),
    };
  },

  listings({ db }, account, afterId, limit) {
    const rows = db
      .select()
      .from(products)
      .where(and(isListedAlone(account), gt(products.id, afterId)))
      .orderBy(asc(products.id))
      .limit(limit)
      .all();
    const told = (id: number) => findFact(db, { account, name: apartFact(id, null) }) !== undefined;
    return rows.map((row) => ({ ...toStored(row), isApart: told(row.id) }));
  },

  products({ db }, account, after, limit) {
    return db
      .select()
      .from(erpProducts)
      .where(and(isSoldAlone(account), gt(erpProducts.id, after)))
      .orderBy(asc(erpProducts.id))
      .limit(limit)
      .all()
      .map(toProduct);
  },
} satisfies Reads<UnlinkedStore>;

export const unlinkedWrites = {
  fillSigns({ tx }) {
    fillSigns(tx);
  },

  tellApart({ tx, nowMs }, { account, listingId, erpId }, by) {
    putFact(tx, { account, name: apartFact(listingId, erpId), value: by, updatedAtMs: nowMs });
    releaseWork(tx, { account, flow: 'product', alike: [listingId] });
    releaseWork(tx, { account, flow: 'product-in', codes: ['could-be-known'] });
    const after = erpId === null ? 'no product of the ERP' : `not ERP product ${erpId}`;
    const act = { flow: 'product', key: erpId ?? '*', action: 'map.refuse', target: `listing ${listingId}` };
    addActs(tx, [{ account, ...act, before: null, after, by }], nowMs);
  },
} satisfies Writes<UnlinkedStore>;
