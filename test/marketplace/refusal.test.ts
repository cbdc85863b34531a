import { expect, test } from 'vitest';
import { refusalText } from '../../src/marketplace/refusal.ts';

test.each([
  ['', ''],
  ['{}', ''],
  ['null', ''],
  ['{"detail":"Not found."}', 'Not found.'],
  ['{"sku":["is taken","is too long"],"name":["is missing"]}', 'sku: is taken; sku: is too long; name: is missing'],
  ['{"line_items":[{},{"quantity":["must be positive"]}]}', 'line_items[1].quantity: must be positive'],
  ['{"non_field_errors":["no"],"customer":{"id":["is not active"]}}', 'no; customer.id: is not active'],
  ['["one",2.5]', 'one; 2.5'],
  ['plain\n\ttext\u0000', 'plain text'],
  ['<html><style>p{}</style><body><h1>Bad</h1>Gateway</body></html>', 'Bad Gateway'],
])('the reason of a refusal is read from %j', (body, told) => {
  expect(refusalText(body)).toBe(told);
});

test('the reason of a refusal has a maximum length', () => {
  expect(refusalText('x'.repeat(5000))).toHaveLength(500);
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, ['no']]));
  expect(refusalText(JSON.stringify(fields))).toMatch(/f9: no; and 20 more$/);
  expect(refusalText(`${'{"a":'.repeat(5000)}"deep"${'}'.repeat(5000)}`)).toBe('');
});
