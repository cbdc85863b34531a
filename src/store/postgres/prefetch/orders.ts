import { findBase } from '../../sql/bases.ts';
import { findFact } from '../../sql/cursors.ts';
import { findErpCustomer } from '../../sql/customers.ts';
import { findByReference, findErpOrder } from '../../sql/erp-orders.ts';
import { findErpProduct, findErpProductsBySku } from '../../sql/erp-products.ts';
import { SKU_WAS } from '../../sql/former-skus.ts';
import { GONE } from '../../sql/gone.ts';
import { findProduct } from '../../sql/listings.ts';
import { findByErpId, findByMarketplaceId } from '../../sql/mappings.ts';
import { findLines, findOrder } from '../../sql/order-rows.ts';
import { findOfOrder } from '../../sql/transports.ts';
import { type Ask, asText, type ColumnOf, eachIn } from '../prefetch-plan.ts';
import { prefetchAlikeCustomers, prefetchCustomerSigns } from './customers.ts';
import {
  findIntentsOfKind,
  type Of,
  prefetchAnyInvalid,
  prefetchFacts,
  prefetchListing,
  prefetchProductOfListing,
  prefetchUnsettled,
} from './questions.ts';

const SKUS = '$.lines[*].sku';

export const orderIn: Of<'orderIn'> = (ask, account, number, facts) => {
  const order = ask(findOrder, { account, number });
  const lines = ask(findLines, { account, number });
  const { erpId } = ask(findByMarketplaceId, { account, kind: 'order', marketplaceId: number });
  ask(findBase, { account, number });
  prefetchAnyInvalid(ask, account, 'orders', 'erp-orders');
  ask(findOfOrder, { account, orderKey: number });
  prefetchUnsettled(ask, account, 'order-in', number);
  prefetchFacts(ask, account, facts);
  const linked = ask(findErpOrder, { account, id: erpId });
  ask(findOrder, { account, number: linked.reference });
  const named = ask(findByReference, { account, reference: number });
  for (const { content } of [linked, named]) tellSkus(ask, account, eachIn(content, SKUS));
  ask(findErpOrder, { account, id: order.externalId });
  // Only an order without an external id may be one that is being created.
  const kind = order.externalId.as<string>((column) => `case when ${column} is null then 'order-out' end`);
  ask(findErpOrder, { account, id: ask(findIntentsOfKind, { account, kind }).key });
  ask(findProduct, { account, id: lines.productId });
  prefetchProductOfListing(ask, account, lines.productId);
  prefetchAlikeCustomers(ask, account, prefetchCustomerSigns(ask, account, order.customerId));
  const customer = ask(findByMarketplaceId, {
    account,
    kind: 'customer',
    marketplaceId: asText(order.customerId),
  });
  ask(findErpCustomer, { account, id: customer.erpId });
  ask(findFact, { account, name: customer.erpId.as((column) => `'${GONE}erp-customers:' || ${column}`) });
};

export const orderOut: Of<'orderOut'> = (ask, account, id) => {
  const { content, reference } = ask(findErpOrder, { account, id });
  ask(findOrder, { account, number: reference });
  prefetchAnyInvalid(ask, account, 'erp-orders');
  ask(findByErpId, { account, kind: 'order', erpId: id });
  prefetchUnsettled(ask, account, 'order-out', id);
  ask(findByErpId, { account, kind: 'customer', erpId: eachIn(content, '$.customer.id') });
  tellSkus(ask, account, eachIn(content, SKUS));
};

export const approvalOut: Of<'approvalOut'> = (ask, account, id, facts) => {
  const { marketplaceId } = ask(findByErpId, { account, kind: 'order', erpId: id });
  ask(findOrder, { account, number: ask(findErpOrder, { account, id }).reference });
  ask(findOrder, { account, number: marketplaceId });
  prefetchUnsettled(ask, account, 'approval-out', id);
  prefetchFacts(ask, account, facts);
};

export const transportIn: Of<'transportIn'> = (ask, account, key, facts) => {
  const byNumber = ask(findByMarketplaceId, { account, kind: 'order', marketplaceId: key });
  const byId = ask(findByErpId, { account, kind: 'order', erpId: key });
  ask(findOfOrder, { account, orderKey: key });
  for (const { erpId } of [byNumber, byId])
    ask(findOrder, { account, number: ask(findErpOrder, { account, id: erpId }).reference });
  prefetchAnyInvalid(ask, account, 'erp-orders');
  prefetchFacts(ask, account, facts);
};

/** The products of SKUs with their listings, and the former owners of these SKUs. */
function tellSkus(ask: Ask, account: string, sku: ColumnOf<string>): void {
  prefetchListing(ask, account, ask(findErpProductsBySku, { account, sku, deleted: false }).id);
  const owner = ask(findFact, { account, name: sku.as((column) => `'${SKU_WAS}' || ${column}`) });
  ask(findErpProduct, { account, id: owner.value });
}
