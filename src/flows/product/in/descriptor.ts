import type { FlowDescriptor } from '../../descriptor.ts';

export const productInDescriptor = {
  title: 'products into the ERP',
  about: 'products of orders that the ERP does not know, into the ERP',
  isOn: ({ orders }) => orders.onUnmappedProduct === 'create',
  keys: 'products',
  links: 'product',
  reads: () => ['erp-products', 'orders', 'products'],
  operations: () => ['orders.list', 'products.list'],
  erpCan: 'products',
  writes: { erp: ['product-in.create'] },
  brakes: { lists: ['orders'], counts: { create: ['product-in.create:create'] }, shareOf: 'listings' },
} satisfies FlowDescriptor;
