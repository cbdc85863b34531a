import { z } from 'zod';
import { nonEmpty } from './limits.ts';
import { operation } from './operation.ts';

export const purchaseOrderOperations = {
  'purchase-orders.approve': operation({
    id: 'purchase-orders.approve',
    summary: 'Tell what became of the approval of a purchase order',
    method: 'POST',
    path: '/poms/orders/approval/',
    provenance: 'assumed',
    permission: null,
    section: '2, Endpoints, Notifications, order payments, approval',
    body: z.strictObject({
      order_id: z.int().optional(),
      purchase_order_number: z.guid('expected a UUID'),
      status: z.enum(['approved', 'rejected', 'completed', 'error']),
      message: nonEmpty.optional(),
    }),
    answer: z.looseObject({}).nullable(),
    successStatus: 200,
  }),
} as const;
