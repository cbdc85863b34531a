import { erp, on, operator, sharing } from './entry.ts';

export const APPROVAL_CODES = on('approvals', {
  'approval-status-unknown': sharing(
    ['status'],
    erp(
      ({ erpOrder, status }) =>
        `The ERP's verdict on its order ${erpOrder} is "${status}", which is none of approved, rejected, completed and error`,
      "Correct the verdict in the ERP, or the ERP's answer.",
      { erpOrder: 'SO-17', status: 'on hold' },
    ),
  ),
  'approval-no-purchase-order': sharing(
    [],
    operator(
      ({ order, problem }) => `Order ${order} shows no purchase order that a verdict could be told of: ${problem}`,
      'Correct orders.approvals: it says where an order of the marketplace shows its purchase order.',
      { order: '9f1c0a52', problem: 'purchase_order_number makes no UUID' },
    ),
  ),
  'approval-withdrawn': operator(
    ({ order, status }) =>
      `The ERP has no verdict on order ${order} any more, and the marketplace was told that it is ${status}`,
    'Give a verdict in the ERP again, or tell the marketplace by hand: a verdict cannot be taken back there.',
    { order: '9f1c0a52', status: 'approved' },
  ),
});
