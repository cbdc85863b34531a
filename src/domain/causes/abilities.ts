import { settingFor } from '../reference.ts';
import { entriesOn, erp, nobody, operator, withSharedParams } from './entry.ts';

export const TRANSPORT_CODES = entriesOn('transports', {
  'erp-takes-no-transports': withSharedParams(
    [],
    erp(
      ({ erpOrder }) =>
        `Order ${erpOrder} has a transport, and the ERP does not report that its orders can store the state of a transport`,
      'Have the ERP answer "can": ["transports"] to /v1/ping once it accepts transports, or set orders.transports: off.',
      { erpOrder: 'SO-17' },
    ),
  ),
});

export const ABILITY_CODES = entriesOn('orders', {
  'line-quantity-finer': operator(
    ({ order, line, quantity, decimals }) =>
      `Line ${line} of order ${order} has ${quantity} ERP units, and the ERP holds ${decimals === 0 ? 'whole units only' : `${decimals} decimals at most`}`,
    'Change the quantity on the marketplace, or enter the order in the ERP by hand and link it: stockbridge map link order.',
    { order: '9f1c0a52', line: '3', quantity: '2.5', decimals: 0 },
  ),
  'reference-differs': withSharedParams(
    [],
    operator(
      ({ sent, shown }) =>
        `The ERP changes the references of orders: it was sent "${sent}" and shows "${shown}". No more orders are created in it`,
      ({ sent, shown }) =>
        `Configure the reference that the ERP stores: ${settingFor(sent, shown)}. Test it with "stockbridge erp check --write". Or let the ERP store the reference unchanged. Then choose the waiting orders on the page Orders of the screen, and press "Look at the chosen afresh".`,
      { sent: '9f1c0a52-7d7e-4a35-8f0e-3c1d5b2a9e64', shown: '9f1c0a52-7d7e-4a35-8f0e-3c1d5b2a9e6' },
    ),
    'erp',
  ),
  'erp-takes-no-edits': operator(
    ({ order, erpOrder, lines, refused }) =>
      `Order ${order} was edited on the marketplace to ${lines}. ERP order ${erpOrder} ${refused ? 'keeps its lines, because the ERP refused the change' : 'keeps its lines, because the ERP does not accept edits'}`,
    'Make the change in the ERP by hand, or restore the earlier lines on the marketplace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', lines: '12 x SB-0001 at 2.08 USD', refused: true },
  ),
  'erp-order-unfinished': nobody(
    ({ erpOrder }) => `ERP order ${erpOrder} is still being written: not all steps are done`,
    'Nothing to do: it continues once the ERP shows the complete order. If this message stays, finish or cancel the order in the ERP.',
    { erpOrder: 'SO-17' },
  ),
});
