import type { FlowDescriptor } from '../descriptor.ts';

export const assignmentsDescriptor = {
  title: 'who may buy what',
  about: 'which customers and groups may buy what',
  isOn: ({ assignments }) => assignments !== null,
  keys: 'erp-products',
  links: 'product',
  reads: ({ customers }) => [
    ...(customers === null ? [] : (['erp-customers', 'customers'] as const)),
    'erp-products',
    'products',
    'assignments',
  ],
  operations: () => ['product-assignments.list', 'product-assignments.replace', 'customer-groups.list'],
  writes: { marketplace: ['assignments.write'] },
  brakes: {
    lists: ['erp-products'],
    counts: { archive: ['assignments.write:archive'] },
    shareOf: 'listings',
  },
  waitsIn: ['product'],
} satisfies FlowDescriptor;
