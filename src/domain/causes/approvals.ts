import { entriesOn, erp, operator, withSharedParams } from './entry.ts';

export const APPROVAL_CODES = entriesOn('approvals', {
  'approval-status-unknown': withSharedParams(
    ['status'],
    erp(
      ({ erpOrder, status }) =>
        `ERP order ${erpOrder} has the approval status "${status}". Only approved, rejected, completed and error are known`,
      "Correct the approval status in the ERP, or in the ERP's answer.",
      { erpOrder: 'SO-17', status: 'on hold' },
    ),
  ),
  'approval-no-purchase-order': withSharedParams(
    [],
    operator(
      ({ order, problem }) =>
        `The purchase order of order ${order} is not found, so its approval cannot be reported: ${problem}`,
      'Correct orders.approvals: it names the field of a marketplace order that holds the purchase order.',
      { order: '9f1c0a52', problem: 'purchase_order_number makes no UUID' },
    ),
  ),
  'approval-withdrawn': operator(
    ({ order, status }) =>
      `The approval of order ${order} was removed in the ERP. The marketplace still has it as ${status}`,
    'Set the approval in the ERP again, or correct it on the marketplace by hand: the API of the marketplace cannot take it back.',
    { order: '9f1c0a52', status: 'approved' },
  ),
});
