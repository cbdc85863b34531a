import type { AccountConfig } from '../config/resolve.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import type { FlowName } from './engine/flow.ts';

const NAMES_LISTS = {
  category: 'product-categories.list',
  sub_category: 'product-subcategories.list',
  brand: 'brands.list',
  product_line: 'product-lines.list',
} as const;

const ADDRESS_WRITES = [
  'customers.set-corporate-address',
  'customers.set-delivery-address',
  'customers.patch-corporate-address',
  'customers.patch-delivery-address',
] as const;

/**
 * The marketplace operations that each flow calls as it is configured, with the lists it is read from; none where it is
 * switched off. From them follow the permissions that the key needs.
 */
export const FLOW_OPERATIONS = {
  product: ({ products }) => [
    'products.list',
    'products.patch',
    ...(products.create ? (['products.create'] as const) : []),
    ...(products.archive ? (['products.archive'] as const) : []),
    ...products.references.map(({ field }) => NAMES_LISTS[field]),
    ...(products.createProductLines ? (['product-lines.create'] as const) : []),
  ],
  images: ({ products }) => [
    ...(products.images === null ? [] : (['product-images.list', 'product-images.create'] as const)),
    ...(products.images?.remove ? (['product-images.delete'] as const) : []),
  ],
  stock: () => ['products.list', 'products.patch', 'orders.list'],
  'facility-stock': ({ facilities }) =>
    facilities === null
      ? []
      : [
          'inventory.measurements-by-product-facility-batch',
          'inventory.reconcile',
          'inventory.command-status',
          'orders.list',
        ],
  'order-in': () => ['orders.list', 'orders.get', 'orders.patch', 'orders.transition'],
  'order-out': () => ['orders.list', 'orders.create', 'products.list'],
  'customer-out': ({ customers }) => [
    ...(customers === null ? [] : (['customers.list'] as const)),
    ...(customers === null || customers.statuses.length === 0 ? [] : (['customer-statuses.list'] as const)),
    ...(customers?.toMarketplace ? (['customers.create', 'customers.patch'] as const) : []),
    ...(customers?.toMarketplace && customers.addresses ? ADDRESS_WRITES : []),
  ],
  'customer-in': ({ customers }) => (customers === null ? [] : ['customers.list']),
  'payment-in': ({ payments }) => (payments === null ? [] : ['order-payments.list']),
  'payment-out': ({ payments }) => [
    ...(payments === null ? [] : (['order-payments.list'] as const)),
    ...(payments?.toMarketplace ? (['order-payments.create'] as const) : []),
  ],
} satisfies Record<FlowName, (account: AccountConfig) => readonly OperationId[]>;
