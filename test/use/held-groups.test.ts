import { expect, test } from 'vitest';
import { cause, exampleOf } from '../../src/domain/causes/cause.ts';
import { createHeldGroups, differingOrders } from '../../src/use/held-groups.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

test('a group of held keys is one cause, and each brake that holds writes is a cause of its own', () => {
  const groups = createHeldGroups();
  const exceeds = cause('too-many-writes', { count: 2, span: 'pass', most: 1 });
  const write = { action: 'product.archive', target: 'listing 7', before: null, after: null, waits: true, plan: 1 };
  for (const [key, brake] of Object.entries({ 'P-1': 'archive', 'P-2': 'price', 'P-3': 'archive' }))
    groups.add({ flow: 'product', key }, cause('brake-plan', { brake, exceeds, ...write }));
  groups.add({ flow: 'product', key: 'P-4' }, cause('sku-twice', { sku: 'SB-1', count: 2 }));
  groups.add({ flow: 'product', key: 'P-5' }, cause('sku-twice', { sku: 'SB-2', count: 2 }));
  expect(groups.largestFirst().map(({ code, key, count }) => [code, key, count])).toEqual([
    ['brake-plan', 'P-1', 2],
    ['sku-twice', 'P-4', 2],
    ['brake-plan', 'P-2', 1],
  ]);
});

test('an order with two alerts of differing sides counts as one order', async () => {
  const { facts, work } = shelf().store;
  const causes = [exampleOf('figure-differs'), exampleOf('charges-not-taken')];
  await facts.set('main', 'alert:order-in:o-1', JSON.stringify(causes));
  await facts.set('main', 'alert:order-in:o-2', JSON.stringify(causes.slice(0, 1)));
  await facts.set(
    'main',
    'alert:stock:P-1',
    JSON.stringify([cause('oversold', { sku: 'SB-1', by: '5', place: null })]),
  );
  expect(await differingOrders('main', { work })).toBe(2);
});
