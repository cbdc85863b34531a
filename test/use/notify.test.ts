import { expect, test } from 'vitest';
import type { Config } from '../../src/config/resolve.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { noteSide } from '../../src/shadow/alerts.ts';
import { allStanding, sightOf } from '../../src/use/notify.ts';
import { accountConfig } from '../flows/account.ts';
import { erpProduct, order, orderBatch, product, productBatch, useShelf } from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';

const shelf = useShelf();
const config = {
  accounts: [accountConfig()],
  unusable: [],
  state: { dir: '/nowhere', postgres: null },
} as never as Config;

async function told() {
  const standing = (await allStanding(config, shelf().store)).get('main') ?? [];
  return Promise.all(standing.map((one) => one.tell()));
}

test('a message names an order by its number and its customer, in the words of a shop', async () => {
  const { orders, products, work } = shelf().store;
  await products.record(productBatch([product({ id: 70, name: 'Hand-dipped candle' })]));
  await orders.record(orderBatch([order({ number: 'o-1', lines: null, customer: { id: 5, name: 'Corner Shop' } })]));
  const target = { account: 'main', flow: 'order-in', key: 'o-1' };
  await work.mark([target], 'poll', 'seen');
  const why = cause('product-unlinked', { order: 'o-1', line: '1', product: 70, sku: null, elsewhere: null });
  await work.hold(target, (await work.get(target))?.version ?? 0, [why]);
  expect(await told()).toEqual([
    {
      sentence: '1 order waits: Hand-dipped candle is not linked to a product of yours',
      words: 'Hand-dipped candle is not linked to a product of yours',
      name: expect.stringMatching(/^o-1 \(Corner Shop/),
      plan: null,
    },
  ]);
});

test('a message about a brake has its plan, and one about a doubt the entity itself', async () => {
  const { store } = shelf();
  const { brakes, intents, erp } = store;
  await erp.recordProducts('main', [erpProduct({ id: 'P-1', name: 'Green tea' })], { listing: null, lane: 'poll' });
  const write = {
    key: 'P-1',
    action: 'product.price',
    target: 'listing 7',
    before: '12 USD',
    after: '99 USD',
    why: '',
  };
  const limit = { holdsAll: false, reason: causeOf('moves far'), expiryMs: 60_000 };
  const plan = await brakes.hold({ account: 'main', flow: 'product', kind: 'price' }, [write], limit);
  const id = await intents.open({ account: 'main', kind: 'product', key: 'P-1', externalId: 'P-1' });
  await intents.inDoubt(id, cause('several-match', { found: ['70', '71'], sent: true }));
  expect(await told()).toMatchObject([
    { sentence: '1 price waits for an approval: Green tea from 12.00 USD to 99.00 USD', plan: plan.id },
    { sentence: '1 listing is in doubt: it may be 70 or 71', name: 'P-1 (Green tea)', plan: null },
  ]);
});

test('while a list is unread, the causes of its flows cannot be checked; while a side is unreachable, none can be', async () => {
  const { store } = shelf();
  const window = { account: 'main', tick: 1, readAtMs: shelf().nowMs, from: null, to: null, rows: 0, finding: null };
  const sight = () => sightOf(config, store, 'main');
  expect((await sight()).unseen).toEqual(expect.arrayContaining(['product', 'stock', 'order-in', 'orders']));
  for (const collection of ['orders', 'erp-orders']) {
    await store.cursors.record({ ...window, collection, cursor: null });
  }
  const { seen, unseen } = await sight();
  expect(
    [seen, unseen].map((names) => ['order-in', 'transition', 'orders', 'stock'].filter((one) => names.includes(one))),
  ).toEqual([['order-in', 'transition', 'orders'], ['stock']]);
  await noteSide({ account: 'main', store }, 'erp', { kind: 'unavailable', message: 'refused' });
  expect((await sight()).seen).toEqual([]);
});
