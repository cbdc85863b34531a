import { on, operator, sharing } from './entry.ts';

/** Orders beyond the limits of `limits.ts`. */
export const BUSINESS_CODES = on('orders', {
  'order-number-unfit': operator(
    ({ order }) =>
      `Order "${order}" has a number that no call to the marketplace can name, so it could be entered and then never be moved on`,
    'Have the order placed again on the marketplace, under a number of letters, digits, - and _, and cancel this one.',
    { order: '../../x' },
  ),
  'order-of-another-seller': sharing(
    ['seller'],
    operator(
      ({ order, seller, ours }) =>
        `Order ${order} is sold by company ${seller} of the marketplace, and this account is company ${ours}`,
      ({ seller }) =>
        `If company ${seller} is meant, set marketplace.seller_id to it. Otherwise leave the order to that company's own account: it is not entered here.`,
      { order: '9f1c0a52', seller: '4712', ours: '4711' },
    ),
  ),
  'order-empty': operator(
    ({ order }) => `Order ${order} has no lines`,
    'Add its lines on the marketplace, or reject it there.',
    { order: '9f1c0a52' },
  ),
  'line-price-negative': operator(
    ({ order, line, price }) => `Line ${line} of order ${order} costs ${price}, which is below zero`,
    'Correct the price of the line on the marketplace, or remove the line. Give money back by a discount, or by a payment.',
    { order: '9f1c0a52', line: '3', price: '-2' },
  ),
  'order-charge-negative': operator(
    ({ order, charge, amount }) => `The ${charge} of order ${order} is ${amount}, which is below zero`,
    ({ charge }) => `Correct the ${charge} on the side where the order was made.`,
    { order: '9f1c0a52', charge: 'shipping', amount: '-100' },
  ),
  'order-total-negative': operator(
    ({ order, total }) => `Order ${order} comes to ${total} in all, which is below zero`,
    'Correct the discount or the prices on the side where the order was made: a discount takes the whole worth of an order at most.',
    { order: '9f1c0a52', total: '-98' },
  ),
});
