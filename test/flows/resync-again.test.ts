import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { resync } from '../../src/flows/resync.ts';
import { at, erpProduct, product, productBatch, useShelf } from '../store/shelf.ts';
import { accountConfig, accountContext } from './account.ts';

const shelf = useShelf();

test('a run does not repeat a held write that has not changed', async () => {
  const { store } = shelf();
  const target = { account: 'main', flow: 'product', key: 'P-1' };
  const rename = (name: string, minute: number) =>
    store.erp.recordProducts('main', [erpProduct({ name, changedAt: at(minute) })], { listing: null, lane: 'poll' });
  const hold = async () => {
    const row = await store.work.get(target);
    await store.work.hold(target, row?.version ?? 0, [cause('rules-disagree', { steps: 12 })]);
  };
  await store.facts.set('main', 'listings-known', 'yes');
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await rename('Another name', 1);

  const context = accountContext(store, accountConfig());
  const tried = { sinceMs: 0, plans: new Set<string>() };
  const found = () => resync(context, new AbortController().signal, tried);
  expect(await found()).toBe(1);
  await hold();
  expect(await found()).toBe(0);
  expect(await resync(context, new AbortController().signal)).toBe(1);
  await rename('A third name', 2);
  await hold();
  expect(await found()).toBe(1);
});

test('a held entity is reconciled again only when it would be held for another reason', async () => {
  const { store } = shelf();
  const target = { account: 'main', flow: 'product', key: 'P-1' };
  const again = async () => {
    await resync(accountContext(store, accountConfig()), new AbortController().signal);
    return (await store.work.get(target))?.state;
  };
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.work.hold(target, (await store.work.get(target))?.version ?? 0, [
    cause('price-not-positive', { sku: 'SB-1', price: '0' }),
  ]);
  expect(await again()).toBe('pending');
  const row = await store.work.get(target);
  await store.work.hold(target, row?.version ?? 0, [cause('listings-unread')]);
  expect(await again()).toBe('held');
});
