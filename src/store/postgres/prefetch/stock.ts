import { findBatch, findLot, findLotsOfProduct } from '../../sql/batches.ts';
import { findFact } from '../../sql/cursors.ts';
import { findOpenDrift } from '../../sql/drifts.ts';
import { findHeirs, findHoldings } from '../../sql/erp-holdings.ts';
import { findErpProduct, findErpProductsBySku } from '../../sql/erp-products.ts';
import { findStockRows } from '../../sql/erp-stock.ts';
import { FORMER_SKUS, SKU_WAS } from '../../sql/former-skus.ts';
import { findByErpId } from '../../sql/mappings.ts';
import { ALL_READ, findMeasured } from '../../sql/measurements.ts';
import { findLinesOfProduct } from '../../sql/order-rows.ts';
import { findReconciles, KIND } from '../../sql/reconciles.ts';
import { type Ask, asNumber, type ColumnOf, eachIn } from '../prefetch-plan.ts';
import {
  all,
  type Of,
  prefetchAnyInvalid,
  prefetchFacts,
  prefetchLatestWrites,
  prefetchListing,
  prefetchUnsettled,
} from './questions.ts';

const findLines = all(findLinesOfProduct);
const findDrift = all(findOpenDrift);
const findHeld = all(findHoldings);
const findHeldByHeirs = all(findHeirs);
const findCommands = all(findReconciles);

export const stock: Of<'stock'> = (ask, account, id, facts) => {
  ask(findDrift, { account, listingId: tellSold(ask, account, id) });
  prefetchFacts(ask, account, facts);
  ask(findStockRows, { account, productId: id });
  prefetchUnsettled(ask, account, 'unseen-sale', id);
  prefetchLatestWrites(ask, account, 'stock', id);
};

export const facilityStock: Of<'facilityStock'> = (ask, account, id, facts) => {
  const listingId = tellSold(ask, account, id);
  prefetchFacts(ask, account, facts);
  ask(findStockRows, { account, productId: id });
  ask(findCommands, { account, kind: KIND, key: id });
  ask(findFact, { account, name: ALL_READ });
  ask(findMeasured, { account, listingId });
  prefetchAnyInvalid(ask, account, 'measurements');
  ask(findByErpId, { account, kind: 'batch', erpId: ask(findLotsOfProduct, { account, productId: id }).id });
};

export const batchOut: Of<'batchOut'> = (ask, account, id, facts) => {
  const { productId } = ask(findLot, { account, id });
  prefetchAnyInvalid(ask, account, 'erp-lots');
  ask(findErpProduct, { account, id: productId });
  ask(findStockRows, { account, productId });
  ask(findBatch, { account, id: asNumber(ask(findByErpId, { account, kind: 'batch', erpId: id }).marketplaceId) });
  prefetchUnsettled(ask, account, 'batch-out', id);
  prefetchFacts(ask, account, facts);
};

/** Prefetches a product, its listing and the order lines that take units of it. Returns the listing's id. */
function tellSold(ask: Ask, account: string, id: string): ColumnOf<number> {
  const { sku } = ask(findErpProduct, { account, id });
  const listingId = prefetchListing(ask, account, id);
  ask(findLines, { account, productId: listingId });
  for (const find of [findHeld, findHeldByHeirs]) ask(find, { account, productId: listingId });
  prefetchAnyInvalid(ask, account, 'products', 'erp-stock');
  const { id: twin } = ask(findErpProductsBySku, { account, sku, deleted: false });
  const known = ask(findFact, { account, name: twin.as((column) => `'${FORMER_SKUS}' || ${column}`) });
  const former = eachIn(known.value, '$[*]');
  ask(findFact, { account, name: former.as((column) => `'${SKU_WAS}' || ${column}`) });
  ask(findErpProductsBySku, { account, sku: former, deleted: false });
  return listingId;
}
