import type { FlowDescriptor } from '../../descriptor.ts';

export const paymentInDescriptor = {
  title: 'payments into the ERP',
  about: 'payments recorded on the marketplace into the ERP',
  isOn: ({ payments }) => payments !== null,
  keys: 'payments',
  links: 'payment',
  reads: () => ['payments', 'erp-payments'],
  operations: () => ['order-payments.list'],
  writes: { erp: ['payment-in.create'] },
} satisfies FlowDescriptor;
