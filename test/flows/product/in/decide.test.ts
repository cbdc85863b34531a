import { expect, test } from 'vitest';
import { decideProductIn, type ProductInSnapshot } from '../../../../src/flows/product/in/decide.ts';
import { d } from '../../../store/shelf.ts';

const DRAFT = { sku: 'X-1', name: 'Gummies', description: '', price: { amount: d('5.25'), currency: 'USD' } };
const NEEDED: ProductInSnapshot = {
  listing: { id: 70, archived: false, draft: DRAFT },
  invalidRow: null,
  linked: false,
  neededBy: ['o-1'],
  sameSku: [],
  alike: [],
  productsKnown: true,
  createInDoubt: false,
  create: true,
};
const decide = (changes: Partial<ProductInSnapshot>) => decideProductIn({ ...NEEDED, ...changes });
const codes = (changes: Partial<ProductInSnapshot>) => decide(changes).holds.map(({ code }) => code);

test('a product that an order needs is created in the ERP, within the brake', () => {
  expect(decide({}).actions).toMatchObject([
    {
      action: 'product-in.create',
      after: 'SKU X-1: Gummies at 5.25 USD',
      why: 'the ERP does not know it, and order o-1 has it',
      brake: 'create',
      adoptOnly: false,
    },
  ]);
});

test.each([
  ['that is linked', { linked: true }],
  ['that no order needs', { neededBy: [] }],
  ['that the marketplace does not show', { listing: null }],
  ['in an ERP that cannot, or is not to', { create: false }],
])('no product is created in the ERP: %s', (_why, changes) => {
  expect(decide(changes)).toMatchObject({ actions: [], holds: [], lookAgainMs: null });
});

test.each([
  ['listing-invalid', { invalidRow: 'name: is missing' }],
  ['ordered-and-archived', { listing: { id: 70, archived: true, draft: DRAFT } }],
  ['erp-has-sku', { sameSku: ['P-1'] }],
  ['could-be-known', { alike: [{ id: 'P-1', sku: 'X1', by: ['sku-spelling'] as const }] }],
])('no product is created in the ERP while it is held for %s', (code, changes) => {
  expect([decide(changes).actions, codes(changes)]).toEqual([[], [code]]);
});

test("no product is created before the ERP's products were read: it is reconciled again", () => {
  expect(decide({ productsKnown: false })).toMatchObject({ actions: [], lookAgainMs: 5_000 });
});

test.each([
  ['whatever resembles it', { sameSku: ['P-1'], productsKnown: false }, false],
  ['and not made when no order needs it any more', { neededBy: [] }, true],
  ['and not made in an ERP that is not to any more', { create: false }, true],
])('a product create with a lost answer is settled, %s', (_what, changes, adoptOnly) => {
  const [action, ...more] = decide({ createInDoubt: true, ...changes }).actions;
  expect([action?.adoptOnly, action?.brake, more]).toEqual([adoptOnly, undefined, []]);
});
