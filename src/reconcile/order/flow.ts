import { isBefore } from '../../domain/instant.ts';
import { rankOf } from '../../domain/status.ts';
import { STRATEGIES } from '../../domain/strategy.ts';
import type { ErpOrder } from '../../erp/connector.ts';
import { erpMisfitOf } from '../../reading/erp-misfits.ts';
import type { StoredErpOrder } from '../../store/erp-orders.ts';
import type { StoredOrder } from '../../store/orders.ts';
import type { AccountContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { applyOrder, MONEY_REFUSED } from './apply.ts';
import { decideOrder, type OrderAction, type OrderSnapshot } from './decide.ts';
import { type DesiredOrder, desiredOrder, type KnownProduct } from './desired.ts';

/** Brings marketplace orders into the ERP and fulfilment back. Its key is the marketplace's order number. */
export const orderFlow: Flow<OrderSnapshot, OrderAction> = {
  name: 'order',
  decide: decideOrder,
  apply: applyOrder,

  async observe(context, look) {
    const { account, config, store } = context;
    const number = look.key;
    const order = await store.orders.get(account, number);
    const misfit = await store.misfits.get(account, 'orders', number);
    const mapping = await store.mappings.byMarketplaceId(account, 'order', number);
    const linked = mapping?.state === 'linked';
    const erpOrders = await findErpOrders(context, number, linked ? mapping.erpId : null);
    return {
      number,
      order,
      misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
      erpOrders,
      erpMisfit: erpOrders[0] === undefined ? null : await erpMisfitOf(context, 'erp-orders', erpOrders[0].id),
      linked,
      maybeOurOwn: order === null || linked ? null : await maybeOurOwn(context, order),
      desired: order === null ? null : await observeDesired(context, order),
      customer: { erpId: await customerOf(context, order?.order.customer.id ?? null) },
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

/** An order made in the ERP carries its own id as the reference, never a marketplace number. */
function isWanted(order: ErpOrder): boolean {
  return order.origin === 'marketplace';
}

/**
 * The poller may see our own new order before its mapping exists: exported, it would come back. So an unmapped order
 * that matches an open create of ours waits until that is settled.
 */
async function maybeOurOwn({ account, store }: AccountContext, { order }: StoredOrder): Promise<string | null> {
  if (order.externalId !== null) {
    const erpOrder = await store.erp.order(account, order.externalId);
    return erpOrder?.origin === 'erp' ? `it carries the id of ERP order ${order.externalId}, which adopts it` : null;
  }
  const open = await store.intents.listUnsettled(account, 'marketplace-order');
  for (const intent of open) {
    const erpOrder = await store.erp.order(account, intent.key);
    const customerId = erpOrder?.customer.marketplaceId ?? null;
    if (customerId === null || customerId === order.customer.id) {
      return `it may be the order we are creating for ERP order ${intent.key}: that has to be settled first`;
    }
  }
  return null;
}

async function customerOf({ account, store }: AccountContext, id: number | null): Promise<string | null> {
  if (id === null) return null;
  const mapping = await store.mappings.byMarketplaceId(account, 'customer', String(id));
  return mapping?.state === 'linked' ? mapping.erpId : null;
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
