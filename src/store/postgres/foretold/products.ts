import { findAssignments } from '../../sql/assignments.ts';
import { findCursor } from '../../sql/cursors.ts';
import { findErpProduct, findErpProductsBySku } from '../../sql/erp-products.ts';
import { findStockRows } from '../../sql/erp-stock.ts';
import { findImagesOfErpProduct, findImagesOfListing } from '../../sql/images.ts';
import { findProduct } from '../../sql/listings.ts';
import { findByMarketplaceId } from '../../sql/mappings.ts';
import { findOrdersOfListing } from '../../sql/observe-product-in.ts';
import { findListingsByExternalId, findListingsBySku } from '../../sql/products.ts';
import { asText } from '../foretelling.ts';
import { all, type Of, tellAnyInvalid, tellFacts, tellLatestWrites, tellListing, tellUnsettled } from './questions.ts';

const findUnlinkedOrders = all(findOrdersOfListing);

export const product: Of<'product'> = (ask, account, id, facts) => {
  const { sku } = ask(findErpProduct, { account, id });
  ask(findErpProductsBySku, { account, sku, deleted: false });
  tellListing(ask, account, id);
  const byExternalId = ask(findListingsByExternalId, { account, externalId: id });
  const bySku = ask(findListingsBySku, { account, sku });
  for (const candidate of [byExternalId, bySku]) {
    ask(findByMarketplaceId, { account, kind: 'product', marketplaceId: asText(candidate.id) });
    ask(findProduct, { account, id: candidate.id });
  }
  tellAnyInvalid(ask, account, 'products', 'erp-products');
  ask(findStockRows, { account, productId: id });
  tellUnsettled(ask, account, 'product', id);
  tellFacts(ask, account, facts);
};

export const productIn: Of<'productIn'> = (ask, account, id, facts) => {
  const what = String(id);
  const { sku } = ask(findProduct, { account, id });
  tellAnyInvalid(ask, account, 'products');
  ask(findByMarketplaceId, { account, kind: 'product', marketplaceId: what });
  ask(findUnlinkedOrders, { account, productId: id });
  ask(findErpProductsBySku, { account, sku, deleted: false });
  ask(findCursor, { account, collection: 'erp-products' });
  tellUnsettled(ask, account, 'product-in', what);
  tellFacts(ask, account, facts);
};

export const images: Of<'images'> = (ask, account, id) => {
  ask(findErpProduct, { account, id });
  ask(findImagesOfListing, { account, listingId: tellListing(ask, account, id) });
  ask(findImagesOfErpProduct, { account, productId: id });
};

export const assignments: Of<'assignments'> = (ask, account, id, facts) => {
  const listingId = tellListing(ask, account, id);
  ask(findErpProduct, { account, id });
  ask(findAssignments, { account, listingId });
  tellAnyInvalid(ask, account, 'assignments');
  tellLatestWrites(ask, account, 'assignments', id);
  tellFacts(ask, account, facts);
};
