import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

const CREATE = '    orders: { on_unmapped_product: create }';

async function open(options: StageOptions = {}): Promise<void> {
  stage = await openStage({ account: CREATE, ...options });
  stage.erp.control.seed(3);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
}

/** A listing that somebody made on the marketplace. */
const list = (sku: string | null, name = `Listed by hand ${sku}`) =>
  stage.marketplace.createProduct({
    ...(sku === null ? {} : { sku }),
    name,
    description: 'Sweet',
    quantity: 10,
    unit_multiplier: 6,
    wholesale_price: { amount: '5.25', currency: 'USD' },
  }).id;
const order = (product: number, quantity = '2') =>
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity }] }).number;
const there = (sku: string) => stage.erp.control.state().products.filter((product) => product.sku === sku);
const inErp = (number: string) => stage.erp.control.findOrders(number);
const posts = () =>
  stage.erp.control.requests().filter(({ method, url }) => method === 'POST' && url === '/v1/products').length;
const held = async () =>
  (await stage.store().work.held()).map(({ flow, heldFor }) => `${flow} ${heldFor?.[0]?.code}`).toSorted();
const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);

test('a product that the ERP lacks is created there once and linked, and then its order', async () => {
  await open();
  const stranger = list('OTHER-1');
  const numbers = [order(stranger), order(stranger)];
  await stage.stop();
  const { stdout } = await cli('plan');
  expect(stdout).toContain('product-in.create');
  expect(stdout).toContain('SKU OTHER-1: Listed by hand OTHER-1 at 0.875 USD, 6 in a case');
  await stage.sync();
  expect(there('OTHER-1')).toMatchObject([
    { name: 'Listed by hand OTHER-1', description: 'Sweet', price: { amount: '0.875' }, unit_multiplier: '6' },
  ]);
  expect(posts()).toBe(1);
  expect(numbers.map((number) => inErp(number).map(({ lines }) => lines[0]?.sku))).toEqual([['OTHER-1'], ['OTHER-1']]);
  expect(await stage.store().mappings.byMarketplaceId('main', 'product', String(stranger))).toMatchObject({
    erpId: there('OTHER-1')[0]?.id,
    state: 'linked',
  });
  await stage.sync();
  expect([(await stage.sync()).written, await held()]).toEqual([0, []]);
  const [made] = await stage.store().journal.of('main', 'product-in', String(stranger), 10);
  expect(numbers.some((number) => made?.why.includes(`order ${number}`))).toBe(true);
});

test('a plan covers also the stock of a product that is created', async () => {
  await open();
  order(list('OTHER-1'));
  await stage.stop();
  const { stdout } = await cli('plan', '--json');
  const { writes, actions } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { writes: number; actions: object };
  expect(actions).toMatchObject({ 'product-in.create': 1, 'order-in.create': 1, 'stock.write': 1 });
  expect((await stage.sync()).written).toBe(writes);
});

test.each(['reset', 'lose-answer'] as const)(
  'a product create without an answer is looked up, and made once (%s)',
  async (kind) => {
    await open({ timeout: '300ms' });
    stage.erp.control.inject({ kind, method: 'POST', path: '/v1/products', times: 1 });
    const number = order(list('OTHER-1'));
    await stage.sync();
    await stage.sync();
    expect([there('OTHER-1').length, inErp(number).length]).toEqual([1, 1]);
  },
);

test('a product create without an answer is found by the SKU that it was sent with, when the listing is renamed meanwhile', async () => {
  await open({ account: `${CREATE}\n    products: { create: false }` });
  const listing = list('OTHER-2');
  const number = order(listing);
  const { intents } = stage.store();
  const intent = {
    account: 'main',
    kind: 'product-in',
    key: String(listing),
    externalId: 'OTHER-1',
    sent: '',
  } as const;
  await intents.sending(await intents.open(intent));
  stage.erp.control.addProducts([{ sku: 'OTHER-1', name: 'Made by the lost create' }]);
  await stage.sync();
  expect([there('OTHER-1').length, there('OTHER-2').length, posts()]).toEqual([1, 0, 0]);
  expect(inErp(number)).toMatchObject([{ lines: [{ sku: 'OTHER-1' }] }]);
});

test('a product that somebody entered meanwhile is linked, and none is created', async () => {
  await open();
  const number = order(list('OTHER-1'));
  stage.erp.control.addProducts([{ sku: 'OTHER-1', name: 'By hand', on_hand: '9' }]);
  await stage.sync();
  await stage.sync();
  expect([there('OTHER-1').length, inErp(number).length, posts()]).toEqual([1, 1, 0]);
});

test('a product that resembles one of the ERP waits for a decision, and goes on after it', async () => {
  await open({ account: `${CREATE}\n    products: { create: false }` });
  stage.erp.control.addProducts([{ sku: 'XYZ-77', name: 'Lemon Gummies' }]);
  const id = there('XYZ-77')[0]?.id;
  const listing = list('OTHER-1', 'Lemon Gummies');
  const number = order(listing);
  await stage.sync();
  expect([posts(), await held()]).toEqual([0, ['order-in product-made-first', 'product-in could-be-known']]);
  expect((await cli('jobs', 'list', '--state', 'held')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    `may be there already as ERP product ${id} (XYZ-77: the same name)`,
  );
  expect((await cli('map', 'suggest', '--refuse', `${listing}=${id}`)).exitCode).toBe(0);
  await stage.sync();
  expect([posts(), inErp(number).length, await held()]).toEqual([1, 1, []]);
});

test('archived listings, and those whose order is cancelled, are not created in the ERP', async () => {
  await open();
  const [archived, cancelled] = [list('OTHER-1'), list('OTHER-2')];
  order(archived);
  stage.marketplace.archiveProduct(archived);
  stage.marketplace.cancel(order(cancelled));
  await stage.sync();
  expect([posts(), await held()]).toEqual([0, ['order-in product-made-first', 'product-in ordered-and-archived']]);
});

test('products to create wait for an approval while the brake allows none', async () => {
  await open();
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace(/create: \{ count: 1000[^}]*\}/, 'create: { count: 0, percent: 0 }'));
  await stage.stop();
  const numbers = ['A-1', 'B-2', 'C-3'].map((sku) => order(list(sku)));
  await stage.sync();
  expect([posts(), numbers.flatMap(inErp).length]).toEqual([0, 0]);
  const { plans } = JSON.parse((await cli('brakes', 'list', '--json')).stdout) as { plans: { hash: string }[] };
  expect((await cli('brakes', 'approve', plans[0]?.hash ?? '')).exitCode).toBe(0);
  await stage.sync();
  expect([posts(), numbers.flatMap(inErp).length]).toEqual([3, 3]);
});

test('an order stays held while its ERP cannot create products', async () => {
  await open();
  stage.erp.control.setAbility({ products: false });
  await stage.sync();
  const number = order(list('OTHER-1'));
  await stage.sync();
  expect([posts(), await held()]).toEqual([0, ['order-in product-unlinked']]);
  stage.erp.control.setAbility({});
  await stage.sync();
  await stage.sync();
  expect([posts(), inErp(number).length]).toEqual([1, 1]);
});
