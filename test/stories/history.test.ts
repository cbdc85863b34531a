import { beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/flows/resync.ts';
import { run } from '../cli/capture.ts';
import { allowScreen, screenPage } from '../support/screen-page.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

/** Orders of the past in all statuses, by their status, before the program has ever run. */
let old: Readonly<Record<string, string>>;

const OPEN = ['Submitted', 'Accepted', 'Backorder'];
const OVER = ['Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled'];

async function open(orders: string): Promise<void> {
  stage = await openStage({ orders });
  stage.erp.control.seed(2);
  const { products } = stage.erp.control.state();
  stage.marketplace.createProducts(products.map(({ sku, name }) => ({ sku, name, quantity: 500 })));
  for (const { sku } of products) stage.erp.control.setStock(sku, '500');
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  old = Object.fromEntries([...OPEN, ...OVER].map((status) => [status, placed(status)]));
}

function placed(status: string): string {
  const product = stage.marketplace.productBySku('SB-0001').id;
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '4' }] });
  if (status !== 'Submitted') stage.marketplace.forceStatus(number, status);
  return number;
}

const isInErp = (number = '') => stage.erp.control.findOrders(number).length > 0;
const openOnes = () => OPEN.map((status) => old[status] ?? '').toSorted();
const inErp = () => Object.entries(old).flatMap(([status, number]) => (isInErp(number) ? [status] : []));
const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);
const addNote = (number = '') => stage.marketplace.editOrder(number, { notes: 'checked' });

interface Shown {
  readonly key: string;
  readonly actions: readonly { readonly action: string }[];
}

/** Entities of which the shadows promise a write, and that the work does not know. */
async function promisedOnly(): Promise<string[]> {
  const context = stage.context();
  const promised: string[] = [];
  for await (const { flow, key, decision } of findDifferences(context, AbortSignal.timeout(600_000))) {
    if (decision.actions.length === 0) continue;
    if ((await stage.store().work.get({ account: 'main', flow, key })) === null) promised.push(`${flow}/${key}`);
  }
  return promised;
}

/** The orders for which `plan` shows a write. */
async function planned(): Promise<string[]> {
  const lines = (await cli('plan', '--json')).stdout.trim().split('\n');
  const items = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Shown);
  return items.filter(({ actions }) => actions.length > 0).map(({ key }) => key);
}

async function plans() {
  const { stdout } = await cli('brakes', 'list', '--json');
  return (JSON.parse(stdout) as { plans: { kind: string; hash: string; items: { id: number; key: string }[] }[] })
    .plans;
}

test('each order of a plan is listed with its customer, its total and its date, so that a person can decide', async () => {
  await open('history: leave');
  await stage.sync();
  await stage.stop();
  const { items } = (await plans())[0] ?? { items: [] };
  const total = { customer: 'Corner Shop', total: expect.stringMatching(/^\d+(\.\d+)?$/) as string, currency: 'USD' };
  const order = { ...total, modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string };
  expect(items).toEqual(OPEN.map(() => expect.objectContaining({ order }) as object));
  const { stdout } = await cli('brakes', 'list');
  expect(stdout.match(/^ +Corner Shop, \d+(\.\d+)? USD, last changed \d{4}/gm)).toHaveLength(OPEN.length);

  allowScreen(stage);
  const { adminUrl } = await stage.start(['admin']);
  const screen = await screenPage(adminUrl, '/brakes');
  expect(screen.match(/data-head="Customer"[^>]*>Corner Shop</g)).toHaveLength(OPEN.length);
  expect(screen.match(/data-head="Total"[^>]*>\d+(\.\d+)? USD</g)).toHaveLength(OPEN.length);
  expect(screen.match(/data-head="Last changed"[^>]*><time/g)).toHaveLength(OPEN.length);
});

describe('without a date in the configuration, the first start is the date', () => {
  beforeEach(() => open('history: leave'));

  test('closed orders from before the first start are never entered, and the open ones wait for one approval', async () => {
    await stage.sync();
    expect(inErp()).toEqual([]);
    const [plan, another] = await plans();
    expect(another).toBeUndefined();
    expect(plan).toMatchObject({ kind: 'history' });
    expect(plan?.items.map(({ key }) => key).toSorted()).toEqual(openOnes());
    expect((await cli('brakes', 'list')).stdout).toMatch(/one of 3 open orders from before\s+\S+, which somebody/);

    const accepted = plan?.items.find(({ key }) => key === old['Accepted']);
    await cli('brakes', 'approve', plan?.hash ?? '', '--except', String(accepted?.id));
    await stage.sync();
    expect(inErp()).toEqual(['Submitted']);
    stage.marketplace.forceStatus(old['Backorder'] ?? '', 'Accepted');
    stage.marketplace.forceStatus(old['Accepted'] ?? '', 'Fulfilled');
    await stage.sync();
    expect(inErp()).toEqual(['Submitted', 'Backorder']);
    expect(await plans()).toEqual([]);
    expect(await planned()).toEqual([]);
  });

  test('a note on a closed order causes nothing: no work, no plan, and no change in explain', async () => {
    await stage.sync();
    for (const status of OVER) addNote(old[status]);
    expect(await promisedOnly()).toEqual([]);
    const { written } = await stage.sync();
    expect([written, await promisedOnly()]).toEqual([0, []]);
    expect(inErp()).toEqual([]);
    await stage.stop();
    expect((await planned()).toSorted()).toEqual(openOnes());
    const { stdout } = await cli('explain', old['Complete'] ?? '', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      answer: expect.stringContaining(
        'was Complete when it was seen first. So it is history: it stays out of the ERP',
      ) as unknown,
      flows: [{ state: 'in-step', writes: [] }],
    });
    expect((await cli('status')).stdout).toMatch(/history {4}5 orders from before 20/);
    expect((await cli('doctor')).stdout).toMatch(/orders: orders\.export_from is not set: orders count from\s+20/);
    await stage.sync();
    expect(inErp()).toEqual([]);
  });

  test('an order that comes after the first start is work, whatever its status at first sight', async () => {
    await stage.sync();
    const fresh = ['Submitted', ...OVER.slice(0, 3)].map(placed);
    await stage.sync();
    expect(fresh.map(isInErp)).toEqual([true, true, true, true]);
    expect(inErp()).toEqual([]);
  });
});

test('an order from before orders.export_from is history, also when it is edited after that date', async () => {
  await open(`export_from: ${new Date(Date.now() + 2_000).toISOString()}`);
  await stage.sync();
  expect(inErp()).toEqual([]);
});

test('with orders.history: enter, every order is entered', async () => {
  await open('history: enter');
  await stage.sync();
  expect(inErp()).toEqual(['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete']);
  expect(await plans()).toEqual([]);
});
