import { erp, on } from './entry.ts';

/** ERP orders that duplicate an order's number, or whose number belongs to no order. */
export const ORDER_COPY_CODES = on('orders', {
  'several-erp-orders': erp(
    ({ order, erpOrders }) =>
      `${erpOrders.length} ERP orders carry the number of order ${order}: ${erpOrders.join(', ')}`,
    'Cancel all but one in the ERP: the one that is left is the order, also when it is a copy.',
    { order: '9f1c0a52', erpOrders: ['SO-17', 'SO-18'] },
  ),
  'erp-orders-beside': erp(
    ({ order, erpOrder, others }) =>
      `Order ${order} is linked to ERP order ${erpOrder}, and ${others.join(', ')} ${others.length === 1 ? 'carries' : 'carry'} its number as well`,
    'Cancel all but one in the ERP: the order follows the one that is left. An order that stands there twice takes its stock twice. One that is gone from the ERP is forgotten with the next list of all its orders, which is read once a day.',
    { order: '9f1c0a52', erpOrder: 'SO-17', others: ['SO-18 (reserved)'] },
  ),
  'order-not-there': erp(
    ({ order, erpOrder }) =>
      `ERP order ${erpOrder} holds stock for order "${order}" of the marketplace, which has no order of that number`,
    'Correct its reference in the ERP, or cancel it there, unless another program made it.',
    { order: '9f1c0a52', erpOrder: 'SO-18' },
  ),
  'erp-reference-reused': erp(
    ({ order, others }) =>
      `Order ${order} came from the marketplace, and ${others.join(', ')}, made in the ERP, ${others.length === 1 ? 'has' : 'have'} its number as the reference`,
    ({ others }) =>
      `Give ${others.join(', ')} a reference of ${others.length === 1 ? 'its' : 'their'} own in the ERP: people and other programs find orders by it. Where somebody entered the order by hand, cancel ${others.join(', ')} there.`,
    { order: '9f1c0a52', others: ['SO-18'] },
  ),
});
