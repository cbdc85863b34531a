import { type Miscounted, miscountedText } from '../miscounted.ts';
import type { Counted } from '../units.ts';
import { differing, erp, nobody, on, operator, orNull, sharing } from './entry.ts';

export const ORDER_MONEY_CODES = on('orders', {
  'tax-state-unknown': sharing(
    [],
    operator(
      ({ order, customer }) =>
        `The excise tax of order ${order} is not known and counts as 0: neither the order nor ${customer === null ? 'its customer' : `customer ${customer}`} shows the state of delivery`,
      'Enter the delivery address of the customer on the marketplace, and keep customers in step, so that it is read; or say with orders.excise_tax.applies that the tax is for all or for none.',
      { order: '9f1c0a52', customer: orNull<number>(17) },
    ),
  ),
  'tax-states-unread': operator(
    'The excise tax of California counts as 0 for every order, because no state of delivery is read: the orders show none, and customers are not kept in step',
    'Say with orders.excise_tax.applies that the tax is for all or for none. Or keep customers in step, so that their addresses are read. Or name the field of an order that has the address in marketplace.fields.order.delivery_address.',
  ),
  'figure-differs': differing(
    operator(
      ({ order, figure, ours, theirs, by }) =>
        `The ${figure} of order ${order} is ${ours} by the rules and ${theirs} on the marketplace (${by})`,
      'Compare the order with orders.excise_tax. If the marketplace shows its tax under another name, name the field in marketplace.fields.order. Until then, the ERP gets the figure by the rules.',
      { order: '9f1c0a52', figure: 'tax', ours: '9.72', theirs: '9.73', by: '0.01' },
    ),
  ),
  'total-differs': differing(
    operator(
      ({ order, total, by, parts, miscounted }) =>
        `The total of order ${order} on the marketplace is ${total}, ${apart(by)} than its parts: ${parts}${miscounted == null ? '' : `. It fits lines in ${miscounted.other}: ${miscountedText(miscounted)}`}`,
      ({ miscounted }) =>
        (miscounted == null
          ? ''
          : `Compare the line quantities by the units per case. Where the marketplace counts ${miscounted.other}, set inventory.line_quantity_in: ${miscounted.other}. `) +
        'If the marketplace shows a charge under another name, name the field in marketplace.fields.order. Otherwise compare the order with orders.excise_tax and with the unit in which its lines are counted. Until then, the ERP gets the sum of the parts.',
      {
        order: '9f1c0a52',
        total: '27.93',
        by: '15.24',
        parts: 'lines 9.99, discount 0, shipping not shown, tax 2.7 by the rules',
        miscounted: null as (Miscounted & { other: Counted }) | null | undefined,
      },
    ),
  ),
  'erp-total-differs': differing(
    erp(
      ({ erpOrder, total, by, parts }) =>
        `The total of ERP order ${erpOrder} is ${total}, ${apart(by)} than its parts: ${parts}`,
      'Correct the order in the ERP: only its lines and its charges reach the marketplace. If the ERP shows a charge elsewhere, have its connection give that charge as discount, shipping or tax.',
      { erpOrder: 'SO-17', total: '40', by: '4', parts: 'lines 36, discount 0, shipping 0, tax 0' },
    ),
  ),
  'erp-money-differs': nobody(
    ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} was shipped with ${theirs}; the marketplace has ${ours}`,
    'Nothing to do here: a shipped order is not changed any more. If its invoice is wrong, correct that in the ERP.',
    {
      erpOrder: 'SO-17',
      ours: 'discount 1, shipping 0, tax 0, total 35',
      theirs: 'discount 0, shipping 0, tax 0, total 36',
    },
  ),
  'charges-wait': nobody(
    ({ order, erpOrder, there, erp: here }) =>
      `Order ${order} has ${there} on the marketplace, and ERP order ${erpOrder} has ${here}: the charges are carried over once the lines and prices of both agree`,
    'Nothing to do about the charges: another message about this order tells how its lines differ.',
    { order: '9f1c0a52', erpOrder: 'SO-17', there: 'discount 3, shipping 0', erp: 'discount 0, shipping 0' },
  ),
  'charges-after-shipping': differing(
    operator(
      ({ order, erpOrder, there, erp: here }) =>
        `The charges of order ${order} were changed on the marketplace after the ERP had shipped it: they are ${there}, and ERP order ${erpOrder} keeps ${here}`,
      'Set them back on the marketplace, or settle the difference with the buyer and set the order to Complete there.',
      { order: '9f1c0a52', erpOrder: 'SO-17', there: 'discount 3, shipping 0', erp: 'discount 0, shipping 0' },
    ),
  ),
  'erp-money-kept': differing(
    erp(
      ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} keeps ${theirs}, and should show ${ours}`,
      ({ computed, isTaken = true }) =>
        !isTaken
          ? 'The ERP takes no other discount, shipping or tax for an order that it has taken up (capabilities.charge_edits). Agree on the difference with the buyer, or change the order there before it is shipped, such as by an amended copy: it follows that one.'
          : computed
            ? 'Correct it in the ERP before it is shipped. Its totals may be rounded otherwise, since they are computed there; discount and shipping may not: let its order-update write them. "stockbridge erp check --write" proves it.'
            : 'Correct it in the ERP before it is shipped. If the ERP computes totals itself, it says so in its ping, or you do with erp.capabilities: { totals: computed }.',
      {
        erpOrder: 'SO-17',
        ours: 'discount 1, shipping 0, tax 0, total 35',
        theirs: 'discount 0, shipping 0, tax 0, total 36',
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
