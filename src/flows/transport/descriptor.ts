import type { FlowDescriptor } from '../descriptor.ts';

export const transportInDescriptor = {
  title: 'transports into the ERP',
  about: 'transports of orders into the ERP, as shipped and delivered',
  isOn: ({ orders }) => orders.transports !== null,
  keys: 'transport-orders',
  links: 'order',
  reads: () => ['transport-orders', 'erp-orders', 'orders'],
  operations: () => ['transport-orders.list', 'orders.list'],
  erpCan: 'transports',
  writes: { erp: ['transport-in.tell'] },
} satisfies FlowDescriptor;
