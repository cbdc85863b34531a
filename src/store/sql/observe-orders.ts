import { type BaseRecord, baseOf } from '../../domain/order-base.ts';
import type { StoredErpOrder, StoredErpProduct } from '../erp.ts';
import type { Mapping } from '../links.ts';
import type { ObserveStore, OrderInRows, OrderOutRows, ProductOfLine } from '../observe.ts';
import { alikeCustomers } from './alike-customers.ts';
import { baseReads } from './bases.ts';
import { customerReads } from './customers.ts';
import { erpOrderReads } from './erp-orders.ts';
import { erpProductReads } from './erp-products.ts';
import { formerOwner } from './former-skus.ts';
import { inheritanceOf } from './heirs.ts';
import { intentReads } from './intents.ts';
import { invalidRowOfEntity, invalidRowReads } from './invalid-rows.ts';
import { mappingReads } from './mappings.ts';
import { erpCustomerGone, factsOf, isUnsettled, listingOf, NOBODY, withoutGoneId } from './observe-rows.ts';
import { findOrder } from './order-rows.ts';
import { orderReads } from './orders.ts';
import type { ReadAt, Reads } from './part.ts';
import { productReads } from './products.ts';
import { transportsOfOrder } from './transports.ts';

export const observeOrders = {
  orderIn(at, account, number, facts) {
    const order = orderReads.get(at, account, number);
    const mapping = mappingReads.byMarketplaceId(at, account, 'order', number);
    const isLinked = mapping?.state === 'linked';
    const erpOrders = isLinked ? present(at, account, mapping.erpId) : madeFrom(at, account, number);
    const [first] = erpOrders;
    const unlinked = isLinked ? null : order;
    const externalId = unlinked?.order.externalId ?? null;
    const customerId = order?.order.customer.id ?? null;
    const [marketplaceId, erpId] = [mapping?.marketplaceId ?? null, mapping?.erpId ?? null];
    const products = new Map(
      (order?.lines ?? []).map(({ productId }) => [productId, productOf(at, account, productId)]),
    );
    const erps = [...products.values()].flatMap(({ erp }) => erp ?? []);
    const sold = erps.filter(({ deleted }) => !deleted);
    const base = baseReads.get(at, account, number);
    const creates = unlinked === null || externalId !== null ? [] : intentReads.listUnsettled(at, account, 'order-out');
    return {
      order,
      mapping,
      base,
      erpOrders,
      invalidRow: invalidRowReads.get(at, account, 'orders', number),
      invalidErpRow: first === undefined ? null : invalidRowOfEntity(at, account, 'erp-orders', first.id),
      presentSkus: presentSkus(at, account, {
        skus: beside([...skusOf(erpOrders), ...agreedSkus(base)], sold),
        sure: first !== undefined && hasShipped(first) ? new Set(erps.map(({ id }) => id)) : NOTHING_SURE,
      }),
      beside:
        isLinked && marketplaceId !== null && erpId !== null
          ? erpOrderReads.otherOrders(at, account, { marketplaceId, erpId })
          : [],
      reusing: isLinked && erpId !== null ? ordersReusing(at, account, number, erpId) : [],
      ofOther:
        isLinked && first !== undefined
          ? (otherOrderOf(at, account, mapping, first) ?? madeElsewhere(mapping, base, first))
          : null,
      carried: externalId === null ? null : erpOrderReads.order(at, account, externalId),
      creates: creates.map((intent) => ({ intent, erpOrder: erpOrderReads.order(at, account, intent.key) })),
      products,
      listed: listedSkus(at, account, beside(skusOf(erpOrders), erps)),
      customer: customerOf(at, account, customerId, isLinked),
      createInDoubt: !isLinked && isUnsettled(at, account, 'order-in', number),
      transports: isLinked ? [] : transportsOfOrder(at, account, number),
      facts: factsOf(at, account, facts),
    };
  },

  orderOut(at, account, id) {
    const erpOrder = erpOrderReads.order(at, account, id);
    const customerId = erpOrder?.customer.id;
    return {
      erpOrder,
      invalidErpRow: invalidRowOfEntity(at, account, 'erp-orders', id),
      linkedNumber: mappingReads.linkedTo(at, account, 'order', id),
      namesake: erpOrder === null ? null : namesakeOf(at, account, erpOrder),
      createInDoubt: isUnsettled(at, account, 'order-out', id),
      customerId: customerId === undefined ? null : mappingReads.linkedTo(at, account, 'customer', customerId),
      products: listedSkus(at, account, new Set(erpOrder?.lines.map(({ sku }) => sku))),
    };
  },

  approvalOut(at, account, id, facts) {
    const erpOrder = erpOrderReads.order(at, account, id);
    const linked = mappingReads.byErpId(at, account, 'order', id);
    const number =
      linked?.state === 'linked' && !isOfOther(at, account, linked, erpOrder) ? linked.marketplaceId : null;
    return {
      erpOrder,
      number,
      order: number === null ? null : orderReads.raw(at, account, number),
      tellInDoubt: isUnsettled(at, account, 'approval-out', id),
      facts: factsOf(at, account, facts),
    };
  },

  transportIn(at, account, key, facts) {
    const byNumber = mappingReads.byMarketplaceId(at, account, 'order', key);
    const mapping = byNumber ?? mappingReads.byErpId(at, account, 'order', key);
    const erpId = mapping?.state === 'linked' ? mapping.erpId : null;
    const linked = erpId === null ? null : erpOrderReads.order(at, account, erpId);
    return {
      transports: transportsOfOrder(at, account, key),
      erpOrder: mapping === null || isOfOther(at, account, mapping, linked) ? null : linked,
      invalidErpRow: erpId === null ? null : invalidRowOfEntity(at, account, 'erp-orders', erpId),
      facts: factsOf(at, account, facts),
    };
  },
} satisfies Reads<ObserveStore>;

function namesakeOf({ db }: ReadAt, account: string, { id, origin, reference }: StoredErpOrder): string | null {
  if (origin !== 'erp' || reference === id) return null;
  return findOrder(db, { account, number: reference }) === undefined ? null : reference;
}

/** SKUs of exactly one product, with its listing. */
function listedSkus(at: ReadAt, account: string, skus: ReadonlySet<string>): OrderOutRows['products'] {
  return new Map(
    [...skus].flatMap((sku) => {
      const [erp, twin] = erpProductReads.productsBySku(at, account, sku);
      if (erp === undefined || twin !== undefined) return [];
      return [[sku, { erp, listing: listingOf(at, account, erp.id) }]];
    }),
  );
}

function skusOf(orders: readonly StoredErpOrder[]): string[] {
  return orders.flatMap(({ lines }) => lines.map(({ sku }) => sku));
}

/** The SKUs on which both sides agreed. Neither side may have these lines any more. */
function agreedSkus(base: BaseRecord | null): string[] {
  const quantities = [...(base?.agreed?.quantities ?? []), ...(base?.sent?.base.quantities ?? [])];
  return quantities.map(([sku]) => sku);
}

function beside(skus: readonly string[], products: readonly StoredErpProduct[]): Set<string> {
  const skusOfProducts = new Set(products.map(({ sku }) => sku));
  return new Set(skus.filter((sku) => !skusOfProducts.has(sku)));
}

function present(at: ReadAt, account: string, erpId: string | null): StoredErpOrder[] {
  const order = erpId === null ? null : erpOrderReads.order(at, account, erpId);
  return order === null ? [] : [order];
}

/**
 * An order created in the ERP carries its own id as the reference. A marketplace number on it was typed by somebody.
 */
function madeFrom(at: ReadAt, account: string, number: string): StoredErpOrder[] {
  return erpOrderReads.ordersByReference(at, account, number).filter(({ origin }) => origin === 'marketplace');
}

/** ERP-created orders, other than the linked one, that use a marketplace number as their reference. */
function ordersReusing(at: ReadAt, account: string, number: string, linkedId: string): string[] {
  const found = erpOrderReads.ordersByReference(at, account, number);
  const others = found.filter(
    ({ id, origin, status }) => id !== linkedId && origin === 'erp' && status !== 'cancelled',
  );
  return others.map(({ id }) => id);
}

/** How a link was made that a person asked for. */
const BY_A_PERSON = 'operator';

/** The other known order whose number the linked ERP order carries. An ERP that was restored gives its ids again. */
function otherOrderOf(
  { db }: ReadAt,
  account: string,
  { marketplaceId, how }: Pick<Mapping, 'marketplaceId' | 'how'>,
  { origin, reference }: StoredErpOrder,
): string | null {
  if (origin === 'erp' || how === BY_A_PERSON || reference === marketplaceId) return null;
  return findOrder(db, { account, number: reference }) === undefined ? null : reference;
}

/** The ERP gave the id of the order that we made to one of its own. Returns that id. */
function madeElsewhere(
  { how }: Pick<Mapping, 'how'>,
  base: BaseRecord | null,
  { id, origin }: StoredErpOrder,
): string | null {
  const agreed = baseOf(base, id)?.agreed ?? null;
  const isReused = how !== BY_A_PERSON && agreed?.erpId === id && agreed.origin === 'marketplace' && origin === 'erp';
  return isReused ? id : null;
}

function isOfOther(at: ReadAt, account: string, link: Mapping, erpOrder: StoredErpOrder | null): boolean {
  return erpOrder !== null && otherOrderOf(at, account, link, erpOrder) !== null;
}

const NOTHING_SURE: ReadonlySet<string> = new Set();

/** A shipped line keeps the SKU of its time, whichever product has that SKU now. */
function hasShipped({ status, lines }: StoredErpOrder): boolean {
  return status === 'shipped' || lines.every(({ shipped }) => shipped?.greaterThan(0) ?? false);
}

/**
 * Order lines may still show a product's former SKU.
 * @param sure products whose former SKU means them, although another product may have taken it over
 */
function presentSkus(
  at: ReadAt,
  account: string,
  { skus, sure }: { readonly skus: ReadonlySet<string>; readonly sure: ReadonlySet<string> },
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const sku of skus) {
    const isTaken = erpProductReads.productsBySku(at, account, sku).length > 0;
    if (isTaken && sure.size === 0) continue;
    const owner = formerOwner(at.db, account, sku);
    if (isTaken && (owner === null || !sure.has(owner))) continue;
    const product = owner === null ? null : erpProductReads.product(at, account, owner);
    if (product !== null) renamed.set(sku, product.sku);
  }
  return renamed;
}

function productOf(at: ReadAt, account: string, listingId: number): ProductOfLine {
  const mapping = mappingReads.byMarketplaceId(at, account, 'product', String(listingId));
  const erpId = mapping?.state === 'linked' ? mapping.erpId : null;
  const listing = productReads.get(at, account, listingId);
  const erp = erpId === null ? null : erpProductReads.product(at, account, erpId);
  // A product that took another one's SKU may not be what was ordered here.
  const isDoubtful = erp !== null && listing?.sku !== erp.sku && inheritanceOf(at, account, erp, listingId) !== null;
  return { listing, erp: isDoubtful ? null : erp };
}

function customerOf(at: ReadAt, account: string, id: number | null, isExported: boolean): OrderInRows['customer'] {
  if (id === null) return null;
  const mapping = mappingReads.byMarketplaceId(at, account, 'customer', String(id));
  const known = customerReads.get(at, account, id);
  const content = known?.content ?? null;
  const stored = mapping?.state === 'linked' ? null : withoutGoneId(at, account, known);
  const erpId = isExported || mapping?.state !== 'linked' ? null : mapping.erpId;
  const erpGone = erpId === null ? null : erpCustomerGone(at, account, erpId);
  if (stored === null) return { mapping, erpGone, stored, content, like: NOBODY };
  return {
    mapping,
    erpGone,
    stored,
    content,
    like: alikeCustomers(at.db, account, { ...stored, marketplaceId: id, erpId: stored.externalId }),
  };
}
