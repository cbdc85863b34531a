import type { FlowDescriptor } from '../descriptor.ts';

export const approvalOutDescriptor = {
  title: 'verdicts on purchase orders',
  about: "the ERP's verdicts on purchase orders onto the marketplace",
  isOn: ({ orders }) => orders.approvals !== null,
  keys: 'erp-orders',
  links: 'order',
  reads: () => ['erp-orders', 'orders'],
  operations: () => ['orders.list', 'purchase-orders.approve'],
  erpCan: 'approvals',
  writes: { marketplace: ['approval-out.tell'] },
  brakes: {
    lists: ['erp-orders'],
    counts: { reject: ['approval-out.tell:reject'] },
    shareOf: 'open-orders',
  },
} satisfies FlowDescriptor;
