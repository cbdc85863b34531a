import { expect, test } from 'vitest';
import { likenessOf, type Signed } from '../../src/domain/alike.ts';

const signed = (sku: string | null, name: string | null = null, body: object = {}): Signed => ({
  sku,
  name,
  body: JSON.stringify(body),
});

test.each([
  ['case-1', 'CASE-1'],
  ['SB 0001', 'SB-0001'],
  ['SB0001', 'SB-0001'],
  ['s.b_0001 ', 'SB-0001'],
  ['ＳＢ-0001', 'SB-0001'],
  ['BLÜTE-7', 'blüte 7'],
])('a listing may be a product with another spelling of the SKU: %s and %s', (there, here) => {
  expect(likenessOf(signed(there), signed(here))).toContain('sku-spelling');
});

test.each([
  ['JRB-SB-0001', 'SB-0001'],
  ['SB-0001-OLD', 'SB-0001'],
  ['SB-0001', 'JRB-SB-0001'],
  ['SB-0001', 'SB-0001/EA'],
  ['0001', 'SB-0001'],
  ['lemon-gummies', 'JRB lemon gummies'],
])('a listing resembles a product whose SKU has an extra prefix or suffix: %s and %s', (there, here) => {
  expect(likenessOf(signed(there), signed(here))).toContain('sku-part');
});

test.each([
  ['SB-00011', 'SB-0001'],
  ['SB-0002', 'SB-0001'],
  ['SB', 'SB-0001'],
  ['7', 'SB-7'],
  ['XSB-0001', 'SB-0001'],
  [null, 'SB-0001'],
  ['---', '+++'],
])('a listing is not a product with another SKU: %s and %s', (there, here) => {
  expect(likenessOf(signed(there), signed(here))).toEqual([]);
});

test('a listing may be a product of the same name, whatever their SKUs', () => {
  expect(likenessOf(signed('X-1', 'Lemon Gummies, 10 pack'), signed('SB-1', 'lemon gummies 10-PACK'))).toEqual([
    'name',
  ]);
  expect(likenessOf(signed('X-1', 'Lemon Gummies'), signed('SB-1', 'Lemon Gummies 10 pack'))).toEqual([]);
  expect(likenessOf(signed('X-1', ''), signed('SB-1', ''))).toEqual([]);
});

test('a listing may be a product of the same barcode, with and without leading zeros', () => {
  const there = signed('X-1', null, { upc: '0 12345 67890 5' });
  expect(likenessOf(there, signed('SB-1', null, { barcode: '0012345678905' }))).toEqual(['barcode']);
  expect(likenessOf(there, signed('SB-1', null, { gtin_14: 12345678905 }))).toEqual(['barcode']);
  expect(likenessOf(there, signed('SB-1', null, { lot: '012345678905' }))).toEqual([]);
  expect(likenessOf(signed('X-1', null, { ean: '' }), signed('SB-1', null, { ean: null }))).toEqual([]);
});
