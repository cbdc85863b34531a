import { isBefore } from '../../../domain/instant.ts';
import { rankOf } from '../../../domain/status.ts';
import { STRATEGIES } from '../../../domain/strategy.ts';
import type { ErpOrder } from '../../../erp/connector.ts';
import { erpMisfitOf } from '../../../shadow/erp-misfits.ts';
import { areCustomersKnown } from '../../../shadow/read-customers.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { candidatesOf, type Intent } from '../../../store/intents.ts';
import type { Mapping } from '../../../store/links.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { reasonToWait } from '../../customer/in/decide.ts';
import { CUSTOMERS_UNREAD } from '../../customer/out/decide.ts';
import { matchMarketplaceCustomer } from '../../customer/out/identify.ts';
import type { AccountContext } from '../../engine/context.ts';
import type { Flow } from '../../engine/flow.ts';
import { applyOrder, MONEY_REFUSED } from './apply.ts';
import { decideOrderIn, type OrderInAction, type OrderInSnapshot } from './decide.ts';
import { type DesiredOrder, desiredOrder, type KnownProduct, sameQuantities } from './desired.ts';

/** Brings marketplace orders into the ERP and fulfilment back. Its key is the marketplace's order number. */
export const orderInFlow: Flow<OrderInSnapshot, OrderInAction> = {
  name: 'order-in',
  decide: decideOrderIn,
  apply: applyOrder,

  async observe(context, look) {
    const { account, config, store } = context;
    const number = look.key;
    const order = await store.orders.get(account, number);
    const misfit = await store.misfits.get(account, 'orders', number);
    const mapping = await store.mappings.byMarketplaceId(account, 'order', number);
    const linked = mapping?.state === 'linked';
    const desired = order === null ? null : await observeDesired(context, order);
    const found = await findErpOrders(context, number, linked ? mapping.erpId : null);
    const erpOrders = await Promise.all(found.map((each) => underPresentSkus(context, each)));
    return {
      number,
      order,
      misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
      erpOrders,
      erpMisfit: erpOrders[0] === undefined ? null : await erpMisfitOf(context, 'erp-orders', erpOrders[0].id),
      linked,
      beside: linked ? await ordersBeside(context, mapping) : [],
      maybeOurOwn: order === null || linked ? null : await maybeOurOwn(context, order, desired),
      desired,
      customer: await customerOf(context, order?.order.customer.id ?? null),
      moneyRefused: await store.facts.get(account, MONEY_REFUSED + number),
      rules: {
        strategy: STRATEGIES[config.inventory.strategy],
        transitions: config.marketplace.transitions,
        onUnmappedCustomer: config.orders.onUnmappedCustomer,
        currency: config.currency,
        tooOld:
          order !== null &&
          config.orders.exportFrom !== null &&
          isBefore(order.order.modified, config.orders.exportFrom),
      },
    };
  },
};

async function findErpOrders(
  { account, store }: AccountContext,
  number: string,
  erpId: string | null,
): Promise<StoredErpOrder[]> {
  if (erpId === null) return (await store.erp.ordersByReference(account, number)).filter(isWanted);
  const order = await store.erp.order(account, erpId);
  return order === null ? [] : [order];
}

async function ordersBeside(
  { account, store }: AccountContext,
  { marketplaceId, erpId }: Mapping,
): Promise<StoredErpOrder[]> {
  return marketplaceId === null || erpId === null ? [] : store.erp.ordersBeside(account, { marketplaceId, erpId });
}

/** A product that was given another SKU since may stand in the order's lines under the old one: that is no edit. */
async function underPresentSkus({ account, store }: AccountContext, order: StoredErpOrder): Promise<StoredErpOrder> {
  const lines = await Promise.all(
    order.lines.map(async (line) => {
      if ((await store.erp.productsBySku(account, line.sku)).length > 0) return line;
      const owner = await store.erp.formerOwner(account, line.sku);
      const product = owner === null ? null : await store.erp.product(account, owner);
      return product === null ? line : { ...line, sku: product.sku };
    }),
  );
  return { ...order, lines };
}

/** An order made in the ERP carries its own id as the reference, never a marketplace number. */
function isWanted(order: ErpOrder): boolean {
  return order.origin === 'marketplace';
}

/**
 * The poller may see our own new order before its mapping exists: exported, it would come back. So an unmapped order
 * that matches an open create of ours waits until that is settled. Once an operator has to settle it, only what looks like
 * it waits on.
 */
async function maybeOurOwn(
  { account, store }: AccountContext,
  { order }: StoredOrder,
  desired: DesiredOrder | null,
): Promise<string | null> {
  if (order.externalId !== null) {
    const erpOrder = await store.erp.order(account, order.externalId);
    return erpOrder?.origin === 'erp' ? `it carries the id of ERP order ${order.externalId}, which adopts it` : null;
  }
  const open = await store.intents.listUnsettled(account, 'order-out');
  for (const intent of open) {
    const erpOrder = await store.erp.order(account, intent.key);
    if (mayBe(order, intent, erpOrder, desired)) {
      return `it may be the order we are creating for ERP order ${intent.key}: that has to be settled first`;
    }
  }
  return null;
}

/**
 * May an order be what was made of an intent? Its candidates were looked for when nothing could come of it any more, so where
 * there are any, it is one of them, if no list shows an order later than that.
 */
function mayBe(
  { number, customer }: StoredOrder['order'],
  intent: Intent,
  erpOrder: StoredErpOrder | null,
  desired: DesiredOrder | null,
): boolean {
  const candidates = candidatesOf(intent);
  if (candidates.length > 0) return candidates.includes(number);
  if (erpOrder === null) return true;
  const customerId = erpOrder.customer.marketplaceId ?? null;
  if (customerId !== null && customerId !== customer.id) return false;
  if (intent.state !== 'in-doubt' || desired === null || 'problem' in desired) return true;
  return sameQuantities(desired.lines, erpOrder.lines);
}

async function customerOf(context: AccountContext, id: number | null): Promise<OrderInSnapshot['customer']> {
  const { account, config, store } = context;
  if (id === null) return { erpId: null, waits: null };
  const mapping = await store.mappings.byMarketplaceId(account, 'customer', String(id));
  if (mapping?.state === 'linked') return { erpId: mapping.erpId, waits: null };
  if (config.customers === null) return { erpId: null, waits: null };
  if (!(await areCustomersKnown(context))) return { erpId: null, waits: CUSTOMERS_UNREAD };
  const customer = await store.customers.get(account, id);
  const match = customer === null ? null : await matchMarketplaceCustomer(context, customer);
  return { erpId: null, waits: match === null ? null : reasonToWait(match) };
}

async function observeDesired(context: AccountContext, order: StoredOrder): Promise<DesiredOrder | null> {
  if (rankOf(order.order.status) === null) return null;
  const { config } = context;
  const products = new Map<number, KnownProduct>();
  for (const { productId } of order.lines ?? []) {
    if (!products.has(productId)) products.set(productId, await knownProduct(context, productId));
  }
  return desiredOrder(order, products, {
    unit: config.inventory.lineQuantityIn,
    excise: config.orders.exciseTax,
    currency: config.currency,
    onUnmappedProduct: config.orders.onUnmappedProduct,
  });
}

async function knownProduct({ account, store }: AccountContext, productId: number): Promise<KnownProduct> {
  const listing = await store.products.get(account, productId);
  const mapping = await store.mappings.byMarketplaceId(account, 'product', String(productId));
  const erp =
    mapping?.state === 'linked' && mapping.erpId !== null ? await store.erp.product(account, mapping.erpId) : null;
  return {
    sku: erp?.sku ?? null,
    listingSku: listing?.sku ?? null,
    listingName: listing?.name ?? null,
    unitMultiplier: listing?.unitMultiplier ?? erp?.unitMultiplier ?? null,
  };
}
