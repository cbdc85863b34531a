import type { ObserveStore, ProductInRows } from '../observe.ts';
import { erpProductReads } from './erp-products.ts';
import { mappingReads } from './mappings.ts';
import { factsOf, isUnsettled, shownListing } from './observe-rows.ts';
import { and, asc, desc, eq, inArray, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { productReads } from './products.ts';
import { selecting } from './queries.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { alikeProducts } from './unlinked.ts';

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
  const { account, number } = orders;
  const isLinked = sql`exists (select 1 from ${mappings} where ${mappings.account} = ${account} and ${mappings.kind} = 'order' and ${mappings.state} = 'linked' and ${mappings.marketplaceId} = ${number})`;
  const isOfListing = eq(orderLines.productId, sql.param(sql.placeholder('productId'), orderLines.productId));
  const withListing = db
    .select({ number: orderLines.number })
    .from(orderLines)
    .where(and(eq(orderLines.account, sql.placeholder('account')), isOfListing));
  // Orders of the past stay unlinked for good, and must not displace orders that need work.
  const isSurelyWork = sql`case when ${orders.history} = 'enter' or ${orders.firstModified} is null then 0 else 1 end`;
  return db
    .select(fields)
    .from(orders)
    .where(and(eq(account, sql.placeholder('account')), inArray(number, withListing), sql`not ${isLinked}`))
    .orderBy(isSurelyWork, desc(orders.firstModified), asc(number))
    .limit(MOST_ORDERS);
});
