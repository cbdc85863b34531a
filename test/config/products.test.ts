import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { folderOf, LEAST } from './folder.ts';

/** The problems of these lines of the products section. Lines are counted from the first line of the section. */
function problemsOf(lines: string): string[] {
  const text = `${LEAST.trimEnd()}\n    products:\n${lines.replace(/^/gm, '      ')}\n`;
  const first = text.split('\n').findIndex((line) => line === '    products:') + 1;
  const path = folderOf({ 'c.yaml': text })('c.yaml');
  try {
    loadConfig(path, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ line, column, message, ...at }) => {
      return `${(line ?? 0) - first}:${column} ${at.path.replace('accounts.main.products.', '')}: ${message}`;
    });
  }
}

test('a complete product mapping is accepted', () => {
  expect(
    problemsOf(`fields:
  minimum_order: attributes.min_order
  sale_price: { amount: attributes.sale_price, currency: price.currency }
  license: 812
  seller: false
  unit_multiplier: null
  external_ids: false
create_only: [minimum_order, brand]
category: attributes.category
brand: '"Juniper Ridge"'
product_line: attributes.line
create_product_lines: true
references_as: object
images: { from: attributes.images, hosts: [images.erp.example, "127.0.0.1:8080"], remove: true, recheck: 6h }`),
  ).toEqual([]);
});

test('an unreadable expression of a product mapping has its place', () => {
  expect(
    problemsOf(`fields:
  minimum_order: attributes.(
  sale_price:
    amount: $lokup(price)
    currency: price.currency
  rate: 2.5
category: '"Flower'`),
  ).toEqual([
    '2:24 fields.minimum_order: is no JSONata expression: character 12: Expected ")" before end of expression',
    '4:19 fields.sale_price.amount: is no JSONata expression: there is no $lokup',
    `6:15 fields.rate: write a decimal as a text of the expression: '"2.5"'`,
    '7:17 category: is no JSONata expression: character 7: String literal must be terminated by a matching quote',
  ]);
});

test.each<[string, string]>([
  ['fields: { sku: attributes.code }', 'fields.sku: sku is set by Stockbridge itself'],
  [
    'fields: { wholesale_price: price }',
    "fields.wholesale_price: wholesale_price is the ERP's own: it can only be left out",
  ],
  ['fields: { sku: false }', 'fields.sku: only seller, name, description'],
  ['fields: { brand: 3 }\nbrand: attributes.brand', 'fields.brand: products.brand makes this field already'],
  ['create_only: [minimum_order]', 'create_only[0]: minimum_order is not made by products.fields'],
  [
    'create_product_lines: true\nproduct_line: attributes.line',
    'create_product_lines: needs products.product_line and products.brand',
  ],
  ['images: { from: attributes.images }', 'images.hosts: is missing'],
  [
    'images: { from: attributes.images, hosts: ["http://img.example"] }',
    'images.hosts[0]: expected a host in small letters',
  ],
  ['create_fields: { quantity: 3 }', 'create_fields.quantity: quantity is set by Stockbridge itself'],
])('the product mapping: %s', (lines, problem) => {
  expect(problemsOf(lines).map((found) => found.replace(/^\d+:\d+ /, ''))).toEqual([expect.stringContaining(problem)]);
});
