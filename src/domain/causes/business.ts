import { entriesOn, operator, withSharedParams } from './entry.ts';

export const BUSINESS_CODES = entriesOn('orders', {
  'order-number-unfit': operator(
    ({ order }) =>
      `The number of order "${order}" has characters that the marketplace's API does not allow in an address. Stockbridge could not update the order later, so it is not entered`,
    'Have the order placed again on the marketplace with a number of letters, digits, - and _. Then cancel this one.',
    { order: '../../x' },
  ),
  'order-of-another-seller': withSharedParams(
    ['seller'],
    operator(
      ({ order, seller, ours }) =>
        `Order ${order} belongs to company ${seller} of the marketplace. This account is company ${ours}`,
      ({ seller }) =>
        `If this account sells as company ${seller}, set marketplace.seller_id to it. Otherwise there is nothing to do: the order is not entered here.`,
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
    'Correct the price of the line on the marketplace, or remove the line. To refund money, use a discount or a payment.',
    { order: '9f1c0a52', line: '3', price: '-2.00 USD' },
  ),
  'order-charge-negative': operator(
    ({ order, charge, amount }) => `The ${charge} of order ${order} is ${amount}, which is below zero`,
    ({ charge }) => `Correct the ${charge} on the side where the order was made.`,
    { order: '9f1c0a52', charge: 'shipping', amount: '-100.00 USD' },
  ),
  'order-total-negative': operator(
    ({ order, total }) => `The total of order ${order} is ${total}, which is below zero`,
    'Correct the discount or the prices on the side where the order was made. A discount cannot be larger than the value of the order.',
    { order: '9f1c0a52', total: '-98.00 USD' },
  ),
});
