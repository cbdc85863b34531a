import type { FlowDescriptor } from '../../descriptor.ts';

export const facilityStockDescriptor = {
  title: 'stock by facility',
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
} satisfies FlowDescriptor;
