import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/http/json.ts';
import { readDecimal, readMoney, writeMoney } from '../../../src/marketplace/entities/amounts.ts';
import { externalIdBody, orderCreateBody, quantityBody } from '../../../src/marketplace/entities/bodies.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import { exact } from '../../support/units.ts';

const usd = (amount: string) => ({ amount: exact(amount), currency: 'USD' });

test('an order body writes line quantities as text with four fractional digits', () => {
  const body = orderCreateBody({
    sellerId: 1,
    customerId: 2,
    status: 'Submitted',
    lines: [
      { productId: 3, quantity: exact('2.5'), orderedUnitPrice: usd('12.10') },
      { productId: 4, quantity: exact('1'), orderedUnitPrice: usd('5'), salePrice: usd('4.55') },
    ],
    discountAmount: exact('0.05'),
    externalId: 'E-1',
  });
  expect(OPERATIONS['orders.create'].body.safeParse(body).success).toBe(true);
  expect(JSON.stringify(body)).toBe(
    '{"seller":1,"customer":{"id":2},"status":"Submitted","line_items":[' +
      '{"product":3,"quantity":"2.5000","ordered_unit_price":{"amount":12.1,"currency":"USD"},"sale_price":{"amount":12.1,"currency":"USD"}},' +
      '{"product":4,"quantity":"1.0000","ordered_unit_price":{"amount":5,"currency":"USD"},"sale_price":{"amount":4.55,"currency":"USD"}}' +
      '],"discount_amount":0.05,"discount_type":"amount","external_id":"E-1"}',
  );
});

test.each(['1.00005', '-1', '100000000'])('a line quantity of %s is refused, not rounded', (quantity) => {
  const line = { productId: 3, quantity: exact(quantity), orderedUnitPrice: usd('1') };
  const write = () =>
    orderCreateBody({ sellerId: 1, customerId: 2, status: 'Submitted', lines: [line], externalId: 'E-1' });
  expect(write).toThrow(/line_items\[0\]\.quantity/);
  expect(write).toThrow(expect.objectContaining({ kind: 'refused', outcome: 'not-applied' }));
});

test('the bodies of small writes have the documented form', () => {
  expect(externalIdBody('E-1')).toEqual({ external_id: 'E-1' });
  expect(JSON.stringify(quantityBody('available_inventory', exact('36.0')))).toBe('{"available_inventory":36}');
  expect(JSON.stringify(quantityBody('quantity', exact('1e20')))).toBe('{"quantity":100000000000000000000}');
  expect(JSON.stringify(quantityBody('quantity', exact('-0')))).toBe('{"quantity":0}');
  expect(JSON.stringify(quantityBody('quantity', exact('1e-41')))).toBe(`{"quantity":0.${'0'.repeat(40)}1}`);
});

test('every decimal is the same after sending and reading, whatever its size', () => {
  const decimals = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,18})?$/).map((text) => exact(text));
  fc.assert(
    fc.property(decimals, (decimal) => {
      const price = writeMoney({ amount: decimal, currency: 'EUR' });
      const sent = JSON.stringify({ ...quantityBody('quantity', decimal), wholesale_price: price });
      const back = parseJson(sent) as Record<string, unknown>;
      expect(readDecimal(back['quantity'])?.eq(decimal)).toBe(true);
      expect(readMoney(back['wholesale_price'])?.amount.eq(decimal)).toBe(true);
      expect(OPERATIONS['products.patch'].body.safeParse(back).success).toBe(true);
    }),
  );
});
