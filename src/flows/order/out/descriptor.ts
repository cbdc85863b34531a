import type { FlowDescriptor } from '../../descriptor.ts';

export const orderOutDescriptor = {
  title: 'orders onto the marketplace',
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
} satisfies FlowDescriptor;
