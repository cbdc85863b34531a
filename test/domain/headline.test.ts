import { expect, test } from 'vitest';
import { headline } from '../../src/domain/headline.ts';
import { FLOW_NAMES } from '../../src/flows/flows.ts';

test.each([
  ['held', 'order-in', 1, '1 order waits', '1 order waited'],
  ['held', 'order-in', 3, '3 orders wait', '3 orders waited'],
  ['failed', 'product', 2, '2 listings have failed', '2 listings had failed'],
  ['in doubt', 'payment-in', 1, '1 payment is in doubt', '1 payment in doubt'],
  ['brake', 'product, price', 26, '26 prices wait for an approval', '26 prices waited for an approval'],
  ['brake', 'product, create', 1, '1 new listing waits for an approval', '1 new listing waited for an approval'],
  [
    'invalid row',
    'erp-orders',
    4,
    '4 rows of the list "ERP orders" cannot be read',
    '4 rows of the list "ERP orders" could not be read',
  ],
  ['alert', 'stock', 2, '2 stock figures need a look', '2 stock figures needed a look'],
  ['held', 'order-in, stock', 5, '5 things wait', '5 things waited'],
  ['configuration', '', 1, '1 thing needs somebody', '1 thing needed somebody'],
])('the headline of %s, %s, %i: %s; once it is over: %s', (kind, about, count, now, over) => {
  expect([headline({ kind, about, count }), headline({ kind, about, count }, true)]).toEqual([now, over]);
});

test.each(FLOW_NAMES)('the flow %s has a name for its entities', (about) => {
  expect(headline({ kind: 'held', about, count: 2 })).not.toContain('things');
});
