import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

/** The ERP gives a product another SKU. The lines of its orders keep the former SKU. */
async function rename(from: string, to: string): Promise<void> {
  const { store } = stage.app().core.state;
  const [product] = await store.erp.productsBySku('main', from);
  if (product === undefined) throw new Error(`${from} was read`);
  stage.erp.control.inject({ kind: 'invalid-row', key: from, set: { sku: to }, path: '/v1/products', times: null });
  stage.erp.control.inject({ kind: 'invalid-row', key: from, set: { sku: to }, path: '/v1/stock', times: null });
  stage.erp.control.setProduct(from, { description: 'under another SKU' });
}

for (const strategy of ['a', 'b'] as const) {
  test(`a SKU that is renamed in the ERP: the listing follows, and orders under the old one stay counted (${strategy})`, async () => {
    stage = await openStage({ strategy });
    const { marketplace, erp } = stage;
    erp.control.seed(1);
    erp.control.setStock('SB-0001', '20');
    const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    await stage.sync();
    const place = (quantity: string) => marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity }] });
    const [shipped, open] = [place('3'), place('2')];
    marketplace.transition(shipped.number, 'accept');
    marketplace.transition(shipped.number, 'fulfill');
    await stage.sync();
    erp.control.shipOrder(erp.control.findOrders(shipped.number)[0]?.id ?? '');
    await stage.sync();
    const before = marketplace.product(1);
    expect(before.available).toBe('15');

    await rename('SB-0001', 'NEW-1');
    erp.control.clearRequests();
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(marketplace.product(1)).toEqual({ ...before, sku: 'NEW-1' });
    expect(erp.control.requests().filter(({ method }) => method === 'PATCH')).toEqual([]);
    expect((await stage.sync()).written).toBe(0);

    erp.control.setStock('SB-0001', '27');
    marketplace.cancel(open.number);
    await stage.sync();
    expect(marketplace.product(1).available).toBe('27');
  });
}

test('a line that somebody removes in the ERP after its product was renamed is not entered again', async () => {
  stage = await openStage({ strategy: 'c' });
  const { marketplace, erp } = stage;
  erp.control.seed(2);
  for (const sku of ['SB-0001', 'SB-0002']) erp.control.setStock(sku, '20');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const items = ['SB-0001', 'SB-0002'].map((sku) => ({ product: marketplace.productBySku(sku).id, quantity: '2' }));
  const { number } = marketplace.placeOrder({ customer: buyer, items });
  await stage.sync();
  erp.control.renameProduct('SB-0001', 'NEW-1');
  await stage.sync();
  const inErp = () => erp.control.findOrders(number)[0];
  const left = (inErp()?.lines ?? []).filter(({ sku }) => sku === 'SB-0002');
  erp.control.changeOrder(inErp()?.id ?? '', { lines: left });
  await stage.sync();
  expect(inErp()?.lines.map(({ sku, quantity }) => `${quantity} x ${sku}`)).toEqual(['2 x SB-0002']);
  const told = await alertsOf(stage.context());
  expect(told.flatMap(({ causes }) => causes.map(({ code }) => code))).toContain('edited-in-erp');
});

test.each(['nobody', 'another product'])(
  'a shipped order whose product was renamed in the ERP was not edited, when %s has the former SKU',
  async (holder) => {
    stage = await openStage({ strategy: 'b' });
    const { marketplace, erp } = stage;
    erp.control.seed(1);
    erp.control.setStock('SB-0001', '20');
    const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    await stage.sync();
    const { number } = marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '3' }] });
    marketplace.transition(number, 'accept');
    await stage.sync();
    const { id = '', lines = [] } = erp.control.findOrders(number)[0] ?? {};
    erp.control.shipOrder(id);
    await stage.sync();
    erp.control.renameProduct('SB-0001', 'NEW-1');
    await stage.sync();
    if (holder !== 'nobody') erp.control.addProducts([{ sku: 'SB-0001', on_hand: '5' }]);
    await stage.sync();
    marketplace.transition(number, 'ship');
    await stage.sync();
    expect((await stage.store().work.held()).flatMap(({ flow, heldFor }) => [flow, heldFor])).toEqual([]);
    expect(erp.control.findOrders(number)[0]?.lines).toEqual(lines);
  },
);
