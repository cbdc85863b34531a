import { entriesOn, operator, orNull, withDifference, withSharedParams } from './entry.ts';

const BOTH = { order: '9f1c0a52', erpOrder: 'SO-17' };
const MOVED = { by: 'erp', at: '2026-07-01T09:30:00Z' };

function movedText(moved: {
  readonly order: string;
  readonly erpOrder: string;
  readonly status: string;
  readonly erpStatus: string;
  readonly by: string;
  readonly from: string;
  readonly at: string;
  readonly how: string;
}): string {
  const { order, erpOrder, status, erpStatus, by, from, at, how } = moved;
  return by === 'erp'
    ? `ERP order ${erpOrder} was ${how} in the ERP, from ${from} to ${erpStatus} (changed ${at}). Order ${order} is ${status} on the marketplace`
    : `Order ${order} was ${how} on the marketplace, from ${from} to ${status} (changed ${at}). ERP order ${erpOrder} is ${erpStatus}`;
}

export const ORDER_STATUS_CODES = entriesOn('orders', {
  'dead-but-shipped': operator(
    ({ order, status }) =>
      `Order ${order} is ${status} on the marketplace, but the ERP has shipped it, at least in part`,
    ({ erpOrder, back }) =>
      `If the buyer keeps the goods, set the order to ${back ?? 'Accepted'} on the marketplace. If not, get the goods back and cancel ERP order ${erpOrder}.`,
    { ...BOTH, status: 'Rejected', back: orNull('Fulfilled') },
  ),
  'cancel-refused': operator(
    ({ order, erpOrder, status, message }) =>
      `Order ${order} is ${status} on the marketplace, and the ERP does not cancel ERP order ${erpOrder}: ${message}`,
    ({ erpOrder }) =>
      `Cancel ERP order ${erpOrder} in the ERP by hand. If its goods have left already, get them back first. It is tried again when the order changes in the ERP.`,
    { ...BOTH, status: 'Canceled', message: 'The ERP answered 422 ("it is picked") when asked to change order SO-17' },
  ),
  'statuses-apart': operator(
    ({ order, status, erpStatus }) => `Order ${order} is ${status} on the marketplace and ${erpStatus} in the ERP`,
    'Change the status on one of the two sides, so that both fit.',
    { order: '9f1c0a52', status: 'Backorder', erpStatus: 'shipped' },
  ),
  'released-in-erp': withDifference(
    operator(
      ({ order, erpOrder, status }) =>
        `ERP order ${erpOrder} was set back to draft in the ERP. Order ${order} is ${status} on the marketplace`,
      'Reserve it again in the ERP, or reject the order on the marketplace.',
      { order: '9f1c0a52', erpOrder: 'SO-17', status: 'Accepted' },
    ),
  ),
  reopened: operator(
    (moved) => `${movedText({ ...moved, how: 'reopened' })}. Before that, the order was closed on both sides`,
    ({ order, erpOrder, erpStatus, by }) => {
      if (by === 'marketplace')
        return `If the buyer is to get the goods, reopen ERP order ${erpOrder}, or enter the order in the ERP again with the reference ${order}. If not, cancel or reject the order on the marketplace again.`;
      const other = erpStatus === 'shipped' ? 'get the goods back and cancel' : 'cancel';
      return `If the buyer is to get the goods, set the order back to Accepted on the marketplace. If not, ${other} ERP order ${erpOrder} again.`;
    },
    { ...BOTH, ...MOVED, status: 'Rejected', erpStatus: 'reserved', from: 'cancelled' },
  ),
  'moved-back': operator(
    (moved) => movedText({ ...moved, how: 'moved back' }),
    ({ erpOrder, status, erpStatus, by, from }) => {
      if (by === 'erp')
        return `If the goods have left, ship ERP order ${erpOrder} again. If not, set the order back to Accepted on the marketplace.`;
      const again = `set the order to ${from} again on the marketplace`;
      if (erpStatus === 'shipped' && ['Submitted', 'Accepted', 'Backorder'].includes(status))
        return `If the goods have left, ${again}. If not, undo the shipment of ERP order ${erpOrder}.`;
      if (erpStatus === 'reserved')
        return `If the order is still to be delivered, ${again}. If not, set ERP order ${erpOrder} back to draft.`;
      return `If that was a mistake, ${again}. Stockbridge does not repeat this step by itself.`;
    },
    { ...BOTH, ...MOVED, status: 'Fulfilled', erpStatus: 'reserved', from: 'shipped' },
  ),
  'moved-both-ways': operator(
    ({ order, erpOrder, status, erpStatus, was, erpWas }) =>
      `The statuses of order ${order} and ERP order ${erpOrder} were changed in different directions: from ${was} to ${status} on the marketplace, from ${erpWas} to ${erpStatus} in the ERP`,
    ({ erpOrder, erpStatus }) => {
      const which = 'Decide which is right: ';
      if (erpStatus === 'cancelled')
        return `${which}reject or cancel the order on the marketplace, or reopen ERP order ${erpOrder}.`;
      if (erpStatus === 'shipped')
        return `${which}set the order to Fulfilled on the marketplace, or undo the shipment of ERP order ${erpOrder}.`;
      return `${which}set the order back to Accepted on the marketplace, or cancel ERP order ${erpOrder}.`;
    },
    { ...BOTH, status: 'Fulfilled', erpStatus: 'cancelled', was: 'Accepted', erpWas: 'reserved' },
  ),
  'shipped-not-accepted': withSharedParams(
    [],
    operator(
      ({ order }) => `Order ${order} is shipped in the ERP, but only Submitted on the marketplace`,
      'Accept the order on the marketplace. To let Stockbridge do it, name the action in marketplace.transitions.accept.',
      { order: '9f1c0a52' },
    ),
  ),
  'cancelled-not-rejected': withSharedParams(
    [],
    operator(
      ({ order, status }) => `Order ${order} is cancelled in the ERP, but ${status} on the marketplace`,
      'Reject the order on the marketplace. To let Stockbridge do it, name the action in marketplace.transitions.reject.',
      { order: '9f1c0a52', status: 'Accepted' },
    ),
  ),
});
