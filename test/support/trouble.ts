import { cause } from '../../src/domain/causes/cause.ts';
import { openScreen } from './screen.ts';
import { type Stage, type StageOptions, until } from './stage.ts';

/** Orders that cannot be entered, since the ERP does not have their product. */
export const WAITING_ORDERS = 3;

/** The limits that are shipped, and a first catalogue that needs no approval. */
const BRAKES =
  '    brakes: { create: { count: 100, percent: 1000 }, archive: { count: 10, percent: 5 }, price: { percent: 50 } }';

/**
 * A shop of 40 products on a bad day: orders that wait for a link, a price that moves far, 18 products that would be archived, more sold
 * than there is, an order that may have been entered, a listing that somebody archived, and a write that failed.
 */
export async function openTrouble(options: StageOptions = {}): Promise<Stage> {
  const stage = await openScreen({ account: BRAKES, ...options });
  const { erp, marketplace } = stage;
  erp.control.seed(40);
  await stage.start();
  await stage.sync();
  const shop = (name: string) => marketplace.addCustomer({ name, state: 'NV' });
  const [corner, harbor] = [shop('Corner Shop'), shop('Harbor Supplies')];
  const [candle] = marketplace.createProducts([{ sku: 'CANDLE-1', name: 'Hand-dipped candle', quantity: 50 }]);
  if (candle === undefined) throw new Error('the candle was not listed');
  for (let at = 0; at < WAITING_ORDERS; at++) {
    marketplace.placeOrder({ customer: corner, items: [{ product: candle.id, quantity: String(at + 2) }] });
  }
  const sold = marketplace.productBySku('SB-0001');
  marketplace.placeOrder({ customer: harbor, items: [{ product: sold.id, quantity: '3' }] });
  await stage.sync();
  erp.control.setStock('SB-0001', '1');
  erp.control.setProduct('SB-0002', { price: { amount: '999.00', currency: 'USD' } });
  for (let at = 10; at < 28; at++) erp.control.setProduct(`SB-00${at}`, { active: false });
  marketplace.archiveProduct(marketplace.productBySku('SB-0005').id);
  await stage.sync();
  const { intents, work, brakes } = stage.store();
  const doubt = { account: 'main', kind: 'order-in', key: 'N-1', externalId: 'N-1' } as const;
  const found = ['SO-000001', 'SO-000002'];
  await intents.inDoubt(await intents.open(doubt), cause('several-match', { found, sent: true }), found);
  await failed(stage, 'P-000030');
  await until('the brakes hold', async () => (await brakes.open('main')).length > 1);
  await until(
    'the orders wait',
    async () => (await work.countFor('main', 'held', ['product-unlinked'])) === WAITING_ORDERS,
  );
  return stage;
}

async function failed(stage: Stage, key: string): Promise<void> {
  const { work } = stage.store();
  const target = { account: 'main', flow: 'images', key };
  await work.mark([target], 'poll', 'a test');
  const row = await work.get(target);
  await work.fail(target, row?.version ?? 0, 'marketplace-refused', 'The marketplace refused the image: too large', 5);
}
