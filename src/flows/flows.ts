import type { AccountConfig } from '../config/resolve.ts';
import { COLLECTION_NAMES, type CollectionName } from '../shadow/collections.ts';
import { NAMES } from '../shadow/read-names.ts';
import { ADDRESS_WRITES } from './customer/out/wanted.ts';
import type { FlowDescriptor } from './descriptor.ts';

const TABLE = {
  product: {
    about: 'listings on the marketplace',
    isOn: () => true,
    keys: 'erp-products',
    links: 'product',
    reads: ({ products }) => [
      ...(products.references.length === 0 ? [] : (['names'] as const)),
      'erp-products',
      'products',
    ],
    operations: ({ products }) => [
      'products.list',
      'products.patch',
      ...(products.create ? (['products.create'] as const) : []),
      ...(products.archive ? (['products.archive'] as const) : []),
      ...products.references.map(({ field }) => NAMES[field].list),
      ...(products.createProductLines ? (['product-lines.create'] as const) : []),
    ],
    writes: {
      marketplace: [
        'product.create',
        'product.patch',
        'product.price',
        'product.archive',
        'product.restore',
        'product-line.create',
      ],
    },
    brakes: {
      lists: ['erp-products'],
      counts: {
        create: ['product.create:create'],
        archive: ['product.archive:archive'],
        price: ['product.price:price'],
        relink: [],
        reprice: [],
      },
      shareOf: 'listings',
    },
    makesFirstLinks: true,
  },
  images: {
    about: 'images of listings',
    isOn: ({ products }) => products.images !== null,
    keys: 'erp-products',
    links: 'product',
    reads: () => ['images'],
    operations: ({ products }) => [
      'product-images.list',
      'product-images.create',
      ...(products.images?.remove ? (['product-images.delete'] as const) : []),
    ],
    writes: { marketplace: ['images.upload', 'images.remove'] },
  },
  assignments: {
    about: 'which customers and groups may buy what',
    isOn: ({ assignments }) => assignments !== null,
    keys: 'erp-products',
    links: 'product',
    reads: ({ customers }) => [
      ...(customers === null ? [] : (['erp-customers', 'customers'] as const)),
      'erp-products',
      'products',
      'assignments',
    ],
    operations: () => ['product-assignments.list', 'product-assignments.replace', 'customer-groups.list'],
    writes: { marketplace: ['assignments.write'] },
    brakes: {
      lists: ['erp-products'],
      counts: { archive: ['assignments.write:archive'] },
      shareOf: 'listings',
    },
    waitsIn: ['product'],
  },
  stock: {
    about: 'stock of listings',
    isOn: () => true,
    keys: 'erp-products',
    links: 'product',
    reads: () => ['erp-stock', 'erp-orders', 'orders', 'products'],
    operations: () => ['products.list', 'products.patch', 'orders.list'],
    writes: { marketplace: ['stock.write'] },
    byStrategy: ['stock.write'],
    brakes: {
      lists: ['erp-stock'],
      counts: { zero: ['stock.write:zero'], increase: ['stock.write:increase'] },
      shareOf: 'listings',
      onceLinked: true,
    },
  },
  'facility-stock': {
    about: 'stock of listings by facility and batch',
    isOn: ({ facilities }) => facilities !== null,
    keys: 'erp-products',
    links: 'product',
    reads: () => ['erp-stock', 'erp-orders', 'orders', 'products', 'measurements'],
    operations: () => [
      'inventory.measurements-by-product-facility-batch',
      'inventory.reconcile',
      'inventory.command-status',
      'orders.list',
    ],
    writes: { marketplace: ['facility-stock.reconcile'] },
    byStrategy: ['facility-stock.reconcile'],
    brakes: {
      lists: ['erp-stock'],
      counts: {
        zero: ['facility-stock.reconcile:zero'],
        increase: ['facility-stock.reconcile:increase', 'product.restore:increase'],
      },
      shareOf: 'listings',
      onceLinked: true,
    },
    waitsIn: ['stock'],
  },
  'batch-out': {
    about: "batches for the ERP's lots",
    isOn: ({ facilities }) => facilities?.batches != null,
    keys: 'erp-lots',
    links: 'batch',
    reads: () => ['erp-lots', 'erp-stock', 'batches'],
    operations: () => ['batches.list', 'batches.create', 'batches.patch'],
    erpCan: 'lots',
    writes: { marketplace: ['batch-out.create', 'batch-out.patch'] },
    brakes: {
      lists: ['erp-lots', 'erp-stock'],
      counts: { create: ['batch-out.create:create'] },
      shareOf: 'listings',
    },
  },
  'order-in': {
    about: 'marketplace orders into the ERP, fulfilment back',
    isOn: () => true,
    keys: 'orders',
    links: 'order',
    reads: () => ['orders', 'erp-orders'],
    operations: ({ orders }) => [
      'orders.list',
      'orders.get',
      'orders.patch',
      'orders.transition',
      ...(orders.erpEdits === 'write' ? (['line-items.delete'] as const) : []),
    ],
    writes: {
      marketplace: [
        'order-in.mark',
        'order-in.transition',
        'order-in.lines',
        'order-in.line-remove',
        'order-in.charges',
      ],
      erp: ['order-in.create', 'order-in.update', 'customer-in.create'],
    },
    byStrategy: ['order-in.create', 'order-in.update', 'customer-in.create'],
    brakes: {
      lists: ['erp-orders', 'orders'],
      counts: {
        reject: ['order-in.transition:reject', 'order-in.update:reject'],
        price: ['order-in.update:price', 'order-in.lines:price'],
      },
      shareOf: 'open-orders',
    },
  },
  'product-in': {
    about: 'products of orders that the ERP does not know, into the ERP',
    isOn: ({ orders }) => orders.onUnmappedProduct === 'create',
    keys: 'products',
    links: 'product',
    reads: () => ['erp-products', 'orders', 'products'],
    operations: () => ['orders.list', 'products.list'],
    erpCan: 'products',
    writes: { erp: ['product-in.create'] },
    brakes: { lists: ['orders'], counts: { create: ['product-in.create:create'] }, shareOf: 'listings' },
  },
  'order-out': {
    about: 'orders made in the ERP onto the marketplace',
    isOn: () => true,
    keys: 'erp-orders',
    links: 'order',
    reads: () => ['erp-orders', 'orders', 'products'],
    operations: ({ orders }) => [
      'orders.list',
      'products.list',
      ...(orders.fromErp === null ? [] : (['orders.create', 'line-items.delete'] as const)),
    ],
    writes: { marketplace: ['order-out.create'] },
  },
  'transport-in': {
    about: 'transports of orders into the ERP, as shipped and delivered',
    isOn: ({ orders }) => orders.transports !== null,
    keys: 'transport-orders',
    links: 'order',
    reads: () => ['transport-orders', 'erp-orders', 'orders'],
    operations: () => ['transport-orders.list', 'orders.list'],
    erpCan: 'transports',
    writes: { erp: ['transport-in.tell'] },
  },
  'approval-out': {
    about: "the ERP's verdicts on purchase orders onto the marketplace",
    isOn: ({ orders }) => orders.approvals !== null,
    keys: 'erp-orders',
    links: 'order',
    reads: () => ['erp-orders', 'orders'],
    operations: () => ['orders.list', 'purchase-orders.approve'],
    erpCan: 'approvals',
    writes: { marketplace: ['approval-out.tell'] },
    brakes: {
      lists: ['erp-orders'],
      counts: { reject: ['approval-out.tell:reject'] },
      shareOf: 'open-orders',
    },
  },
  'payment-in': {
    about: 'payments recorded on the marketplace into the ERP',
    isOn: ({ payments }) => payments !== null,
    keys: 'payments',
    links: 'payment',
    reads: () => ['payments', 'erp-payments'],
    operations: () => ['order-payments.list'],
    writes: { erp: ['payment-in.create'] },
  },
  'payment-out': {
    about: 'payments received in the ERP onto the marketplace',
    isOn: ({ payments }) => payments !== null,
    keys: 'erp-payments',
    links: 'payment',
    reads: () => ['erp-payments', 'payments'],
    operations: ({ payments }) => [
      'order-payments.list',
      ...(payments?.toMarketplace ? (['order-payments.create'] as const) : []),
    ],
    writes: { marketplace: ['payment-out.create'] },
    brakes: { lists: ['erp-payments'], counts: { relink: [] }, shareOf: 'open-orders' },
  },
  'customer-out': {
    about: "the ERP's customers onto the marketplace",
    isOn: ({ customers }) => customers !== null,
    keys: 'erp-customers',
    links: 'customer',
    reads: () => ['erp-customers', 'customers'],
    operations: ({ customers }) => [
      'customers.list',
      ...(customers === null || customers.statuses.length === 0 ? [] : (['customer-statuses.list'] as const)),
      ...(customers?.toMarketplace ? (['customers.create', 'customers.patch'] as const) : []),
      ...(customers?.toMarketplace && customers.addresses
        ? Object.values(ADDRESS_WRITES).flatMap((of) => Object.values(of))
        : []),
    ],
    writes: {
      marketplace: [
        'customer-out.create',
        'customer-out.patch',
        'customer-out.discount',
        'customer-out.price-schedule',
        'customer-out.address',
        'customer-out.archive',
        'customer-out.restore',
      ],
    },
    brakes: {
      lists: ['erp-customers'],
      counts: {
        archive: ['customer-out.archive:archive'],
        price: ['customer-out.discount:price', 'customer-out.price-schedule:price'],
      },
      shareOf: 'customers',
    },
  },
  'customer-in': {
    about: 'customers that the ERP does not know into the ERP',
    isOn: ({ customers }) => customers !== null,
    keys: 'customers',
    links: 'customer',
    reads: () => ['customers', 'erp-customers'],
    operations: () => ['customers.list'],
    writes: { erp: ['customer-in.create'] },
  },
} satisfies Record<string, FlowDescriptor>;

export type FlowName = keyof typeof TABLE;

/** Every flow by its name, in the order in which a pass looks at them. Every list of flows is made from this table. */
export const FLOWS: Readonly<Record<FlowName, FlowDescriptor>> = TABLE;

export const FLOW_NAMES = Object.keys(FLOWS) as readonly FlowName[];

export function isFlow(name: string): name is FlowName {
  return Object.hasOwn(FLOWS, name);
}

/** A flow as the store names it. */
export function descriptorOf(flow: string): FlowDescriptor {
  if (isFlow(flow)) return FLOWS[flow];
  throw new Error(`invariant: ${flow} is a flow`);
}

/** The flows that are switched on in the account's configuration. */
export function flowsOn(account: AccountConfig): FlowName[] {
  return FLOW_NAMES.filter((flow) => FLOWS[flow].isOn(account));
}

/** The lists that a flow of the account needs, in the order in which they are read. */
export function collectionsRead(account: AccountConfig): CollectionName[] {
  const needed = new Set(flowsOn(account).flatMap((flow) => FLOWS[flow].reads(account)));
  return COLLECTION_NAMES.filter((name) => needed.has(name));
}
