import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { orderStanding } from '../../../domain/history.ts';
import { agreedPrices, type BaseRecord, recordOf, underSkus } from '../../../domain/order-base.ts';
import { rankOf } from '../../../domain/status.ts';
import { STRATEGIES } from '../../../domain/strategy.ts';
import type { Capabilities } from '../../../erp/capabilities.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import { parseJson } from '../../../http/json.ts';
import { field, readText } from '../../../marketplace/entities/amounts.ts';
import { capabilitiesIn, ERP_SAID } from '../../../shadow/erp-capabilities.ts';
import { FIRST_START, ordersFromIn } from '../../../shadow/orders-from.ts';
import { CUSTOMERS_KNOWN } from '../../../shadow/read-customers.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { candidatesOf, type Intent } from '../../../store/intents.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import type { OrderInRows, ProductOfLine } from '../../../store/observe.ts';
import { misfitText } from '../../../store/reading.ts';
import { addressOf } from '../../customer/in/create.ts';
import { reasonToWait } from '../../customer/in/decide.ts';
import { matchMarketplaceCustomer } from '../../customer/out/match.ts';
import type { AccountContext } from '../../engine/context.ts';
import type { Flow } from '../../engine/flow.ts';
import { shownShort, withoutGivenUp } from '../short.ts';
import { applyOrder, EDIT_REFUSED, MONEY_REFUSED } from './apply.ts';
import { BACKORDER, isBackInStock } from './backorder.ts';
import { recordNow } from './base.ts';
import { decideOrderIn } from './decide.ts';
import type { KnownListing, OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { type KnownProduct, sameQuantities, type WantedOrder, wantedOrder } from './wanted.ts';

type Config = AccountContext['config'];

/** Brings marketplace orders into the ERP and fulfilment back. Its key is the marketplace's order number. */
export const orderInFlow: Flow<OrderInSnapshot, OrderInAction> = {
  name: 'order-in',
  decide: decideOrderIn,
  apply: applyOrder,

  async remember({ account, store }, { key: number }, snapshot) {
    const record = recordNow(snapshot);
    if (record === null || JSON.stringify(record) === JSON.stringify(snapshot.base)) return;
    await store.bases.save(account, number, record);
  },

  async observe({ account, config, store }, number) {
    const [refused, editRefused] = [MONEY_REFUSED + number, EDIT_REFUSED + number];
    const rows = await store.observe.orderIn(account, number, [
      ...CUSTOMERS_KNOWN,
      refused,
      editRefused,
      ERP_SAID,
      FIRST_START,
    ]);
    const { order, presentSkus } = rows;
    const can = capabilitiesIn(config, rows.facts);
    const linked = rows.mapping?.state === 'linked';
    const from = ordersFromIn(config, rows.facts);
    const [only] = rows.erpOrders;
    const base = rows.base === null || only === undefined ? null : recordOf(rows.base, only.id);
    const wanted = order === null ? null : wantedOf(config, can, delivered(order, rows), rows.products, base);
    const underPresentSku = (line: ErpOrderLine) => ({ ...line, sku: presentSkus.get(line.sku) ?? line.sku });
    return {
      number,
      order,
      misfit: misfitText(rows.misfit),
      // The order's lines may still show a product's former SKU: that is no edit.
      erpOrders: rows.erpOrders
        .map((erpOrder) => ({ ...erpOrder, lines: erpOrder.lines.map(underPresentSku) }))
        .map((erpOrder) => (can.partialShipments ? withoutGivenUp(erpOrder) : erpOrder)),
      short: only === undefined || !can.partialShipments ? null : shownShort(only),
      erpMisfit: misfitText(rows.erpMisfit),
      linked,
      base: base === null ? null : underSkus(base, presentSkus),
      listings: listingsOf(rows),
      beside: rows.beside,
      maybeOurOwn: order === null || linked ? null : maybeOurOwn(order, rows, wanted),
      wanted,
      backInStock:
        config.orders.acceptBackorders &&
        order?.order.status === BACKORDER &&
        isBackInStock(order.lines, (id) => rows.products.get(id)?.listing ?? null, config.inventory.lineQuantityIn),
      standing: order === null ? 'work' : orderStanding(order.seen, from),
      from: from?.at ?? null,
      customer: customerOf(config, rows),
      delivery: can.orderDetails ? deliveryOf(rows) : {},
      moneyRefused: rows.facts.get(refused) ?? null,
      editRefused: rows.facts.get(editRefused) ?? null,
      rules: {
        strategy: STRATEGIES[config.inventory.strategy],
        transitions: config.marketplace.transitions,
        onUnmappedCustomer: config.orders.onUnmappedCustomer,
        currency: config.currency,
        unit: config.inventory.lineQuantityIn,
        prices: config.orders.prices,
        erpEdits: config.orders.erpEdits,
        deleted: config.orders.deleted,
        totalsComputed: can.totals === 'computed',
        editing: can.editing,
      },
    };
  },
};

/**
 * The poller may see our own new order before it is linked. If it were exported, it would come back into the ERP. So an
 * unlinked order that matches an open create of ours waits until the create is settled. Once an operator has to settle the
 * create, only orders that resemble it still wait.
 */
function maybeOurOwn(
  { order }: StoredOrder,
  { carried, creates }: OrderInRows,
  wanted: WantedOrder | null,
): Cause | null {
  const { number, externalId } = order;
  if (externalId !== null) {
    return carried?.origin === 'erp' ? cause('order-adopted-soon', { order: number, erpOrder: externalId }) : null;
  }
  const its = creates.find(({ intent, erpOrder }) => mayBe(order, intent, erpOrder, wanted));
  return its === undefined ? null : cause('order-maybe-ours', { order: number, erpOrder: its.intent.key });
}

/**
 * May this order be the one that an intent created? The candidates were looked for when the create could not be applied any
 * more. So if there are candidates, the order is one of them, unless lists show orders even later than that.
 */
function mayBe(
  { number, customer }: StoredOrder['order'],
  intent: Intent,
  erpOrder: StoredErpOrder | null,
  wanted: WantedOrder | null,
): boolean {
  const candidates = candidatesOf(intent);
  if (candidates.length > 0) return candidates.includes(number);
  if (erpOrder === null) return true;
  const customerId = erpOrder.customer.marketplaceId ?? null;
  if (customerId !== null && customerId !== customer.id) return false;
  if (intent.state !== 'in-doubt' || wanted === null || 'problem' in wanted) return true;
  return sameQuantities(wanted.lines, erpOrder.lines);
}

function customerOf(config: Config, { customer, facts }: OrderInRows): OrderInSnapshot['customer'] {
  if (customer === null) return { erpId: null, waits: null };
  const { mapping, stored, like } = customer;
  if (mapping?.state === 'linked') return { erpId: mapping.erpId, waits: null };
  if (config.customers === null) return { erpId: null, waits: null };
  if (!CUSTOMERS_KNOWN.every((name) => facts.has(name))) return { erpId: null, waits: cause('customers-unread') };
  return { erpId: null, waits: stored === null ? null : reasonToWait(matchMarketplaceCustomer(stored, like)) };
}

/**
 * The spec shows no address and no day of delivery on an order. The address is the customer's, the day is that of the
 * transport orders.
 */
function deliveryOf({ customer, transports }: OrderInRows): OrderInSnapshot['delivery'] {
  const shipTo = customer?.content == null ? null : addressOf(parseJson(customer.content), 'delivery_address');
  const [deliveryDate] = transports.flatMap(({ requestedOn }) => requestedOn ?? []).toSorted();
  return { ...(shipTo === null ? {} : { shipTo }), ...(deliveryDate === undefined ? {} : { deliveryDate }) };
}

/** Listings of the lines, and those of SKUs that only the ERP's order has. */
function listingsOf({ products, listed }: OrderInRows): Map<string, KnownListing> {
  const found = new Map<string, KnownListing>();
  for (const { erp, listing } of [...products.values(), ...listed.values()]) {
    if (erp === null || listing === null) continue;
    const unitMultiplier = listing.unitMultiplier ?? erp.unitMultiplier;
    found.set(erp.sku, { id: listing.id, archived: listing.archived, unitMultiplier });
  }
  return found;
}

/** If the order shows no state of delivery, its customer's state counts. */
function delivered(order: StoredOrder, { customer }: OrderInRows): StoredOrder {
  if (order.order.deliveryState !== null || customer?.content == null) return order;
  const deliveryState = readText(field(field(parseJson(customer.content), 'delivery_address'), 'state'));
  return { ...order, order: { ...order.order, deliveryState } };
}

function wantedOf(
  config: Config,
  can: Capabilities,
  order: StoredOrder,
  products: OrderInRows['products'],
  base: BaseRecord | null,
): WantedOrder | null {
  if (rankOf(order.order.status) === null) return null;
  const known = new Map(products.entries().map(([id, rows]) => [id, knownProduct(rows)]));
  return wantedOrder(order, known, {
    unit: config.inventory.lineQuantityIn,
    excise: config.orders.exciseTax,
    currency: config.currency,
    onUnmappedProduct: takenBy(can, config.orders.onUnmappedProduct),
    decimals: can.decimals,
    orderDetails: can.orderDetails,
    prices: config.orders.prices,
    agreed: agreedPrices(base),
  });
}

/** An order whose product cannot be made is held for its link. */
function takenBy({ products }: Capabilities, wanted: 'hold' | 'create' | 'pass'): 'hold' | 'create' | 'pass' {
  return wanted === 'create' && !products ? 'hold' : wanted;
}

function knownProduct({ listing, erp }: ProductOfLine): KnownProduct {
  return {
    sku: erp?.sku ?? null,
    listingSku: listing?.sku ?? null,
    listingName: listing?.name ?? null,
    unitMultiplier: listing?.unitMultiplier ?? erp?.unitMultiplier ?? null,
  };
}
