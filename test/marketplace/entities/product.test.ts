import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { parseJson } from '../../../src/http/json.ts';
import { type ProductRow, readFigures, readProduct } from '../../../src/marketplace/entities/product.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';

function row(fields: object): ProductRow {
  const raw = parseJson(JSON.stringify({ id: 5, ...fields }));
  OPERATIONS['products.list'].answer.parse(raw);
  return raw as ProductRow;
}

test('a listing field that was not sent is unknown', () => {
  expect(readProduct(row({}), 'erp')).toEqual({
    id: 5,
    sku: null,
    modified: null,
    createdOn: null,
    archived: undefined,
    externalId: null,
    figures: { quantity: null, reserved: null, available: null },
    name: undefined,
    description: undefined,
    price: undefined,
    unitMultiplier: undefined,
    managed: true,
  });
});

test('a full listing is read', () => {
  const fields = {
    sku: 'A-1',
    name: 'Lamp',
    description: null,
    modified: '2024-05-01T10:00:00Z',
    created_on: '2024-04-01T10:00:00Z',
    quantity: '10.0000',
    reserved_qty: 4,
    available_inventory: 6.5,
    wholesale_price: { amount: '9.90', currency: 'USD' },
    unit_multiplier: 12,
    external_ids: { erp: 'P1', other: 5 },
  };
  expect(readProduct(row(fields), 'erp')).toEqual({
    id: 5,
    sku: 'A-1',
    modified: '2024-05-01T10:00:00Z',
    createdOn: '2024-04-01T10:00:00Z',
    archived: undefined,
    externalId: 'P1',
    figures: { quantity: new Decimal('10'), reserved: new Decimal('4'), available: new Decimal('6.5') },
    name: 'Lamp',
    description: '',
    price: { amount: new Decimal('9.9'), currency: 'USD' },
    unitMultiplier: new Decimal('12'),
    managed: true,
  });
});

test.each([
  [{ archived: true }, true],
  [{ listing_state: 'Archived' }, true],
  [{ archived: false, listing_state: 'Available' }, false],
  [{ listing_state: 'Sample' }, false],
  [{ archived: null }, undefined],
])('the listing %j is archived: %s', (fields, archived) => {
  expect(readProduct(row(fields), 'erp').archived).toBe(archived);
});

test.each([
  [1, true],
  ['1', true],
  [null, true],
  [{ id: 1, name: 'Managed' }, true],
  [{ value: '1' }, true],
  [2, false],
  ['3', false],
  [{ id: 2 }, false],
  ['unlimited', false],
])('a listing with inventory management %j is managed: %s', (inventory_management, managed) => {
  expect(readProduct(row({ inventory_management }), 'erp').managed).toBe(managed);
});

test.each([
  [{ erp: 'P1' }, 'P1'],
  [{ erp: null }, null],
  [{ toString: 'x' }, null],
  [null, null],
])('the external id of the listing %j is %s', (external_ids, externalId) => {
  expect(readProduct(row({ external_ids }), 'erp').externalId).toBe(externalId);
});

test('the answer to a patch may have the figures alone, or nothing', () => {
  expect(readFigures(parseJson('{"reserved_qty":2.50}') as ProductRow)).toEqual({
    quantity: null,
    reserved: new Decimal('2.5'),
    available: null,
  });
  expect(readFigures(null)).toEqual({ quantity: null, reserved: null, available: null });
});
