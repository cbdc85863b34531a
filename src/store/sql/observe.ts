import { emailKey, licenseKey } from '../../domain/customer.ts';
import { figure } from '../../domain/decimal.ts';
import { isGone } from '../../domain/product.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import type { Holding } from '../erp.ts';
import type { Mapping } from '../links.ts';
import type { StoredProduct } from '../marketplace.ts';
import type { LinkedCustomer, ObserveStore, SoldRows } from '../observe.ts';
import { alikeCustomers } from './alike-customers.ts';
import { assignmentReads } from './assignments.ts';
import { batchesOfLots, batchReads, erpLotReads } from './batches.ts';
import { customerReads, erpCustomerReads } from './customers.ts';
import { openDrift } from './drifts.ts';
import { erpOrderReads } from './erp-orders.ts';
import { erpProductReads } from './erp-products.ts';
import { erpStockReads, stockRows } from './erp-stock.ts';
import { formerSkuReads } from './former-skus.ts';
import { goneOf } from './gone.ts';
import { inheritanceOf } from './heirs.ts';
import { imageReads } from './images.ts';
import { intentReads } from './intents.ts';
import { invalidRowOfEntity, invalidRowReads } from './invalid-rows.ts';
import { journalReads } from './journal.ts';
import { alikeListings } from './listing-signs.ts';
import { mappingReads } from './mappings.ts';
import { measurementReads } from './measurements.ts';
import { observeOrders } from './observe-orders.ts';
import { observePayments } from './observe-payments.ts';
import { observeProductIn } from './observe-product-in.ts';
import { factsOf, isUnsettled, listingOf, NOBODY, shownListing, withoutGoneId } from './observe-rows.ts';
import { orderReads } from './orders.ts';
import type { ReadAt, Reads } from './part.ts';
import { listingsByExternalId, listingsBySku, productReads } from './products.ts';
import { reconcileReads } from './reconciles.ts';
import { unseenSaleReads } from './unseen-sales.ts';

export const observeReads = {
  ...observeOrders,
  ...observePayments,
  ...observeProductIn,

  product(at, account, id, facts) {
    const erp = erpProductReads.product(at, account, id);
    const mapping = mappingReads.byErpId(at, account, 'product', id);
    const isLinked = mapping?.state === 'linked';
    const listing = isLinked ? productReads.get(at, account, Number(mapping.marketplaceId)) : null;
    const linkOf = (each: StoredProduct) => mappingReads.byMarketplaceId(at, account, 'product', String(each.id));
    const free = (found: readonly StoredProduct[]) =>
      found.filter((each) => linkOf(each) === null).map((each) => shownListing(at, account, each));
    const ofSku = erp === null ? [] : listingsBySku(at, account, erp.sku);
    const candidates = { byExternalId: free(listingsByExternalId(at, account, id)), bySku: free(ofSku) };
    const inherits = inheritanceOf(at, account, erp, isLinked ? Number(mapping.marketplaceId) : null);
    const heirloom = inherits === null ? null : productReads.get(at, account, inherits.listingId);
    const isAlone = !isLinked && inherits === null && candidates.byExternalId.length + candidates.bySku.length === 0;
    return {
      erp,
      mapping,
      invalidErpRow: invalidRowOfEntity(at, account, 'erp-products', id),
      twins: erp === null ? 0 : erpProductReads.productsBySku(at, account, erp.sku).length,
      listing: listing === null ? null : shownListing(at, account, listing),
      listingGone: isLinked && listing === null ? goneOf(at, account, 'products', mapping.marketplaceId ?? '') : null,
      candidates,
      othersOfSku: isLinked ? [] : ofSku.flatMap((each) => linkedToOther(each, linkOf(each))),
      inherits:
        inherits === null || heirloom === null ? null : { ...inherits, listing: shownListing(at, account, heirloom) },
      alike: erp !== null && isAlone ? alikeListings(at, account, erp) : [],
      stock: erpStockReads.stock(at, account, id),
      createInDoubt: isUnsettled(at, account, 'product', id),
      facts: factsOf(at, account, facts),
    };
  },

  images(at, account, id) {
    const listing = listingOf(at, account, id);
    return {
      erp: erpProductReads.product(at, account, id),
      listing,
      placed: listing === null ? [] : imageReads.ofListing(at, account, listing.id),
      found: imageReads.ofErpProduct(at, account, id),
    };
  },

  assignments(at, account, id, facts) {
    const listing = listingOf(at, account, id);
    return {
      erp: erpProductReads.product(at, account, id),
      listing,
      content: listing === null ? null : assignmentReads.get(at, account, listing.id),
      latestWrites: journalReads.latestWrites(at, account, 'assignments', id),
      invalidRow: listing === null ? null : invalidRowReads.get(at, account, 'assignments', String(listing.id)),
      facts: factsOf(at, account, facts),
    };
  },

  linkedCustomers(at, account, erpIds) {
    const found = new Map<string, LinkedCustomer>();
    for (const erpId of erpIds) {
      const linked = mappingReads.linkedTo(at, account, 'customer', erpId);
      if (linked === null) continue;
      found.set(erpId, { id: Number(linked), stored: customerReads.get(at, account, Number(linked)) });
    }
    return found;
  },

  stock(at, account, id, facts) {
    const sold = soldOf(at, account, id, facts);
    return {
      ...sold,
      hasDrift: sold.listingId !== null && openDrift(at.db, account, sold.listingId) !== null,
      stock: erpStockReads.stock(at, account, id),
      unseen: figure(unseenSaleReads.kept(at, { account, erpId: id })),
      latestWrites: journalReads.latestWrites(at, account, 'stock', id),
    };
  },

  facilityStock(at, account, id, facts) {
    const sold = soldOf(at, account, id, facts);
    const { listingId } = sold;
    return {
      ...sold,
      stock: stockRows(at, account, id),
      reconciles: reconcileReads.latest(at, account, id),
      measured: listingId === null ? null : measurementReads.get(at, account, listingId),
      invalidMeasurements:
        listingId === null ? null : invalidRowReads.get(at, account, 'measurements', String(listingId)),
      batches: batchesOfLots(at, account, id),
    };
  },

  batchOut(at, account, id, facts) {
    const lot = erpLotReads.lot(at, account, id);
    const linkedId = mappingReads.linkedTo(at, account, 'batch', id);
    const shown = linkedId === null ? null : batchReads.get(at, account, Number(linkedId));
    return {
      lot,
      invalidRow: invalidRowOfEntity(at, account, 'erp-lots', id),
      product: lot === null ? null : erpProductReads.product(at, account, lot.productId),
      stock: lot === null ? [] : stockRows(at, account, lot.productId),
      mapping: mappingReads.byErpId(at, account, 'batch', id),
      shown,
      batchGone: linkedId !== null && shown === null ? goneOf(at, account, 'batches', linkedId) : null,
      createInDoubt: isUnsettled(at, account, 'batch-out', id),
      facts: factsOf(at, account, facts),
    };
  },

  customerIn(at, account, id, facts) {
    const key = String(id);
    const mapping = mappingReads.byMarketplaceId(at, account, 'customer', key);
    const known = customerReads.get(at, account, id);
    const customer = mapping?.state === 'linked' ? known : withoutGoneId(at, account, known);
    const creates = customer === null ? [] : intentReads.listUnsettled(at, account, 'customer-out');
    return {
      customer,
      mapping,
      invalidRow: invalidRowReads.get(at, account, 'customers', key),
      like:
        customer === null
          ? NOBODY
          : alikeCustomers(at.db, account, { ...customer, marketplaceId: id, erpId: customer.externalId }),
      creates: creates.map((intent) => ({
        key: intent.key,
        erp: erpCustomerReads.customer(at, account, intent.key),
      })),
      createInDoubt: isUnsettled(at, account, 'customer-in', key),
      facts: factsOf(at, account, facts),
    };
  },

  customerOut(at, account, id, facts) {
    const erp = erpCustomerReads.customer(at, account, id);
    const mapping = mappingReads.byErpId(at, account, 'customer', id);
    const linkedId = mapping?.state === 'linked' ? mapping.marketplaceId : null;
    const unlinked = linkedId === null ? erp : null;
    const creates = unlinked === null ? [] : intentReads.listUnsettled(at, account, 'customer-in');
    const customer = linkedId === null ? null : customerReads.get(at, account, Number(linkedId));
    // Another ERP customer may have replaced this one.
    const left = customer !== null && (erp === null || erp.active === false) ? customer : null;
    return {
      erp,
      mapping,
      invalidErpRow: invalidRowOfEntity(at, account, 'erp-customers', id),
      gone: erp === null && linkedId !== null ? goneOf(at, account, 'erp-customers', id) : null,
      customer,
      invalidRow: linkedId === null ? null : invalidRowReads.get(at, account, 'customers', linkedId),
      like:
        left !== null
          ? alikeCustomers(at.db, account, { ...left, marketplaceId: left.id, erpId: left.externalId })
          : unlinked === null
            ? NOBODY
            : alikeCustomers(at.db, account, signsOf(unlinked)),
      creates: creates.map(({ key }) => ({ key, customer: customerReads.get(at, account, Number(key)) })),
      createInDoubt: isUnsettled(at, account, 'customer-out', id),
      facts: factsOf(at, account, facts),
    };
  },
} satisfies Reads<ObserveStore>;

function signsOf({ id, marketplaceId, licenseNumber, email }: ErpCustomer) {
  return { erpId: id, marketplaceId, licenseKey: licenseKey(licenseNumber), emailKey: emailKey(email) };
}

function soldOf(at: ReadAt, account: string, id: string, facts: readonly string[]): SoldRows {
  const product = erpProductReads.product(at, account, id);
  const own = mappingReads.linkedTo(at, account, 'product', id);
  const inherits =
    product === null || isGone(product) ? null : inheritanceOf(at, account, product, own === null ? null : Number(own));
  const linked = inherits === null ? own : String(inherits.listingId);
  const listingId = linked === null ? null : Number(linked);
  const lines = listingId === null ? [] : orderReads.liveLines(at, account, listingId);
  const holdings =
    listingId === null ? new Map<string, Holding | null>() : erpOrderReads.holdings(at, account, listingId);
  return {
    product,
    listingId,
    inherits,
    lines,
    holdings,
    twins: product === null ? 0 : erpProductReads.productsBySku(at, account, product.sku).length,
    listing: listingId === null ? null : productReads.get(at, account, listingId),
    invalidListing: linked === null ? null : invalidRowReads.get(at, account, 'products', linked),
    invalidErpRow: invalidRowOfEntity(at, account, 'erp-stock', id),
    skus: skusOf(at, account, product?.sku ?? ''),
    facts: factsOf(at, account, facts),
  };
}

function linkedToOther({ id, archived }: StoredProduct, link: Mapping | null) {
  return archived || link?.state !== 'linked' || link.erpId === null ? [] : [{ listing: id, product: link.erpId }];
}

function skusOf(at: ReadAt, account: string, sku: string): ReadonlySet<string> {
  const [product] = erpProductReads.productsBySku(at, account, sku);
  const former = product === undefined ? [] : formerSkuReads.formerSkus(at, account, product.id);
  // If another product has a former SKU now, a line with it is ambiguous, so the SKU is left out.
  const free = former.filter((each) => erpProductReads.productsBySku(at, account, each).length === 0);
  return new Set([sku, ...free]);
}
