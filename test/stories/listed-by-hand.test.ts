import { beforeEach, expect, test } from 'vitest';
import { READS, type ReadName } from '../../src/shadow/collections.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

/** Both sides are in step, and nothing polls: only this test and the flow read. */
beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(3);
  await stage.sync();
  stage.marketplace.requestLog.reset();
});

const store = () => stage.store();
const listings = (sku: string) => stage.marketplace.products().filter((product) => product.sku === sku);
const listCalls = () => stage.marketplace.requestLog.counts()['products.list'] ?? 0;
const isQuiet = async () => (await store().work.pending('main')) === 0;

function addToErp(...skus: string[]): void {
  stage.erp.control.addProducts(skus.map((sku) => ({ sku, name: `New ${sku}`, on_hand: '3' })));
}

async function read(name: ReadName): Promise<void> {
  const context = stage.context();
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
  await context.exclusively<unknown>([name], () => READS[name](context, look));
}

test('a product that was listed by hand since the listings were read last is linked, not listed again', async () => {
  addToErp('NEW-1');
  const { id } = stage.marketplace.createProduct({ sku: 'NEW-1', name: 'By hand', quantity: 1 });
  await read('read:erp-products');
  await until('nothing is left to do', isQuiet);
  expect(listings('NEW-1')).toMatchObject([{ id, name: 'New NEW-1' }]);
  expect(await store().mappings.byMarketplaceId('main', 'product', String(id))).toMatchObject({ how: 'sku' });
});

test('many new products cost a call or two for all of them, and unchanged ones none', async () => {
  const skus = Array.from({ length: 50 }, (_, index) => `NEW-${index}`);
  addToErp(...skus);
  await read('read:erp-products');
  await until('all are listed', async () => listings('NEW-49').length === 1 && (await isQuiet()));
  for (const sku of skus) expect(listings(sku)).toHaveLength(1);
  expect(listCalls()).toBeGreaterThanOrEqual(1);
  // One list call serves all products. A slow machine may need a few more.
  expect(listCalls()).toBeLessThanOrEqual(5);

  stage.marketplace.requestLog.reset();
  await read('read:all-erp-products');
  const everything = (await store().erp.productIds('main', '', 100)).map((key) => ({
    account: 'main',
    flow: 'product',
    key,
  }));
  expect(everything).toHaveLength(53);
  await store().work.mark(everything, 'poll', 'looked at again');
  await until('nothing is left to do', isQuiet);
  expect(listCalls()).toBe(0);
});

for (const [what, fault, reasons] of [
  ['fails', { kind: 'status-before', status: 503 }, []],
  ['is no list', { kind: 'html-body' }, [/^listed-by-hand-unknown {"sku":"NEW-1","problem":".* it is not JSON/]],
] as const) {
  test(`while the answer of the listings ${what}, nothing is listed, and everything else goes on`, async () => {
    stage.marketplace.faults.set({ ...fault, operation: 'products.list' });
    addToErp('NEW-1');
    stage.erp.control.setStock('SB-0001', '77');
    await read('read:erp-products');
    await until('the listings were asked for', () => listCalls() > 0);
    await read('read:erp-stock');
    await until('the rest goes on', () => Number(stage.marketplace.productBySku('SB-0001').available) === 77);
    expect(listings('NEW-1')).toEqual([]);
    await until('it is told', async () => (await store().work.held()).length === reasons.length);
    const held = (await store().work.held()).map(({ heldFor }) => told(heldFor));
    expect(held).toEqual(reasons.map((reason) => expect.stringMatching(reason) as string));

    stage.marketplace.faults.clear();
    await until('it is listed', async () => {
      // Releases held keys, as the daemon does from time to time.
      await store().work.release({});
      return listings('NEW-1').length === 1;
    });
    expect(await store().work.counts()).not.toContainEqual(expect.objectContaining({ state: 'failed' }));
  });
}
