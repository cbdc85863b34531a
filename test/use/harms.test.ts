import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { harmsOf } from '../../src/use/harms.ts';
import { needsOf } from '../../src/use/needs.ts';
import { erpProduct, product, productBatch, useShelf } from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';

const shelf = useShelf();

async function waitFor(orders: readonly (readonly [order: string, listing: number])[]): Promise<void> {
  const { store } = shelf();
  for (const [order, listing] of orders) {
    const target = { account: 'main', flow: 'order-in', key: order };
    await store.work.mark([target], 'poll', 'seen');
    await store.work.hold(target, 1, [
      cause('product-unlinked', { order, line: '1', product: listing, sku: null, elsewhere: null }),
    ]);
  }
}

const told = async () => {
  const { store } = shelf();
  return harmsOf('main', store, await needsOf('main', store));
};

test('orders that wait for one listing name it, and offer its link as their act', async () => {
  await shelf().store.products.record(productBatch([product({ id: 70, name: 'Hand-dipped candle' })]));
  await waitFor([
    ['N-1', 70],
    ['N-2', 70],
  ]);
  expect(await told()).toMatchObject([
    { sentence: '2 orders wait: Hand-dipped candle is not linked to a product of yours', listing: 70 },
  ]);
});

test('orders that wait for several listings name the first, and are linked one by one', async () => {
  await waitFor([
    ['N-1', 70],
    ['N-2', 71],
  ]);
  expect(await told()).toMatchObject([
    { sentence: '2 orders wait. The first: listing 70 is not linked to a product of yours', listing: null },
  ]);
});

test('an order that waits for two listings names the first, and has both as its cases', async () => {
  const { store } = shelf();
  await store.products.record(productBatch([product({ id: 70, name: 'Hand-dipped candle' })]));
  const target = { account: 'main', flow: 'order-in', key: 'N-1' };
  const waits = (listing: number) =>
    cause('product-unlinked', { order: 'N-1', line: String(listing), product: listing, sku: null, elsewhere: null });
  await store.work.mark([target], 'poll', 'seen');
  await store.work.hold(target, 1, [waits(70), waits(71)]);
  expect(await told()).toMatchObject([
    {
      sentence: '1 order waits. The first: Hand-dipped candle is not linked to a product of yours',
      listing: null,
      cases: [{ key: 'N-1', cause: waits(70) }, { cause: waits(71) }],
    },
  ]);
});

test('a write that a brake holds is listed by the name of its product, with its values, and its plan', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-1', sku: 'TEA-1', name: 'Green tea' })], {
    listing: null,
    lane: 'poll',
  });
  const write = {
    key: 'P-1',
    action: 'product.price',
    target: 'listing 7',
    before: '12.75 USD',
    after: '99 USD',
    why: '',
  };
  const limit = { holdsAll: false, reason: causeOf('moves far'), expiryMs: 60_000 };
  await store.brakes.hold({ account: 'main', flow: 'product', kind: 'price' }, [write], limit);
  const [harm] = await told();
  expect(harm?.sentence).toBe('1 price waits for an approval: Green tea from 12.75 USD to 99.00 USD');
  expect(harm?.plan?.count).toBe(1);
});

test('each write in doubt of a cause is listed with its candidates, the first 20 of many', async () => {
  const { intents } = shelf().store;
  const doubt = async (key: string) => {
    const id = await intents.open({ account: 'main', kind: 'order-in', key, externalId: key });
    await intents.inDoubt(id, cause('several-match', { found: ['SO-1', 'SO-2'], sent: true }), ['SO-1', 'SO-2']);
    return id;
  };
  const id = await doubt('N-1');
  expect(await told()).toMatchObject([{ sentence: '1 order is in doubt: it may be SO-1 or SO-2', doubts: [{ id }] }]);
  const other = await doubt('N-2');
  expect(await told()).toMatchObject([{ doubts: [{ id }, { id: other }] }]);
  for (let at = 3; at <= 25; at++) await doubt(`N-${at}`);
  expect((await told())[0]?.doubts).toHaveLength(20);
});
