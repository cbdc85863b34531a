import type { FlowDescriptor } from '../../descriptor.ts';

export const customerInDescriptor = {
  title: 'customers into the ERP',
  about: 'customers that the ERP does not know into the ERP',
  isOn: ({ customers }) => customers !== null,
  keys: 'customers',
  links: 'customer',
  reads: () => ['customers', 'erp-customers'],
  operations: () => ['customers.list'],
  writes: { erp: ['customer-in.create'] },
} satisfies FlowDescriptor;
