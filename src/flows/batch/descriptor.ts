import type { FlowDescriptor } from '../descriptor.ts';

export const batchOutDescriptor = {
  title: 'batches',
  about: "batches for the ERP's lots",
  isOn: ({ facilities }) => facilities?.batches != null,
  keys: 'erp-lots',
  links: 'batch',
  reads: () => ['erp-lots', 'erp-stock', 'batches'],
  operations: () => ['batches.list', 'batches.create', 'batches.patch'],
  erpCan: 'lots',
  writes: { marketplace: ['batch-out.create', 'batch-out.patch'] },
  brakes: {
    lists: ['erp-lots', 'erp-stock'],
    counts: { create: ['batch-out.create:create'] },
    shareOf: 'listings',
  },
} satisfies FlowDescriptor;
