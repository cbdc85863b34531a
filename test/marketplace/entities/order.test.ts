import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { parseJson, rawNumber } from '../../../src/http/json.ts';
import { chargesBody } from '../../../src/marketplace/entities/bodies.ts';
import { type OrderRow, readOrder } from '../../../src/marketplace/entities/order.ts';
import { withAmounts } from '../../../src/marketplace/entities/order-amounts.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';

const base = { number: 'n', status: 'Submitted', modified: '2024-05-01T10:00:00Z' };

function row(fields: object): OrderRow {
  const raw = parseJson(JSON.stringify({ ...base, ...fields }));
  OPERATIONS['orders.list'].answer.parse(raw);
  return raw as OrderRow;
}

test('the missing fields of a bare order are unknown', () => {
  expect(readOrder(row({}))).toEqual({
    number: 'n',
    status: 'Submitted',
    modified: '2024-05-01T10:00:00Z',
    externalId: null,
    customer: { id: null, name: null },
    discountAmount: new Decimal(0),
    shippingAmount: null,
    taxAmount: null,
    total: null,
    deliveryState: null,
    lines: null,
  });
});

test('an order line keeps its quantity and prices, as numbers or as text', () => {
  const usd = (amount: unknown) => ({ amount, currency: 'USD' });
  const line = { id: 1, product: 11, quantity: '2.5000', ordered_unit_price: usd(12.1), sales_price: usd('11.00') };
  const plain = {
    id: 2,
    product: 12,
    quantity: 3,
    ordered_unit_price: usd(0),
    sales_price: null,
    unit_multiplier: '12',
  };
  expect(readOrder(row({ line_items: [line, plain] })).lines).toEqual([
    {
      id: 1,
      productId: 11,
      quantity: new Decimal('2.5'),
      orderedUnitPrice: usd(new Decimal('12.1')),
      salesPrice: usd(new Decimal('11')),
      unitMultiplier: null,
    },
    {
      id: 2,
      productId: 12,
      quantity: new Decimal('3'),
      orderedUnitPrice: usd(new Decimal('0')),
      salesPrice: null,
      unitMultiplier: new Decimal('12'),
    },
  ]);
});

test.each([
  ['bare', { total: '99.10', shipping_charge: 5, tax_amount: 27.01, discount_amount: '3.00' }],
  [
    'as Money',
    {
      total: { amount: '99.10', currency: 'USD' },
      shipping_charge: { amount: 5, currency: 'USD' },
      tax_amount: { amount: 27.01, currency: 'USD' },
      discount_amount: { amount: '3', currency: 'USD' },
    },
  ],
])('the amounts of an order are read %s', (_, fields) => {
  const order = readOrder(row(fields));
  expect([order.total, order.shippingAmount, order.taxAmount, order.discountAmount].map(String)).toEqual([
    '99.1',
    '5',
    '27.01',
    '3',
  ]);
});

test('an amount in an unknown form is unknown', () => {
  expect(readOrder(row({ total: 'a lot', shipping_charge: {}, tax_amount: [] }))).toMatchObject({
    total: null,
    shippingAmount: null,
    taxAmount: null,
  });
});

test.each([
  [{ delivery_address: { state: 'CA' } }, 'CA'],
  [{ corporate_address: { state: 'NV' }, delivery_address: { state: 'CA' } }, 'CA'],
  [{ corporate_address: { state: 'NV' }, delivery_address: { state: '' } }, 'NV'],
  [{ delivery_address: { state: { id: 5, abbr: 'CA', name: 'California' } } }, 'CA'],
  [{ delivery_address: { state: { name: 'California' } } }, 'California'],
  [{ customer: { id: 1, delivery_address: { state: 'OR' } } }, 'OR'],
  [{ customer: { id: 1, delivery_address: { state: 'OR' } }, corporate_address: { state: 'CA' } }, 'CA'],
  [{ delivery_address: null, corporate_address: 'Main Street', customer: null }, null],
  [{ delivery_address: { state: 5 } }, null],
])('the delivery state of %j is %s', (fields, state) => {
  expect(readOrder(row(fields)).deliveryState).toBe(state);
});

test.each([
  [{ customer: { id: 7, name: 'Shop' }, external_id: 'E-1' }, { id: 7, name: 'Shop' }, 'E-1'],
  [{ customer: { id: 7, display_name: 'Shop' }, external_id: '' }, { id: 7, name: 'Shop' }, null],
  [{ customer: { name: '', dba: 'Shop' } }, { id: null, name: 'Shop' }, null],
])('the customer and the external id of the order %j are read', (fields, customer, externalId) => {
  expect(readOrder(row(fields))).toMatchObject({ customer, externalId });
});

test('an order status is stored as sent', () => {
  expect(readOrder(row({ status: 'Cancelled' })).status).toBe('Cancelled');
});

test.each([
  ['percent', '10%'],
  ['Percentage', '10%'],
  ['%', '10%'],
  ['amount', '10'],
  ['$', '10'],
  ['', '10'],
  [null, '10'],
  [undefined, '10'],
])('a discount of 10 whose type is %s is %s', (type, expected) => {
  const { discountAmount, discountPercent } = readOrder(row({ discount_amount: 10, discount_type: type }));
  expect(discountPercent === undefined ? discountAmount.toFixed() : `${discountPercent.toFixed()}%`).toBe(expected);
  const shown = row({ discount_amount: 10, discount_type: type });
  expect(withAmounts(OPERATIONS['orders.list'].answer).safeParse(shown).success).toBe(true);
});

test('a discount with an unknown type is unknown', () => {
  const told = withAmounts(OPERATIONS['orders.list'].answer);
  expect(told.safeParse(row({ discount_amount: 10, discount_type: 'tiered' })).error?.issues).toMatchObject([
    {
      path: ['discount_type'],
      message: 'expected percent or amount (marketplace.fields.order.discount_type names this field)',
    },
  ]);
});

test('a discount is written as an amount', () => {
  expect(chargesBody(new Decimal(1), new Decimal(12))).toEqual({
    discount_amount: rawNumber('1'),
    discount_type: 'amount',
    shipping_charge: rawNumber('12'),
  });
});

test("the buyer's name is read from the configured field", () => {
  const customer = { id: 7, name: 'Shop' };
  expect(readOrder(row({ customer, customer_name: 'Shop & Sons' })).customer).toEqual({ id: 7, name: 'Shop & Sons' });
  expect(readOrder(row({ customer, customer_name: '' })).customer).toEqual(customer);
});
