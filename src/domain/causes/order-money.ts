import { erp, nobody, on, operator, orNull, sharing } from './entry.ts';

/** The costs of an order: its tax, its total, and its figures in the ERP. */
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
  'figure-differs': operator(
    ({ order, figure, ours, theirs, by }) =>
      `The ${figure} of order ${order} is ${ours} by the rules and ${theirs} on the marketplace (${by})`,
    'Compare the order with its rules of tax and discount; the ERP gets the figure by the rules.',
    { order: '9f1c0a52', figure: 'total', ours: '36', theirs: '36.01', by: '0.01' },
  ),
  'erp-money-differs': nobody(
    ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} shows ${theirs}, not ${ours}`,
    'Nothing to do: the figures are sent to the ERP, unless the order is shipped already.',
    {
      erpOrder: 'SO-17',
      ours: 'discount 1, shipping 0, tax 0, total 35',
      theirs: 'discount 0, shipping 0, tax 0, total 36',
    },
  ),
  'erp-money-kept': erp(
    ({ erpOrder, ours, theirs }) => `ERP order ${erpOrder} keeps ${theirs}, and should show ${ours}`,
    'Correct it in the ERP before it is shipped. If the ERP computes totals itself, it says so in its ping, or you do with erp.capabilities: { totals: computed }.',
    {
      erpOrder: 'SO-17',
      ours: 'discount 1, shipping 0, tax 0, total 35',
      theirs: 'discount 0, shipping 0, tax 0, total 36',
    },
  ),
});
