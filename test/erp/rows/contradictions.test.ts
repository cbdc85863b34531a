import { expect, test } from 'vitest';
import { withoutContradictions } from '../../../src/erp/rows/contradictions.ts';

const row = (productId: string, available: string, more: object = {}) => ({ sku: 'S', productId, available, ...more });

test('two different stock rows of one SKU in one answer are rejected', () => {
  const page = { items: [row('P-1', '5'), row('P-2', '7'), row('P-1', '50')], invalidRows: [] };
  expect(withoutContradictions(page)).toMatchObject({
    items: [{ productId: 'P-2' }],
    invalidRows: [{ what: 'P-1', id: 'P-1', sku: 'S' }],
  });
});

test('equal rows count as one, and locations are told apart', () => {
  const items = [row('P-1', '5'), row('P-1', '5'), row('P-1', '9', { location: 'EAST' })];
  expect(withoutContradictions({ items, invalidRows: [] })).toEqual({ items, invalidRows: [] });
});

test('records are distinguished by their ids', () => {
  const items = [
    { id: 'SO-1', reference: 'a' },
    { id: 'SO-1', reference: 'b' },
  ];
  expect(withoutContradictions({ items, invalidRows: [] })).toMatchObject({
    items: [],
    invalidRows: [{ what: 'SO-1', id: 'SO-1' }],
  });
});

test('a valid row is rejected together with an invalid row of the same name', () => {
  const items = [row('P-1', '5'), row('P-2', '7')];
  const unfit = { what: 'P-1', id: 'P-1', sku: 'S', path: 'on_hand', message: 'expected a decimal' };
  expect(withoutContradictions({ items, invalidRows: [unfit] })).toMatchObject({
    items: [{ productId: 'P-2' }],
    invalidRows: [unfit, { what: 'P-1', contradicts: true }],
  });
});
