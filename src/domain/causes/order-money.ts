import { type Miscounted, miscountedText } from '../miscounted.ts';
import type { Counted } from '../units.ts';
import { entriesOn, erp, nobody, operator, orNull, withDifference, withSharedParams } from './entry.ts';

export const ORDER_MONEY_CODES = entriesOn('orders', {
  'tax-state-unknown': withSharedParams(
    [],
    operator(
      ({ order, customer }) =>
        `The excise tax of order ${order} is unknown and counts as 0, because neither the order nor ${customer === null ? 'its customer' : `customer ${customer}`} has a state of delivery`,
      'Enter the delivery address of the customer on the marketplace, and synchronize customers, so that the address is read. Or set with orders.excise_tax.applies that the tax applies to all orders or to none.',
      { order: '9f1c0a52', customer: orNull<number>(17) },
    ),
  ),
  'tax-states-unread': operator(
    'The excise tax of California counts as 0 for every order, because no state of delivery is read: the orders have none, and customers are not synchronized',
    'Set with orders.excise_tax.applies that the tax applies to all orders or to none. Or synchronize customers, so that their addresses are read. Or name the field of an order that has the address in marketplace.fields.order.delivery_address.',
  ),
  'figure-differs': withDifference(
    operator(
      ({ order, figure, ours, theirs, by }) =>
        `The ${figure} of order ${order} is ${theirs} on the marketplace, but ${ours} by the configured rules (difference ${by})`,
      'Compare the order with orders.excise_tax. If the marketplace has the tax in another field, name that field in marketplace.fields.order. Until then, the ERP gets the amount of the configured rules.',
      { order: '9f1c0a52', figure: 'tax', ours: '9.72 USD', theirs: '9.73 USD', by: '0.01 USD' },
    ),
  ),
  'total-differs': withDifference(
    operator(
      ({ order, total, by, parts, miscounted }) =>
        `The total of order ${order} on the marketplace is ${total}, which is ${apart(by)} than the sum of its parts: ${parts}${miscounted == null ? '' : `. It would be right if the lines counted ${miscounted.other}: ${miscountedText(miscounted)}`}`,
      ({ miscounted }) =>
        (miscounted == null
          ? ''
          : `Compare the line quantities with the units per case. If the marketplace counts ${miscounted.other}, set inventory.line_quantity_in: ${miscounted.other}. `) +
        'If the marketplace has a charge in another field, name that field in marketplace.fields.order. Otherwise compare the order with orders.excise_tax, and check whether its lines count units or cases. Until then, the ERP gets the sum of the parts.',
      {
        order: '9f1c0a52',
        total: '27.93 USD',
        by: '15.24 USD',
        parts: 'lines 9.99 USD, discount 0.00 USD, shipping not shown, tax 2.70 USD by the rules',
        miscounted: null as (Miscounted & { other: Counted }) | null | undefined,
      },
    ),
  ),
  'erp-total-differs': withDifference(
    erp(
      ({ erpOrder, total, by, parts }) =>
        `The total of ERP order ${erpOrder} is ${total}, which is ${apart(by)} than the sum of its parts: ${parts}`,
      'Correct the order in the ERP: only its lines and charges are written to the marketplace. If the ERP has the charge in another field, map that field to discount, shipping or tax.',
      {
        erpOrder: 'SO-17',
        total: '40.00 USD',
        by: '4.00 USD',
        parts: 'lines 36.00 USD, discount 0.00 USD, shipping 0.00 USD, tax 0.00 USD',
      },
    ),
  ),
  'erp-money-differs': nobody(
    ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} was shipped with ${theirs}; the marketplace has ${ours}`,
    'Nothing to do here: a shipped order is not changed any more. If its invoice is wrong, correct the invoice in the ERP.',
    {
      erpOrder: 'SO-17',
      ours: 'discount 1.00 USD, shipping 0.00 USD, tax 0.00 USD, total 35.00 USD',
      theirs: 'discount 0.00 USD, shipping 0.00 USD, tax 0.00 USD, total 36.00 USD',
    },
  ),
  'charges-wait': nobody(
    ({ order, erpOrder, there, erp: here }) =>
      `Order ${order} has ${there} on the marketplace, and ERP order ${erpOrder} has ${here}. The charges are written once the lines and prices of both are equal`,
    'Nothing to do about the charges: another message about this order says how its lines differ.',
    {
      order: '9f1c0a52',
      erpOrder: 'SO-17',
      there: 'discount 3.00 USD, shipping 0.00 USD',
      erp: 'discount 0.00 USD, shipping 0.00 USD',
    },
  ),
  'charges-after-shipping': withDifference(
    operator(
      ({ order, erpOrder, there, erp: here }) =>
        `The charges of order ${order} were changed on the marketplace after the ERP had shipped it. They are now ${there}; ERP order ${erpOrder} keeps ${here}`,
      'Undo the change on the marketplace, or settle the difference with the buyer and set the order to Complete there.',
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        there: 'discount 3.00 USD, shipping 0.00 USD',
        erp: 'discount 0.00 USD, shipping 0.00 USD',
      },
    ),
  ),
  'erp-money-kept': withDifference(
    erp(
      ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} still has ${theirs}, and should have ${ours}`,
      ({ computed, isTaken = true }) =>
        !isTaken
          ? 'The ERP does not accept a new discount, shipping or tax for an order that it is processing (capabilities.charge_edits). Agree on the difference with the buyer, or change the order in the ERP before it is shipped, such as by an amended copy: the order is then linked to the copy.'
          : computed
            ? 'Correct the order in the ERP before it is shipped. Its total is computed by the ERP and may be rounded differently. Its discount and shipping must be exact: let the write order-update set them. To test it: stockbridge erp check --write'
            : 'Correct the order in the ERP before it is shipped. If the ERP computes totals itself, let it report that in its ping, or set erp.capabilities: { totals: computed }.',
      {
        erpOrder: 'SO-17',
        ours: 'discount 1.00 USD, shipping 0.00 USD, tax 0.00 USD, total 35.00 USD',
        theirs: 'discount 0.00 USD, shipping 0.00 USD, tax 0.00 USD, total 36.00 USD',
        computed: false as boolean,
        /** Missing in records of earlier versions, which sent charges to every ERP. */
        isTaken: true as boolean | undefined,
      },
    ),
  ),
});

function apart(by: string): string {
  return by.startsWith('-') ? `${by.slice(1)} less` : `${by} more`;
}
