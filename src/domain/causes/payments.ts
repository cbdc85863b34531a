import { goneText, type Witness } from '../gone.ts';
import { entriesOn, erp, invalidErpRow, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

const MEND = 'Correct the payment on the marketplace by hand: its API cannot change payments.';

/** Example ids: the ERP's payment and the marketplace's (`there`). */
const PAIR = { payment: 'PAY-17', there: '77' };

export const PAYMENT_CODES = entriesOn('payments', {
  'erp-payment-invalid': invalidErpRow('payment', 'amount: expected a decimal'),
  'payment-invalid': marketplace(
    ({ problem }) => `The marketplace's payment does not fit the documented shape: ${problem}`,
    'Report it to the marketplace.',
    { problem: 'total: expected a decimal' },
  ),
  'payments-unread': withSharedParams(
    ['side'],
    nobody(
      ({ side }) => `The payments of the ${side} have not been read yet`,
      'Nothing to do: it continues when they have been read.',
      { side: 'ERP' },
    ),
  ),
  'payment-like-another': nobody(
    ({ payment, other }) =>
      `Payment ${payment} may be the same as ${other}, which is being recorded. It waits for that result`,
    'Nothing to do, unless the result for the other payment is unknown: stockbridge jobs list',
    { payment: '77', other: 'ERP payment PAY-17' },
  ),
  'payment-like-earlier': nobody(
    ({ erpPayment, other }) =>
      `ERP payment ${erpPayment} may be a duplicate of the earlier ERP payment ${other}: it has the same data and another id`,
    ({ other }) =>
      `Nothing to do: the next list of all ERP payments shows whether ${other} still exists. Without a daemon, read it now: stockbridge sync`,
    { erpPayment: 'PAY-1017', other: 'PAY-17' },
  ),
  'payment-gone': operator(
    ({ payment, there, ...gone }) =>
      `Payment ${there} of the marketplace, which is linked to ERP payment ${payment}, is ${goneText(gone)}`,
    ({ there }) =>
      `If the money was received, unlink the payment; with payments.to_marketplace, it is then recorded again: stockbridge map unlink payment --marketplace ${there}. If it was not received, void the payment in the ERP.`,
    { ...PAIR, since: orNull('2026-11-02T10:00:00.000Z'), witness: orNull<Witness>('second-list') },
  ),
  'erp-payment-gone': operator(
    ({ payment, there, ...gone }) =>
      `ERP payment ${payment}, which is linked to payment ${there} of the marketplace, is ${goneText(gone)}`,
    ({ there }) =>
      `If the money was received, unlink the payment; with payments.to_erp, it is then recorded again: stockbridge map unlink payment --marketplace ${there}. If it was not received, delete the payment on the marketplace.`,
    { ...PAIR, since: orNull('2026-11-02T10:00:00.000Z'), witness: orNull<Witness>('second-list') },
  ),
  'payment-several': operator(
    ({ payment, side, found }) =>
      `${found.length} payments of the ${side} may be payment ${payment}: ${found.join(', ')}`,
    ({ payment, side }) =>
      `Link one of them: stockbridge map link payment ${side === 'ERP' ? `${payment} ERP_ID` : `ID ${payment}`}`,
    { payment: '77', side: 'ERP', found: ['PAY-17', 'PAY-18'] },
  ),
  'payment-entered-twice': operator(
    ({ payment, other, of, side }) =>
      `Payment ${payment} may be a duplicate of payment ${other}, which was recorded for payment ${of} of the ${side}. Somebody may have entered the same money on both sides`,
    ({ side }) =>
      `If it is the same money, delete the second entry. If it is a second payment, record it ${side === 'ERP' ? 'in the ERP' : 'on the marketplace'} too; the two payments are then linked.`,
    { payment: 'PAY-18', other: 'PAY-17', of: '77', side: 'marketplace' },
  ),
  'payment-currency': withSharedParams(
    ['shown'],
    operator(
      ({ payment, shown, wanted }) => `Payment ${payment} is in ${shown}, but the account's currency is ${wanted}`,
      'Record the payment on the other side by hand.',
      { payment: '77', shown: 'CAD', wanted: 'USD' },
    ),
  ),
  'payment-amount': operator(
    ({ payment, problem }) => `Payment ${payment} cannot be recorded: ${problem}`,
    'Correct the amount on the side where the payment was entered.',
    { payment: '77', problem: 'its amount 0.00 USD is not above zero' },
  ),
  'payment-method-unknown': withSharedParams(
    ['method'],
    operator(
      ({ payment, method }) =>
        `Payment ${payment} has the method "${method}", which is no payment type of the marketplace`,
      'Map the method to a payment type in payments.types.',
      { payment: 'PAY-17', method: 'voucher' },
    ),
  ),
  'payment-order-unknown': nobody(
    ({ payment, order, side }) => `Payment ${payment} is for order ${order}, which the ${side} does not have yet`,
    'Nothing to do: the payment is recorded when the order exists there. If the order was closed before the payment came, the payment is not recorded.',
    { payment: '77', order: '9f1c0a52', side: 'ERP' },
  ),
  'payment-order-gone': erp(
    ({ payment, order }) => `Payment ${payment} is for order ${order}, which was deleted on the marketplace`,
    'Void the payment in the ERP, or assign it to another order.',
    { payment: 'PAY-17', order: '9f1c0a52' },
  ),
  'payment-voided': operator(
    ({ payment, there, amount }) =>
      `Payment ${payment} was voided in the ERP, but payment ${there} on the marketplace still has the amount ${amount}`,
    MEND,
    { ...PAIR, amount: '60.00 USD' },
  ),
  'payment-amount-differs': operator(
    ({ payment, there, amount, shown }) =>
      `Payment ${payment} is ${amount} in the ERP, but payment ${there} on the marketplace is ${shown}`,
    MEND,
    { ...PAIR, amount: '60.00 USD', shown: '50.00 USD' },
  ),
  'payment-order-differs': operator(
    ({ payment, there, order, shown }) =>
      `Payment ${payment} is for order ${order} in the ERP, but payment ${there} on the marketplace is for order ${shown}`,
    MEND,
    { ...PAIR, order: '9f1c0a52', shown: '8bf47ca3' },
  ),
});
