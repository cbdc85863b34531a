import { settingFor } from '../reference.ts';
import { erp, nobody, on, operator, sharing } from './entry.ts';

/** Transports that the ERP cannot store. */
export const TRANSPORT_CODES = on('transports', {
  'erp-takes-no-transports': sharing(
    [],
    erp(
      ({ erpOrder }) =>
        `The ERP does not say that its orders keep what became of their transports, and order ${erpOrder} has one`,
      'Have the ERP answer "can": ["transports"] to /v1/ping once it takes them, or set orders.transports: off.',
      { erpOrder: 'SO-17' },
    ),
  ),
});

/** Orders that wait because of something the ERP cannot do. */
export const ABILITY_CODES = on('orders', {
  'line-quantity-finer': operator(
    ({ order, line, quantity, decimals }) =>
      `Line ${line} of order ${order} has ${quantity} ERP units, and the ERP holds ${decimals === 0 ? 'whole units only' : `${decimals} decimals at most`}`,
    'Change the quantity on the marketplace, or enter the order in the ERP by hand and link it: stockbridge map link order.',
    { order: '9f1c0a52', line: '3', quantity: '2.5', decimals: 0 },
  ),
  'reference-differs': sharing(
    [],
    operator(
      ({ sent, shown }) =>
        `The ERP keeps references of orders otherwise than they are sent, so no more orders are created in it: it was sent "${sent}", and shows "${shown}"`,
      ({ sent, shown }) =>
        `Say what it keeps: ${settingFor(sent, shown)}. "stockbridge erp check --write" proves it. Or let the ERP keep the whole reference, and have the orders tried again: stockbridge jobs replay --error reference-differs`,
      { sent: '9f1c0a52-7d7e-4a35-8f0e-3c1d5b2a9e64', shown: '9f1c0a52-7d7e-4a35-8f0e-3c1d5b2a9e6' },
    ),
    'erp',
  ),
  'erp-takes-no-edits': operator(
    ({ order, erpOrder, lines, refused }) =>
      `Order ${order} was edited on the marketplace, and ERP order ${erpOrder} ${refused ? 'cannot be changed any more: the ERP refused it' : 'cannot be changed: the ERP does not take edits'}. The marketplace has ${lines}`,
    'Make the change in the ERP by hand, or set the lines back on the marketplace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', lines: '12 x SB-0001 at 2.08', refused: true },
  ),
  'erp-order-unfinished': nobody(
    ({ erpOrder }) => `ERP order ${erpOrder} is being written in several steps, and they are not over`,
    'Nothing to do: it goes on once the ERP shows the whole order. If this stays, finish or cancel the order in the ERP.',
    { erpOrder: 'SO-17' },
  ),
});
