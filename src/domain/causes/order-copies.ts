import { entriesOn, operator } from './entry.ts';

/** ERP orders that duplicate an order's number, or whose number belongs to no order. */
export const ORDER_COPY_CODES = entriesOn('orders', {
  'several-erp-orders': operator(
    ({ order, erpOrders }) =>
      `${erpOrders.length} ERP orders carry the number of order ${order}: ${erpOrders.join(', ')}`,
    'Cancel all but one in the ERP. The remaining one counts as the order, even if it is a copy.',
    { order: '9f1c0a52', erpOrders: ['SO-17', 'SO-18'] },
  ),
  'erp-orders-beside': operator(
    ({ order, erpOrder, others }) =>
      `Order ${order} is linked to ERP order ${erpOrder}, but ${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} its number too`,
    'If the ERP divided the order, put all its lines into one of them. Then cancel all but one in the ERP: an order that exists twice reserves its stock twice. The order then follows the remaining one. Until then, no edit of the ERP is written to the marketplace. If the others were deleted, the message disappears with the next daily list of all ERP orders.',
    { order: '9f1c0a52', erpOrder: 'SO-17', others: ['SO-18 (reserved)'] },
  ),
  'erp-order-of-another': operator(
    ({ order, erpOrder, other }) =>
      other === erpOrder
        ? `Order ${order} is linked to ERP order ${erpOrder}, which was made in the ERP itself by now. Nothing is written to either`
        : `Order ${order} is linked to ERP order ${erpOrder}, but that one carries the number of order ${other}. Nothing is written to any of them`,
    ({ order, erpOrder, other }) =>
      other === erpOrder
        ? `If the ERP was restored from a backup and gave the id again, enter order ${order} in the ERP anew, and link it to that: "stockbridge map link order ${order} ID --replace". Clear its external_id on the marketplace as well. If it is the same order, link it to ${erpOrder} once more after "stockbridge map unlink".`
        : `If ERP order ${erpOrder} is that of order ${other}, as after the ERP was restored from a backup and gave the id again: "stockbridge map link order ${other} ${erpOrder} --replace". Then clear the external_id of order ${order} on the marketplace, enter it in the ERP anew, and link it to that. If it is that of order ${order}, correct its number in the ERP.`,
    { order: '9f1c0a52', erpOrder: 'SO-17', other: '8bf47ca3' },
  ),
  'order-not-there': operator(
    ({ order, erpOrder }) =>
      `ERP order ${erpOrder} reserves stock for marketplace order "${order}", which does not exist`,
    'Correct the reference in the ERP, or cancel the ERP order, unless another program created it.',
    { order: '9f1c0a52', erpOrder: 'SO-18' },
  ),
  'erp-reference-reused': operator(
    ({ order, others }) =>
      `${others.length === 1 ? 'ERP order' : 'ERP orders'} ${others.join(', ')} ${others.length === 1 ? 'uses' : 'use'} the number of marketplace order ${order} as the reference, but ${others.length === 1 ? 'was' : 'were'} created in the ERP`,
    ({ others }) =>
      `Give ${others.join(', ')} ${others.length === 1 ? 'another reference' : 'other references'} in the ERP: people and other programs find orders by it. If somebody entered the marketplace order by hand, cancel ${others.join(', ')} there.`,
    { order: '9f1c0a52', others: ['SO-18'] },
  ),
});
