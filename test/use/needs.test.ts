import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { harmOf, needsOf } from '../../src/use/needs.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

test('a single waiting order is listed before forty cases of one setting, which are one need', async () => {
  const { store } = shelf();
  const main = { account: 'main', store };
  for (let order = 0; order < 40; order += 1) {
    const why = cause('tax-state-unknown', { order: `N-${order}`, customer: null });
    await setAlert(main, `order-in:N-${order}`, [why]);
  }
  await setAlert(main, 'stock:P-1', [cause('oversold', { sku: 'SB-1', by: '2', place: null })]);
  const held = { account: 'main', flow: 'order-in', key: 'N-99' };
  const product = { account: 'main', flow: 'product', key: 'P-2' };
  for (const target of [product, held]) {
    await store.work.mark([target], 'poll', 'seen');
    await store.work.fail(target, 1, 'erp-refused', 'no', 1);
  }
  const needs = await needsOf('main', store);
  expect(needs.map(({ kind, about, count, example }) => [kind, about, example.code, count])).toEqual([
    ['alert', 'stock', 'oversold', 1],
    ['failed', 'order-in', 'erp-refused', 1],
    ['failed', 'product', 'erp-refused', 1],
    ['alert', 'order-in', 'tax-state-unknown', 40],
  ]);
});

test('a side that is away comes before everything that it stops', async () => {
  const { store } = shelf();
  const main = { account: 'main', store };
  await setAlert(main, 'stock:P-1', [cause('oversold', { sku: 'SB-1', by: '2', place: null })]);
  await setAlert(main, 'marketplace:connection', [cause('marketplace-credentials', { message: 'no' })]);
  const needs = await needsOf('main', store);
  expect(needs.map(({ example }) => example.code)).toEqual(['marketplace-credentials', 'oversold']);
});

test.each([
  ['alert', 'stock', 'oversold', 0],
  ['brake', 'stock, zero', 'brake-kind-waits', 0],
  ['held', 'order-in', 'product-unlinked', 1],
  ['in doubt', 'order-out', 'several-match', 1],
  ['brake', 'product, price', 'brake-plan', 2],
  ['brake', 'product, archive', 'brake-plan', 3],
  ['held', 'stock', 'stock-unknown', 3],
  ['invalid row', 'orders', 'row-invalid', 4],
  ['alert', 'order-in', 'tax-state-unknown', 4],
] as const)('the harm of %s of %s for %s is %i', (kind, about, code, harm) => {
  expect(harmOf({ kind, about, example: { code } })).toBe(harm);
});
