import { beforeEach, describe, expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

let stage: Stage;
let buyer: number;
let listing: number;

async function open(options: StageOptions = {}): Promise<void> {
  stage = await openStage(options);
  stage.erp.control.seed(2);
  stage.erp.control.setProduct('SB-0001', { price: { amount: '20.80', currency: 'USD' }, unit_multiplier: '1' });
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  listing = stage.marketplace.productBySku('SB-0001').id;
}

const place = () =>
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product: listing, quantity: '3' }] }).number;
const inErp = (number: string) => stage.erp.control.findOrders(number)[0];
const priceInErp = (number: string) => Number(inErp(number)?.lines[0]?.unit_price);
const alerts = async () => (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);
const onSale = (amount: string) => stage.marketplace.setProduct(listing, { sale_price: { amount, currency: 'USD' } });

describe('an order keeps the price at which it was exported', () => {
  beforeEach(() => open());

  test('an order whose product goes on sale later keeps 20.80 in the ERP, and the difference raises an alert', async () => {
    const number = place();
    await stage.sync();
    expect(priceInErp(number)).toBe(20.8);
    onSale('5.00');
    await stage.sync();
    expect([priceInErp(number), Number(inErp(number)?.total)]).toEqual([20.8, 62.4]);
    expect(await alerts()).toMatchObject([
      { code: 'price-moved', params: { order: number, moves: 'SB-0001 20.80 USD, now 5.00 USD' } },
    ]);
    expect((await stage.sync()).written).toBe(0);
  });

  test('an order placed during a sale keeps the sale price after the sale ends', async () => {
    onSale('5.00');
    const number = place();
    await stage.sync();
    onSale('0.00');
    await stage.sync();
    expect([priceInErp(number), Number(inErp(number)?.total)]).toEqual([5, 15]);
    expect(await alerts()).toMatchObject([{ code: 'price-moved' }]);
  });

  test('an order whose quantity is edited during a sale gets the new quantity at the agreed price', async () => {
    const number = place();
    await stage.sync();
    onSale('5.00');
    stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity: '4' });
    await stage.sync();
    expect(inErp(number)?.lines).toMatchObject([{ quantity: '4', unit_price: '20.8' }]);
    expect(Number(inErp(number)?.total)).toBe(83.2);
  });

  test('a price changed by a person in the ERP survives an edit of the quantity', async () => {
    const number = place();
    await stage.sync();
    const id = inErp(number)?.id ?? '';
    stage.erp.control.changeOrder(id, { lines: [{ sku: 'SB-0001', quantity: '3', unit_price: '18.00' }] });
    await stage.sync();
    expect(priceInErp(number)).toBe(18);
    expect(await alerts()).toMatchObject([
      { code: 'erp-price-differs', params: { agreed: 'SB-0001 at 20.80 USD', erp: 'SB-0001 at 18.00 USD' } },
    ]);
    stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity: '4' });
    await stage.sync();
    expect(inErp(number)?.lines).toMatchObject([{ quantity: '4', unit_price: '18' }]);
  });

  test('the alert of a price difference ends when both prices agree again', async () => {
    const number = place();
    await stage.sync();
    onSale('5.00');
    await stage.sync();
    onSale('0.00');
    await stage.sync();
    expect(await alerts()).toEqual([]);
    expect(priceInErp(number)).toBe(20.8);
  });
});

test('where prices follow, a later price goes to the ERP, and the charges with it', async () => {
  await open({ account: '    orders: { prices: follow }' });
  const number = place();
  await stage.sync();
  onSale('18.00');
  await stage.sync();
  expect([priceInErp(number), Number(inErp(number)?.total)]).toEqual([18, 54]);
  expect((await stage.sync()).written).toBe(0);
});

test('where prices follow, a later price that moves far waits for an operator', async () => {
  await open({ account: '    orders: { prices: follow }' });
  const number = place();
  await stage.sync();
  onSale('5.00');
  await stage.sync();
  expect(priceInErp(number)).toBe(20.8);
  expect((await stage.store().work.held())[0]?.heldFor).toMatchObject([
    { code: 'brake-plan', params: { brake: 'price' } },
  ]);
});
