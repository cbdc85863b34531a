import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';
import { openDoor, retold } from '../support/twisted.ts';

/* Orders that no business has are held before they are entered, and go on once the next step of their cause is taken. */

const SKU = 'SB-0001';

type Row = Record<string, unknown> & { readonly line_items: readonly Record<string, unknown>[] };

interface Shop {
  readonly stage: Stage;
  readonly buyer: number;
  /** Changes the row of an order as the marketplace shows it from now on; null: it is shown as it is. */
  readonly show: (number: string, change: ((row: Row) => object) | null) => void;
}

async function openShop(): Promise<Shop> {
  const changes = new Map<string, (row: Row) => object>();
  const stage = await openStage({
    through: async (_side, url) => {
      const door = await openDoor(url);
      door.twist = (answer) => {
        if (!answer.target.includes('/orders-received/') || answer.status !== 200) return answer;
        const shown = (row: Row) => changes.get(String(row['number']))?.(row) ?? row;
        return retold(answer, (said: Row & { results?: Row[] }) =>
          said.results === undefined ? shown(said) : { ...said, results: said.results.map(shown) },
        );
      };
      return door;
    },
  });
  stage.erp.control.seed(2);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  return {
    stage,
    buyer,
    show: (number, change) => void (change === null ? changes.delete(number) : changes.set(number, change)),
  };
}

const place = ({ stage, buyer }: Shop, quantity = '2') =>
  stage.marketplace.placeOrder({
    customer: buyer,
    items: [{ product: stage.marketplace.productBySku(SKU).id, quantity }],
  }).number;

const inErp = ({ stage }: Shop, number: string) =>
  stage.erp.control.findOrders(number).filter(({ status }) => status !== 'cancelled');

const heldBy = async ({ stage }: Shop) =>
  (await stage.store().work.held('main')).map(({ key, heldFor }) => [key, heldFor?.[0]?.code]);

const withLine = (change: object) => (row: Row) => ({
  ...row,
  line_items: row.line_items.map((line) => ({ ...line, ...change })),
});
const without =
  (...names: string[]) =>
  (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
const unpriced = without('total', 'tax_amount');

const HELD: Record<string, { readonly show: (row: Row) => object; readonly code: string }> = {
  'a discount above its worth': {
    show: (row) => unpriced({ ...row, discount_amount: 999_999_999 }),
    code: 'order-total-negative',
  },
  'a discount below zero': { show: (row) => unpriced({ ...row, discount_amount: -5 }), code: 'order-charge-negative' },
  'shipping below zero': { show: (row) => unpriced({ ...row, shipping_charge: -100 }), code: 'order-charge-negative' },
  'a total below zero': { show: (row) => ({ ...row, total: -98 }), code: 'order-total-negative' },
  'a price below zero': {
    show: (row) => unpriced(withLine({ ordered_unit_price: { amount: -2, currency: 'USD' } })(row)),
    code: 'line-price-negative',
  },
  'a quantity of zero': { show: withLine({ quantity: '0.0000' }), code: 'line-quantity' },
  'a quantity below zero': { show: withLine({ quantity: '-1.0000' }), code: 'line-quantity' },
  'no lines': { show: (row) => ({ ...row, line_items: [] }), code: 'order-empty' },
  'another seller': { show: (row) => ({ ...row, seller: 4712 }), code: 'order-of-another-seller' },
};

test.each(Object.entries(HELD))(
  'an order with %s is held until it is corrected, and other orders go on',
  async (_what, { show, code }) => {
    const shop = await openShop();
    const { stage } = shop;
    const number = place(shop);
    shop.show(number, show);
    const other = place(shop);
    await stage.sync();
    expect(inErp(shop, number)).toEqual([]);
    expect(inErp(shop, other)).toHaveLength(1);
    expect(await heldBy(shop)).toContainEqual([number, code]);
    shop.show(number, null);
    await stage.sync();
    expect(inErp(shop, number)).toMatchObject([{ status: 'reserved' }]);
    expect(stage.marketplace.order(number).externalId).not.toBeNull();
    expect(await heldBy(shop)).toEqual([]);
    expect((await stage.sync()).written).toBe(0);
  },
);

test.each(Object.entries(HELD))(
  'an order that is edited to %s stays in the ERP as it was until it is corrected',
  async (what, { show, code }) => {
    const shop = await openShop();
    const { stage } = shop;
    const number = place(shop);
    await stage.sync();
    const [before] = inErp(shop, number);
    shop.show(number, show);
    await stage.sync();
    expect(inErp(shop, number)).toEqual([before]);
    // Prices stay as they were agreed, and a seller or a wrong total writes nothing to the ERP.
    const isWrite = !/price|seller|total/.test(what);
    if (isWrite) expect(await heldBy(shop)).toContainEqual([number, code]);
    shop.show(number, null);
    await stage.sync();
    expect(inErp(shop, number)).toEqual([before]);
    expect(await heldBy(shop)).toEqual([]);
  },
);

test('an order whose number no API call can contain is not entered, and the same goods under another number are', async () => {
  const shop = await openShop();
  const { stage } = shop;
  const number = place(shop);
  shop.show(number, (row) => ({ ...row, number: '../../x' }));
  await stage.sync();
  expect(stage.erp.control.state().orders).toEqual([]);
  expect(await heldBy(shop)).toContainEqual(['../../x', 'order-number-unfit']);
  const again = place(shop);
  shop.show(number, (row) => ({ ...row, number: '../../x', status: 'Canceled' }));
  await stage.sync();
  expect(inErp(shop, again)).toHaveLength(1);
  expect(await heldBy(shop)).toEqual([]);
});

test('orders of another company are entered once its seller_id is set', async () => {
  const shop = await openShop();
  const { stage } = shop;
  const number = place(shop);
  shop.show(number, (row) => ({ ...row, seller: 4712 }));
  await stage.sync();
  expect(inErp(shop, number)).toEqual([]);
  await stage.stop();
  writeFileSync(stage.configFile, readFileSync(stage.configFile, 'utf8').replace('seller_id: 4711', 'seller_id: 4712'));
  await stage.sync();
  expect(inErp(shop, number)).toHaveLength(1);
});

test('a free sample, and a discount of the full value, are valid orders', async () => {
  const shop = await openShop();
  const { stage } = shop;
  const [sample, gift] = [place(shop), place(shop)];
  shop.show(sample, (row) => unpriced(withLine({ ordered_unit_price: { amount: 0, currency: 'USD' } })(row)));
  const price = Number(stage.marketplace.productBySku(SKU).price.amount);
  const each = price / Number(stage.marketplace.productBySku(SKU).unitMultiplier);
  shop.show(gift, (row) => unpriced({ ...row, discount_amount: Number((2 * each).toFixed(2)) }));
  await stage.sync();
  expect(inErp(shop, sample)).toMatchObject([{ total: '0' }]);
  expect(inErp(shop, gift)).toMatchObject([{ total: '0' }]);
});

test('a held order keeps its units from other buyers, and a line that cannot be counted stops an increase but no decrease', async () => {
  const shop = await openShop();
  const { stage } = shop;
  const left = () => Number(stage.marketplace.productBySku(SKU).available);
  stage.erp.control.setStock(SKU, '100');
  await stage.sync();
  const number = place(shop, '2');
  shop.show(number, (row) => unpriced({ ...row, shipping_charge: -100 }));
  await stage.sync();
  expect(left()).toBe(98);
  shop.show(number, withLine({ quantity: '-1.0000' }));
  await stage.sync();
  stage.erp.control.setStock(SKU, '150');
  await stage.sync();
  expect(left()).toBeLessThanOrEqual(100);
  stage.erp.control.setStock(SKU, '30');
  await stage.sync();
  expect(left()).toBeLessThanOrEqual(30);
});

const OWN = { sku: SKU, quantity: '4', unit_price: '2.00' };

const OWN_HELD: Record<string, { readonly order: object; readonly code: string; readonly mended: object }> = {
  'a discount above its worth': {
    order: { discount: '100' },
    code: 'order-total-negative',
    mended: { discount: '1', total: '7' },
  },
  'a discount below zero': { order: { discount: '-3' }, code: 'order-charge-negative', mended: { discount: '0' } },
  'shipping below zero': { order: { shipping: '-3' }, code: 'order-charge-negative', mended: { shipping: '0' } },
  'a price below zero': {
    order: { lines: [{ ...OWN, unit_price: '-2.00' }], total: '0' },
    code: 'line-price',
    mended: { lines: [OWN] },
  },
};

test.each(Object.entries(OWN_HELD))(
  'an order that the ERP made with %s is not entered on the marketplace before it is corrected',
  async (_what, { order, code, mended }) => {
    const shop = await openShop();
    const { stage, buyer } = shop;
    const { id } = stage.erp.control.createOrder({
      customer: { marketplace_id: buyer, name: 'Corner Shop' },
      lines: [OWN],
      ...order,
    });
    await stage.sync();
    expect(stage.marketplace.orders()).toEqual([]);
    expect(await heldBy(shop)).toContainEqual([id, code]);
    stage.erp.control.changeOrder(id, mended);
    await stage.sync();
    expect(stage.marketplace.orders()).toMatchObject([{ externalId: id }]);
    expect(await heldBy(shop)).toEqual([]);
  },
);

test('an order made in the ERP is not exported without its returned line', async () => {
  const shop = await openShop();
  const { stage, buyer } = shop;
  const customer = { marketplace_id: buyer, name: 'Corner Shop' };
  const { id } = stage.erp.control.createOrder({ customer, lines: [OWN] });
  const lines = [OWN, { sku: 'SB-0002', quantity: '-1', unit_price: '2.00' }];
  stage.erp.control.inject({
    kind: 'invalid-row',
    key: id,
    set: { lines, total: '6' },
    path: '/v1/orders',
    times: null,
  });
  await stage.sync();
  expect(stage.marketplace.orders()).toEqual([]);
  expect(await heldBy(shop)).toContainEqual([id, 'line-quantity']);
  stage.erp.control.clearFaults();
  stage.erp.control.changeOrder(id, { note: 'without it' });
  await stage.sync();
  expect(stage.marketplace.orders()).toMatchObject([{ externalId: id }]);
});
