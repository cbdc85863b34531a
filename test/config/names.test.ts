import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { folderOf } from './folder.ts';

/** The problems of these lines of YAML: of the section `marketplace`, and of the account. */
function problemsOf(marketplace: string, account = ''): string[] {
  const text = `
accounts:
  main:
    marketplace:
      base_url: https://marketplace.example
      auth: { scheme: app, key: a-key }
      seller_id: 4711
      ${marketplace}
    erp: { type: http, url: https://erp.example, token: a-token }
    inventory: { strategy: b }
    ${account}
`;
  try {
    loadConfig(folderOf({ 'c.yaml': text })('c.yaml'), {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, message }) => `${path.replace('accounts.main.', '')}: ${message}`);
  }
}

test('other names for every field are accepted', () => {
  expect(
    problemsOf(
      `fields:
        order: { discount: discount, discount_type: discount_type, shipping: totals.freight, tax: totals.tax, total: due }
        product: { price: case_price, unit_multiplier: case_size, category: kind, external_ids: foreign_ids }
        customer: { delivery_address: ship_to, corporate_address: seat }
      discount_types: { flat: amount, pct: percent }
      statuses: { Placed: Submitted, New: Submitted, Submitted: Accepted }`,
      `products: { category: attributes.kind, required: [case_price, kind, minimum_order], fields: { minimum_order: 1 } }`,
    ),
  ).toEqual([]);
});

test.each([
  [
    'order: { shipping: tax_amount }',
    ['order.shipping: tax_amount is the field of marketplace.fields.order.tax already'],
  ],
  [
    'order: { shipping: totals.extra, tax: totals.extra }',
    ['order.tax: totals.extra is the field of marketplace.fields.order.shipping already'],
  ],
  [
    'order: { total: discount_amount, discount: rebate }',
    ['order.total: discount_amount is shown by the documents, and means discount there'],
  ],
  [
    'order: { requested_date: modified }',
    ['order.requested_date: modified is shown by the documents, and means something else there'],
  ],
  [
    'product: { price: retail_price }',
    ['product.price: retail_price is shown by the documents, and means something else there'],
  ],
  [
    'customer: { delivery_address: directions }',
    ['customer.delivery_address: directions is shown by the documents, and means something else there'],
  ],
])('the setting of names %s contradicts itself or the documents', (fields, problems) => {
  expect(problemsOf(`fields: { ${fields} }`)).toEqual(problems.map((one) => `marketplace.fields.${one}`));
});

test('one configured field may hold both addresses of an order', () => {
  expect(problemsOf('fields: { order: { delivery_address: corporate_address } }')).toEqual([]);
  expect(problemsOf('fields: { order: { corporate_address: delivery_address } }')).toEqual([]);
  expect(problemsOf('fields: { order: { delivery_address: ship_to, corporate_address: ship_to } }')).toEqual([]);
});

test.each([
  [`"'Retired'"`, ['Retired means Archived here: write Archived, which is sent as Retired']],
  [
    `'attributes.state = "Retired" ? "Retired" : (1; "On sale")'`,
    [
      'Retired means Archived here: write Archived, which is sent as Retired',
      'On sale means Available here: write Available, which is sent as On sale',
    ],
  ],
  [`'attributes.state = "Retired" ? "Archived" : "Available"'`, []],
])('the state of a listing that %s sets is a word of the documents', (rule, problems) => {
  const words = 'listing_states: { Retired: Archived, "On sale": Available }';
  expect(problemsOf(words, `products: { fields: { listing_state: ${rule} } }`)).toEqual(
    problems.map((one) => `products.fields.listing_state: ${one}`),
  );
});

test.each([
  [
    'statuses: { Submitted: Accepted }',
    ['statuses.Submitted: Submitted means Accepted here, and nothing is spelled for Submitted itself'],
  ],
  [
    'discount_types: { flat: amount }',
    ['discount_types: needs marketplace.fields.order.discount_type: the field with the type'],
  ],
  [
    'fields: { order: { discount_type: kind } }\n      discount_types: { amount: percent }',
    ['discount_types.amount: amount means percent here, and nothing is spelled for amount itself'],
  ],
])('the setting of names %s leaves a value that cannot be written', (lines, problems) => {
  expect(problemsOf(lines)).toEqual(problems.map((one) => `marketplace.${one}`));
});

test('a listing gets a field under its usual name alone, and a required field is known under the name of the deployment', () => {
  const names = 'fields: { product: { price: case_price, category: kinds.id } }';
  expect(
    problemsOf(
      names,
      `products:
      fields: { kinds: "1", case_price: "2" }
      attributes: [case_price]
      create_fields: { case_price: 1 }
      required: [case_price, kinds.id]`,
    ),
  ).toEqual([
    'products.fields.kinds: marketplace.fields.product maps category to kinds.id: write category here',
    'products.fields.case_price: marketplace.fields.product maps wholesale_price to case_price: write wholesale_price here',
    'products.attributes[0]: marketplace.fields.product maps wholesale_price to case_price: write wholesale_price here',
    'products.create_fields.case_price: marketplace.fields.product maps wholesale_price to case_price: write wholesale_price here',
    'products.required[1]: kinds.id is made by nothing: give it in products.fields or products.create_fields',
  ]);
});
