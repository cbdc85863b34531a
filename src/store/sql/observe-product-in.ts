import type { ObserveStore, ProductInRows } from '../observe.ts';
import { cursorReads } from './cursors.ts';
import { erpProductReads } from './erp-products.ts';
import { mappingReads } from './mappings.ts';
import { factsOf, isUnsettled, shownListing } from './observe-rows.ts';
import { and, asc, eq, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { productReads } from './products.ts';
import { selecting } from './queries.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { alikeProducts } from './unlinked.ts';

/** The observation of an ordered product that the ERP may not know. */

const MOST_ORDERS = 100;

export const observeProductIn = {
  productIn(at, account, id, facts): ProductInRows {
    const key = String(id);
    const stored = productReads.get(at, account, id);
    const listing = stored === null ? null : shownListing(at, account, stored);
    const mapping = mappingReads.byMarketplaceId(at, account, 'product', key);
    const unlinked = mapping?.state === 'linked' ? null : listing;
    const sku = unlinked?.stored.sku ?? null;
    const ofAccount = { account, productId: id };
    return {
      listing,
      mapping,
      orders: findOrdersOfListing(at.db).all(ofAccount),
      sameSku: sku === null ? [] : erpProductReads.productsBySku(at, account, sku),
      alike: unlinked === null ? [] : alikeProducts(at, account, unlinked),
      productsKnown: cursorReads.get(at, account, 'erp-products') !== null,
      createInDoubt: isUnsettled(at, account, 'product-in', key),
      facts: factsOf(at, account, facts),
    };
  },
} satisfies Partial<Reads<ObserveStore>>;

const SHOWN = {
  number: orders.number,
  status: orders.status,
  firstModified: orders.firstModified,
  firstStatus: orders.firstStatus,
  history: orders.history,
};

export const findOrdersOfListing = selecting(SHOWN, (db, fields) => {
  const { account, productId, number } = orderLines;
  const isLinked = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${account} and ${mappings.kind} = 'order' and ${mappings.state} = 'linked' and ${mappings.marketplaceId} = ${number})`;
  return db
    .selectDistinct(fields)
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.account, account), eq(orders.number, number)))
    .where(
      and(
        eq(account, sql.placeholder('account')),
        eq(productId, sql.param(sql.placeholder('productId'), productId)),
        sql`not ${isLinked}`,
      ),
    )
    .orderBy(asc(orders.number))
    .limit(MOST_ORDERS);
});
