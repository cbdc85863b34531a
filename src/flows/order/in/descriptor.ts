import type { FlowDescriptor } from '../../descriptor.ts';

export const orderInDescriptor = {
  title: 'orders into the ERP',
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
    marketplace: ['order-in.mark', 'order-in.transition', 'order-in.lines', 'order-in.line-remove', 'order-in.charges'],
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
} satisfies FlowDescriptor;
