import type { FlowDescriptor } from '../descriptor.ts';

export const stockDescriptor = {
  title: 'stock',
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
} satisfies FlowDescriptor;
