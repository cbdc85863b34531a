import type { FlowDescriptor } from '../../descriptor.ts';
import { ADDRESS_WRITES } from './wanted.ts';

export const customerOutDescriptor = {
  title: 'customers onto the marketplace',
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
} satisfies FlowDescriptor;
