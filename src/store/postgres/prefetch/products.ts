import { findAssignments } from '../../sql/assignments.ts';
import { findCursor } from '../../sql/cursors.ts';
import { findErpProduct, findErpProductsBySku } from '../../sql/erp-products.ts';
import { findStockRows } from '../../sql/erp-stock.ts';
import { findImagesOfErpProduct, findImagesOfListing } from '../../sql/images.ts';
import { findProduct } from '../../sql/listings.ts';
import { findByMarketplaceId } from '../../sql/mappings.ts';
import { findOrdersOfListing } from '../../sql/observe-product-in.ts';
import { findListingsByExternalId, findListingsBySku } from '../../sql/products.ts';
import { asText } from '../prefetch-plan.ts';
import {
  all,
  type Of,
  prefetchAnyInvalid,
  prefetchFacts,
  prefetchLatestWrites,
  prefetchListing,
  prefetchUnsettled,
} from './questions.ts';

const findUnlinkedOrders = all(findOrdersOfListing);

export const product: Of<'product'> = (ask, account, id, facts) => {
  const { sku } = ask(findErpProduct, { account, id });
  ask(findErpProductsBySku, { account, sku, deleted: false });
  prefetchListing(ask, account, id);
  const byExternalId = ask(findListingsByExternalId, { account, externalId: id });
  const bySku = ask(findListingsBySku, { account, sku });
  for (const candidate of [byExternalId, bySku]) {
    ask(findByMarketplaceId, { account, kind: 'product', marketplaceId: asText(candidate.id) });
    ask(findProduct, { account, id: candidate.id });
  }
  prefetchAnyInvalid(ask, account, 'products', 'erp-products');
  ask(findStockRows, { account, productId: id });
  prefetchUnsettled(ask, account, 'product', id);
  prefetchFacts(ask, account, facts);
};

export const productIn: Of<'productIn'> = (ask, account, id, facts) => {
  const what = String(id);
  const { sku } = ask(findProduct, { account, id });
  prefetchAnyInvalid(ask, account, 'products');
  ask(findByMarketplaceId, { account, kind: 'product', marketplaceId: what });
  ask(findUnlinkedOrders, { account, productId: id });
  ask(findErpProductsBySku, { account, sku, deleted: false });
  ask(findCursor, { account, collection: 'erp-products' });
  prefetchUnsettled(ask, account, 'product-in', what);
  prefetchFacts(ask, account, facts);
};

export const images: Of<'images'> = (ask, account, id) => {
  ask(findErpProduct, { account, id });
  ask(findImagesOfListing, { account, listingId: prefetchListing(ask, account, id) });
  ask(findImagesOfErpProduct, { account, productId: id });
};

export const assignments: Of<'assignments'> = (ask, account, id, facts) => {
  const listingId = prefetchListing(ask, account, id);
  ask(findErpProduct, { account, id });
  ask(findAssignments, { account, listingId });
  prefetchAnyInvalid(ask, account, 'assignments');
  prefetchLatestWrites(ask, account, 'assignments', id);
  prefetchFacts(ask, account, facts);
};
