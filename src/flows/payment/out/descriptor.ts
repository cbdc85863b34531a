import type { FlowDescriptor } from '../../descriptor.ts';

export const paymentOutDescriptor = {
  title: 'payments onto the marketplace',
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
} satisfies FlowDescriptor;
