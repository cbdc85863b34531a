import { emailKey, licenseKey } from '../../domain/customer.ts';
import { DELETED } from '../../domain/status.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import type { Holding } from '../erp.ts';
import type { MappingKind } from '../links.ts';
import type { StoredProduct } from '../marketplace.ts';
import type { LinkedCustomer, ObserveStore, SoldRows, UnsettledPayments } from '../observe.ts';
import { customersLike } from './alike-customers.ts';
import { assignmentReads } from './assignments.ts';
import { batchesOfLots, batchReads, erpLotReads } from './batches.ts';
import { cursorReads } from './cursors.ts';
import { customerReads, erpCustomerReads } from './customers.ts';
import { erpOrderReads } from './erp-orders.ts';
import { erpProductReads } from './erp-products.ts';
import { erpStockReads, stockRows } from './erp-stock.ts';
import { formerSkuReads } from './former-skus.ts';
import { imageReads } from './images.ts';
import { intentReads } from './intents.ts';
import { journalReads } from './journal.ts';
import { alikeListings } from './listing-signs.ts';
import { mappingReads } from './mappings.ts';
import { measurementReads } from './measurements.ts';
import { misfitOfEntity, misfitReads } from './misfits.ts';
import { observeOrders } from './observe-orders.ts';
import { observeProductIn } from './observe-product-in.ts';
import { factsOf, isUnsettled, listingOf, NOBODY, shownListing } from './observe-rows.ts';
import { orderReads } from './orders.ts';
import type { ReadAt, Reads } from './part.ts';
import { erpPaymentReads, erpPaymentsByReference, paymentReads, paymentsOfOrder } from './payments.ts';
import { listingsByExternalId, listingsBySku, productReads } from './products.ts';
import { reconcileReads } from './reconciles.ts';
import { unseenSaleReads } from './unseen-sales.ts';

/* Rows of one entity on both sides, gathered from the parts of the store at one instant. */

export const observeReads = {
  ...observeOrders,
  ...observeProductIn,

  product(at, account, id, facts) {
    const erp = erpProductReads.product(at, account, id);
    const mapping = mappingReads.byErpId(at, account, 'product', id);
    const isLinked = mapping?.state === 'linked';
    const listing = isLinked ? productReads.get(at, account, Number(mapping.marketplaceId)) : null;
    const free = (found: readonly StoredProduct[]) =>
      found
        .filter((each) => mappingReads.byMarketplaceId(at, account, 'product', String(each.id)) === null)
        .map((each) => shownListing(at, account, each));
    const candidates = {
      byExternalId: free(listingsByExternalId(at, account, id)),
      bySku: erp === null ? [] : free(listingsBySku(at, account, erp.sku)),
    };
    const isAlone = !isLinked && candidates.byExternalId.length + candidates.bySku.length === 0;
    return {
      erp,
      mapping,
      erpMisfit: misfitOfEntity(at, account, 'erp-products', id),
      twins: erp === null ? 0 : erpProductReads.productsBySku(at, account, erp.sku).length,
      listing: listing === null ? null : shownListing(at, account, listing),
      candidates,
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
      misfit: listing === null ? null : misfitReads.get(at, account, 'assignments', String(listing.id)),
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
    return {
      ...soldOf(at, account, id, facts),
      stock: erpStockReads.stock(at, account, id),
      unseen: unseenSaleReads.kept(at, { account, erpId: id }),
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
      measuredMisfit: listingId === null ? null : misfitReads.get(at, account, 'measurements', String(listingId)),
      batches: batchesOfLots(at, account, id),
    };
  },

  batchOut(at, account, id, facts) {
    const lot = erpLotReads.lot(at, account, id);
    const linkedId = mappingReads.linkedTo(at, account, 'batch', id);
    return {
      lot,
      misfit: misfitOfEntity(at, account, 'erp-lots', id),
      product: lot === null ? null : erpProductReads.product(at, account, lot.productId),
      stock: lot === null ? [] : stockRows(at, account, lot.productId),
      mapping: mappingReads.byErpId(at, account, 'batch', id),
      shown: linkedId === null ? null : batchReads.get(at, account, Number(linkedId)),
      createInDoubt: isUnsettled(at, account, 'batch-out', id),
      facts: factsOf(at, account, facts),
    };
  },

  customerIn(at, account, id, facts) {
    const key = String(id);
    const customer = customerReads.get(at, account, id);
    const mapping = mappingReads.byMarketplaceId(at, account, 'customer', key);
    const creates = customer === null ? [] : intentReads.listUnsettled(at, account, 'customer-out');
    return {
      customer,
      mapping,
      misfit: misfitReads.get(at, account, 'customers', key),
      like:
        customer === null
          ? NOBODY
          : customersLike(at.db, account, { ...customer, marketplaceId: id, erpId: customer.externalId }),
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
    return {
      erp,
      mapping,
      erpMisfit: misfitOfEntity(at, account, 'erp-customers', id),
      customer: linkedId === null ? null : customerReads.get(at, account, Number(linkedId)),
      misfit: linkedId === null ? null : misfitReads.get(at, account, 'customers', linkedId),
      like: unlinked === null ? NOBODY : customersLike(at.db, account, signsOf(unlinked)),
      creates: creates.map(({ key }) => ({ key, customer: customerReads.get(at, account, Number(key)) })),
      createInDoubt: isUnsettled(at, account, 'customer-out', id),
      facts: factsOf(at, account, facts),
    };
  },

  paymentIn(at, account, id) {
    const payment = paymentReads.get(at, account, id);
    const order = payment === null ? null : mappingReads.byMarketplaceId(at, account, 'order', payment.orderNumber);
    const linked = order?.state === 'linked' && order.erpId !== null ? order.erpId : null;
    const references = payment === null ? [] : [payment.orderNumber, ...(order?.erpId == null ? [] : [order.erpId])];
    const isFree = ({ id: erpId }: { readonly id: string }) =>
      !isUnsettled(at, account, 'payment-out', erpId) && mappingReads.linkedTo(at, account, 'payment', erpId) === null;
    return {
      payment,
      misfit: misfitReads.get(at, account, 'payments', id),
      mapping: mappingReads.byMarketplaceId(at, account, 'payment', id),
      createInDoubt: isUnsettled(at, account, 'payment-in', id),
      reference: linked === null ? null : (erpOrderReads.order(at, account, linked)?.reference ?? null),
      unlinked: erpPaymentsByReference(at, account, references)
        .filter(({ voided, marketplaceId }) => !voided && marketplaceId === null)
        .filter(isFree),
      unsettled: unsettledPayments(at, account),
      recordedHere: (payment === null ? [] : paymentsOfOrder(at, account, payment.orderNumber)).flatMap((each) => {
        const of = mappingReads.byMarketplaceId(at, account, 'payment', each.id)?.erpId ?? null;
        return of !== null && isMade(at, account, 'payment-out', of) ? [{ payment: each, of }] : [];
      }),
      paymentsKnown: cursorReads.get(at, account, 'erp-payments') !== null,
    };
  },

  paymentOut(at, account, id, facts) {
    const payment = erpPaymentReads.payment(at, account, id);
    const linkedId = mappingReads.linkedTo(at, account, 'payment', id);
    const orderNumber = payment === null ? null : orderNumberOf(at, account, payment.reference);
    const ofOrder = orderNumber === null ? [] : paymentsOfOrder(at, account, orderNumber);
    return {
      payment,
      linkedId,
      orderNumber,
      orderGone: orderNumber !== null && orderReads.get(at, account, orderNumber)?.order.status === DELETED,
      erpMisfit: misfitOfEntity(at, account, 'erp-payments', id),
      shown: linkedId === null ? null : paymentReads.get(at, account, linkedId),
      createInDoubt: isUnsettled(at, account, 'payment-out', id),
      unlinked: ofOrder.filter((each) => !isLinkedThere(at, account, 'payment', each.id)),
      unsettled: unsettledPayments(at, account),
      recordedHere: (payment === null ? [] : erpPaymentsByReference(at, account, [payment.reference])).flatMap(
        (each) => {
          const of = mappingReads.linkedTo(at, account, 'payment', each.id);
          return of !== null && isMade(at, account, 'payment-in', of) ? [{ payment: each, of }] : [];
        },
      ),
      facts: factsOf(at, account, facts),
    };
  },
} satisfies Reads<ObserveStore>;

/**
 * The marketplace's order of an ERP payment. The payment's reference is the order's number, or the id of the linked ERP order.
 */
function orderNumberOf(at: ReadAt, account: string, reference: string): string | null {
  if (orderReads.get(at, account, reference) !== null) return reference;
  return mappingReads.linkedTo(at, account, 'order', reference);
}

/** Did a create of ours make the linked payment? */
function isMade(at: ReadAt, account: string, kind: 'payment-in' | 'payment-out', key: string): boolean {
  return intentReads.of(at, { account, kind, key }).some(({ state }) => state === 'applied');
}

function isLinkedThere(at: ReadAt, account: string, kind: MappingKind, marketplaceId: string): boolean {
  return mappingReads.byMarketplaceId(at, account, kind, marketplaceId)?.state === 'linked';
}

function signsOf({ id, marketplaceId, licenseNumber, email }: ErpCustomer) {
  return { erpId: id, marketplaceId, licenseKey: licenseKey(licenseNumber), emailKey: emailKey(email) };
}

function soldOf(at: ReadAt, account: string, id: string, facts: readonly string[]): SoldRows {
  const product = erpProductReads.product(at, account, id);
  const linked = mappingReads.linkedTo(at, account, 'product', id);
  const listingId = linked === null ? null : Number(linked);
  const lines = listingId === null ? [] : orderReads.liveLines(at, account, listingId);
  const holdings =
    listingId === null ? new Map<string, Holding | null>() : erpOrderReads.holdings(at, account, listingId);
  for (const { number } of lines) {
    if (!holdings.has(number)) holdings.set(number, erpOrderReads.ordersByReference(at, account, number)[0] ?? null);
  }
  return {
    product,
    listingId,
    lines,
    holdings,
    twins: product === null ? 0 : erpProductReads.productsBySku(at, account, product.sku).length,
    listing: listingId === null ? null : productReads.get(at, account, listingId),
    listingMisfit: linked === null ? null : misfitReads.get(at, account, 'products', linked),
    erpMisfit: misfitOfEntity(at, account, 'erp-stock', id),
    skus: skusOf(at, account, product?.sku ?? ''),
    facts: factsOf(at, account, facts),
  };
}

function skusOf(at: ReadAt, account: string, sku: string): ReadonlySet<string> {
  const [product] = erpProductReads.productsBySku(at, account, sku);
  const former = product === undefined ? [] : formerSkuReads.formerSkus(at, account, product.id);
  // Another product may have a former SKU now. It is not known which product a line with that SKU means, so the SKU is left out.
  const free = former.filter((each) => erpProductReads.productsBySku(at, account, each).length === 0);
  return new Set([sku, ...free]);
}

function unsettledPayments(at: ReadAt, account: string): UnsettledPayments {
  const recorded = intentReads.listUnsettled(at, account, 'payment-in').flatMap(({ key }) => {
    const payment = paymentReads.get(at, account, key);
    return payment === null ? [] : [{ key, payment }];
  });
  return { out: intentReads.listUnsettled(at, account, 'payment-out'), in: recorded };
}
