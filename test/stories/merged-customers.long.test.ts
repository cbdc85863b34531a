import { describe, expect, test } from 'vitest';
import { told } from '../support/causes.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const KEPT = `
    customers:
      to_marketplace: true
      to_erp: true
      poll: 100ms`;

const erp = () => stage.erp.control;
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const link = async (buyer: number) =>
  (await stage.store().mappings.byMarketplaceId('main', 'customer', String(buyer)))?.erpId ?? null;
const place = (customer: number) =>
  stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
const customerOfOrder = (number: string) => erp().findOrders(number)[0]?.customer.id;
const buyers = () => stage.marketplace.customers();
const linkByHand = (buyer: number, erpId: string) =>
  stage
    .store()
    .links.link(
      { account: 'main', kind: 'customer', marketplaceId: String(buyer), erpId, how: 'operator' },
      true,
      'test',
    );

const open = async (account = '') => {
  stage = await openStage({ account });
  erp().seed(1);
  erp().setStock('SB-0001', '500');
  await stage.sync();
};

/** A buyer whose ERP customer comes from the first order. */
const known = async () => {
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const number = place(buyer);
  await stage.sync();
  const id = customerOfOrder(number) ?? '';
  expect(await link(buyer)).toBe(id);
  return { buyer, id };
};

describe('a customer that the ERP merges away, with customers kept in step', () => {
  const before = async () => {
    await open(KEPT);
    const { id } = erp().addCustomer({ name: 'Corner Shop', email: 'buyer@corner.example', active: true });
    await stage.sync();
    const [buyer] = buyers();
    const survivor = () =>
      erp().addCustomer({ name: 'Corner Shop Ltd', email: 'buyer@corner.example', active: true }).id;
    return { id, survivor, buyer: buyer?.id ?? 0 };
  };

  test.each([
    ['deleted', (id: string) => void erp().setCustomer(id, { deleted: true })],
    ['inactive', (id: string) => void erp().setCustomer(id, { active: false })],
    ['removed', (id: string) => erp().removeCustomer(id)],
  ])('a merged customer of the ERP is linked to the one that has its e-mail address: %s', async (_, merge) => {
    const { id, survivor, buyer } = await before();
    const other = survivor();
    merge(id);
    await stage.sync();
    expect(await link(buyer)).toBe(other);
    expect(buyers()).toMatchObject([{ archived: false }]);
    const number = place(buyer);
    await stage.sync();
    expect(customerOfOrder(number)).toBe(other);
    expect(await held()).toEqual([]);
    const entries = await stage.store().journal.of('main', 'customer-out', id, 10);
    expect(entries.find(({ action }) => action === 'customer-out.relink')).toMatchObject({
      after: `linked to ERP customer ${other}`,
    });
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('a merged customer keeps its buyer, and orders wait, where no other customer matches', async () => {
    await open(KEPT.replace('to_marketplace: true', 'to_marketplace: false'));
    const { buyer, id } = await known();
    const { id: other } = erp().addCustomer({ name: 'Corner Shop Ltd', email: 'accounts@ltd.example', active: true });
    erp().removeCustomer(id);
    await stage.sync();
    const number = place(buyer);
    await stage.sync();
    expect(customerOfOrder(number)).toBeUndefined();
    expect(buyers()).toMatchObject([{ id: buyer, archived: false }]);
    expect((await held()).toSorted()).toEqual([
      expect.stringMatching(new RegExp(`^customer-out ${id}: erp-customer-gone .*"witness":"second-list"`)),
      expect.stringMatching(new RegExp(`^order-in ${number}: order-customer-gone .*"name":"Corner Shop"`)),
    ]);
    await linkByHand(buyer, other);
    await stage.sync();
    expect(customerOfOrder(number)).toBe(other);
    expect(await held()).toEqual([]);
  });

  test('a merged customer may be unlinked instead: it is entered again', async () => {
    const { id, buyer } = await before();
    erp().addCustomer({ name: 'Green Door', email: 'ann@green.example', active: true });
    erp().removeCustomer(id);
    await stage.sync();
    const mapping = await stage.store().mappings.byMarketplaceId('main', 'customer', String(buyer));
    if (mapping === null) throw new Error('it is linked');
    await stage.store().links.unlink(mapping, 'test');
    await stage.sync();
    expect(await held()).toEqual([]);
    expect(erp().state().customers).toMatchObject([
      { name: 'Green Door' },
      { name: 'Corner Shop', marketplace_id: buyer },
    ]);
  });

  test('a merged customer may be unlinked although the ERP lists it as deleted, and is not linked again by its id', async () => {
    const { id, buyer } = await before();
    erp().setCustomer(id, { marketplace_id: buyer });
    await stage.sync();
    erp().setCustomer(id, { deleted: true });
    await stage.sync();
    const mapping = await stage.store().mappings.byMarketplaceId('main', 'customer', String(buyer));
    if (mapping === null) throw new Error('it is linked');
    await stage.store().links.unlink(mapping, 'test');
    await stage.sync();
    expect(await link(buyer)).toBeNull();
    stage.marketplace.changeRecord('customers', buyer, { is_archived: false });
    const number = place(buyer);
    await stage.sync();
    const other = customerOfOrder(number);
    expect(other).not.toBe(id);
    expect(erp().state().customers).toMatchObject([
      { id, deleted: true },
      { id: other, name: 'Corner Shop' },
    ]);
    expect(await link(buyer)).toBe(other);
    expect(await held()).toEqual([]);
  });

  test.each([
    ['holds the order that the ERP refuses, with the customer as the cause', false],
    ['goes over to the one that has the marketplace id now when the ERP refuses an order of it', true],
  ])('a merged customer %s: before the next list of customers', async (_, isNamed) => {
    await open(KEPT.replace('100ms', '1h'));
    const { buyer, id } = await known();
    await stage.stop();
    await stage.start();
    const earlier = place(buyer);
    await until('it runs', () => customerOfOrder(earlier) === id);
    erp().removeCustomer(id);
    const other = erp().addCustomer({ name: 'Corner Shop Ltd', ...(isNamed ? { marketplace_id: buyer } : {}) });
    const number = place(buyer);
    if (isNamed) {
      await until('it is entered', () => customerOfOrder(number) === other.id);
      return;
    }
    await until('it is held', async () => (await held()).some((one) => one.startsWith(`order-in ${number}`)));
    const [order] = (await stage.store().work.held()).filter(({ key }) => key === number);
    expect(order?.heldFor).toMatchObject([
      { code: 'order-customer-gone', params: { customer: buyer, erpCustomer: id } },
    ]);
    expect(await stage.store().work.failed()).toEqual([]);
    const mapping = await stage.store().mappings.byMarketplaceId('main', 'customer', String(buyer));
    if (mapping !== null) await stage.store().links.unlink(mapping, 'test');
    await until('it is entered', () => erp().findOrders(number).length === 1);
  });

  test('a merged customer is linked to the one that has the marketplace id now, also after the ERP imported all customers anew', async () => {
    await open(KEPT);
    const shops = ['Corner Shop', 'Green Door', 'Blue Gate', 'Red Barn'].map((name) => erp().addCustomer({ name }));
    await stage.sync();
    const linked = () => Promise.all(buyers().map(({ id }) => link(id)));
    expect(new Set(await linked())).toEqual(new Set(shops.map(({ id }) => id)));
    const anew = await Promise.all(
      shops.map(async ({ id, name }) => {
        const mapping = await stage.store().mappings.byErpId('main', 'customer', id);
        erp().removeCustomer(id);
        return erp().addCustomer({ name, marketplace_id: Number(mapping?.marketplaceId) }).id;
      }),
    );
    await stage.sync();
    expect(new Set(await linked())).toEqual(new Set(anew));
    expect([await held(), buyers().length]).toEqual([[], 4]);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('a customer is not gone because one list lacks it', async () => {
    const { id, buyer } = await before();
    erp().inject({ kind: 'invalid-row', key: id, set: { name: 7 }, path: '/v1/customers', times: 1 });
    await stage.sync();
    expect(await link(buyer)).toBe(id);
    expect((await held()).filter((line) => line.includes('gone'))).toEqual([]);
  });
});

test('a merged customer without the customer flow is linked to the one that has the marketplace id now', async () => {
  await open();
  const { buyer, id } = await known();
  const { id: other } = erp().addCustomer({ name: 'Corner Shop Ltd', marketplace_id: buyer });
  erp().removeCustomer(id);
  const number = place(buyer);
  await stage.sync();
  expect(customerOfOrder(number)).toBe(other);
  expect(await held()).toEqual([]);
  const entries = await stage.store().journal.of('main', 'customer-out', other, 10);
  expect(entries.map(({ action }) => action)).toContain('customer-out.relink');
});

test('a merged customer without the customer flow holds its orders until it is linked, with its name', async () => {
  await open();
  const { buyer, id } = await known();
  const { id: other } = erp().addCustomer({ name: 'Corner Shop Ltd' });
  erp().removeCustomer(id);
  const number = place(buyer);
  await stage.sync();
  expect(customerOfOrder(number)).toBeUndefined();
  expect(await held()).toEqual([
    expect.stringMatching(new RegExp(`^order-in ${number}: order-customer-gone .*"erpCustomer":"${id}"`)),
  ]);
  await linkByHand(buyer, other);
  await stage.sync();
  expect(customerOfOrder(number)).toBe(other);
  expect(await held()).toEqual([]);
});

test('a merged customer without the customer flow is looked up after a pass over everything, and not with each order', async () => {
  await open();
  const { buyer } = await known();
  place(buyer);
  place(buyer);
  erp().clearRequests();
  await stage.sync();
  expect(
    erp()
      .requests()
      .filter(({ url }) => url.startsWith('/v1/customers?')),
  ).toHaveLength(1);
});
