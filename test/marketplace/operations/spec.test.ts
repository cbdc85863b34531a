import { expect, test } from 'vitest';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import { BRAND_OPERATIONS } from './spec/brands.ts';
import { CATALOG_OPERATIONS } from './spec/catalog.ts';
import { CUSTOMER_OPERATIONS } from './spec/customers.ts';
import { INVENTORY_OPERATIONS } from './spec/inventory.ts';
import { LOGISTICS_OPERATIONS } from './spec/logistics.ts';
import { type Spoken, written } from './spec/notation.ts';
import { ORDER_OPERATIONS } from './spec/orders.ts';
import { PAYMENT_OPERATIONS } from './spec/payments.ts';
import { PRODUCT_OPERATIONS } from './spec/products.ts';

/** Every operation of the two documents, written by hand from them. */
const SPEC: Readonly<Record<string, Spoken>> = {
  ...ORDER_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...BRAND_OPERATIONS,
  ...PRODUCT_OPERATIONS,
  ...INVENTORY_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...LOGISTICS_OPERATIONS,
};
const table: Readonly<Record<string, Operation>> = OPERATIONS;

test('the table has the operations of the documents, and no others', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(SPEC).toSorted());
});

test.each(Object.entries(SPEC))('the operation %s is as the documents have it', (id, spoken) => {
  const operation = table[id];
  expect(operation && written(operation)).toEqual(spoken);
});

test.each([
  ['orders.patch', { line_items: [{ quantity: '1' }] }, ['line_items', 0, 'product']],
  ['orders.patch', { line_items: [{ id: 7, quantity: '1' }] }, null],
  ['invoice-payments.create', payment({ payment_method: 'check' }), ['check_number']],
  ['invoice-payments.create', payment({ payment_method: 'check', check_number: '17' }), null],
  ['invoice-payments.create', payment({ payment_method: 'ach' }), null],
  ['product-images.upload', { product_id: 1, images: [png()], positions: [1, 2] }, ['positions']],
  ['product-images.upload', { product_id: 1, images: [png()], positions: [1] }, null],
])('the operation %s with %j: what one field requires of another', (id, body, place) => {
  const checked = table[id]?.body?.safeParse(body);
  expect(checked?.error?.issues[0]?.path ?? null).toEqual(place);
});

function payment(fields: object) {
  return { amount: '10.00', payment_date: '2026-02-28', payment_reason: 'standard', source_id: 'P-1', ...fields };
}

function png() {
  return { name: 'a.png', contentType: 'image/png', bytes: new Uint8Array([1]) };
}
