import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage({
    marketplace: '      transitions: {}',
    account: '    payments: { to_marketplace: true, to_erp: true }\n    customers: { to_marketplace: true }',
  });
});

const verb = (...args: string[]) => run([...args, '--config', stage.configFile]);

/** Products, an order of each side, a customer and a payment, all in step. */
async function story(): Promise<void> {
  const { marketplace, erp } = stage;
  erp.control.seed(3);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '2' }] });
  marketplace.placeOrder({ customer: buyer, items: [{ product: 2, quantity: '1' }] });
  await stage.sync();
  erp.control.createOrder({
    customer: { marketplace_id: buyer },
    status: 'reserved',
    lines: [{ sku: 'SB-0003', quantity: '4', unit_price: '10.00' }],
  });
  expect(await stage.sync()).toMatchObject({ pending: 0, held: 0, failed: 0 });
}

async function mappings(): Promise<string[]> {
  const { stdout } = await verb('map', 'list', '--json');
  const rows = JSON.parse(stdout) as { kind: string; marketplace_id: string; erp_id: string; state: string }[];
  return rows
    .map(({ kind, marketplace_id, erp_id, state }) => `${kind} ${marketplace_id} ${erp_id} ${state}`)
    .toSorted();
}

/** The number of creates that each side was asked for. */
function creates(): unknown {
  const counts = stage.marketplace.requestLog.counts();
  const there = Object.entries(counts).filter(([id]) => id.endsWith('.create'));
  const { orders, customers, payments } = stage.erp.control.state();
  return { there, orders: orders.length, customers: customers.length, payments: payments.length };
}

async function loseDatabase(): Promise<void> {
  await stage.stop();
  mkdirSync(join(stage.dir, 'lost'));
  renameSync(join(stage.dir, 'data'), join(stage.dir, 'lost', 'data'));
}

test('rebuild restores the links after the database was lost, and nothing is created twice', async () => {
  await story();
  const before = await mappings();
  expect(before.length).toBeGreaterThanOrEqual(6);
  const made = creates();
  await loseDatabase();
  const dry = await verb('rebuild', '--dry-run');
  expect([dry.exitCode, dry.stderr]).toEqual([2, '']);
  expect(dry.stdout).toMatch(/^main: \d+ would be linked, 0 left for you\n/);
  expect(existsSync(join(stage.dir, 'data', 'stockbridge.db'))).toBe(false);
  const { exitCode, stdout } = await verb('rebuild');
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^main: \d+ linked, 0 left for you\n/)]);
  expect(await mappings()).toEqual(before);
  expect(await stage.sync()).toMatchObject({ pending: 0, held: 0, failed: 0 });
  expect(creates()).toEqual(made);
  expect(await mappings()).toEqual(before);
});

test('an empty database against sides that have our marks is harmless without rebuild', async () => {
  await story();
  const before = await mappings();
  const made = creates();
  await loseDatabase();
  expect(await stage.sync()).toMatchObject({ pending: 0, held: 0, failed: 0 });
  expect(creates()).toEqual(made);
  expect(await mappings()).toEqual(before);
});

test('rebuild lists an entity that two claim, and leaves it', async () => {
  await story();
  await loseDatabase();
  const { reference, id } = stage.erp.control.state().orders[0] ?? { reference: '', id: '' };
  const answer = await fetch(`${stage.erp.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: 'Bearer an-erp-token-for-tests', 'content-type': 'application/json' },
    body: JSON.stringify({ ...stage.erp.control.state().orders[0], id: undefined, reference }),
  });
  expect([answer.status, id]).toEqual([201, expect.any(String)]);
  const { exitCode, stdout } = await verb('rebuild');
  const flat = stdout.replaceAll(/\s+/g, ' ');
  expect([exitCode, flat]).toEqual([1, expect.stringContaining(`2 ERP orders carry the number of order ${reference}`)]);
  expect((await mappings()).filter((link) => link.startsWith(`order ${reference} `))).toEqual([]);
});

test('rebuild counts an entity held for another cause as no conflict, and two listings with one SKU as one', async () => {
  const { marketplace, erp } = stage;
  await story();
  erp.control.setProduct('SB-0003', { price: { amount: '0', currency: 'USD' } });
  erp.control.addProducts([{ sku: 'FREE', price: { amount: '0', currency: 'USD' } }, { sku: 'TWICE' }]);
  await loseDatabase();
  marketplace.createProducts([{ sku: 'TWICE' }, { sku: 'TWICE' }].map((one) => ({ ...one, name: 'A twin' })));
  const first = await verb('rebuild');
  expect([first.exitCode, first.stdout]).toEqual([1, expect.stringMatching(/^main: \d+ linked, 1 left for you\n/)]);
  expect(first.stdout).toContain('2 listings have SKU TWICE');
  const twin = marketplace.products().find(({ sku }) => sku === 'TWICE')?.id;
  const erpId = erp.control.state().products.find(({ sku }) => sku === 'TWICE')?.id ?? '';
  expect(await verb('map', 'link', 'product', String(twin), erpId)).toMatchObject({ exitCode: 0 });
  const again = await verb('rebuild');
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringMatching(/^main: 0 linked, 0 left for you\n/)]);
});

test('rebuild does not wait while another process works on the data: it exits 75', async () => {
  await stage.start(['work']);
  expect(await verb('rebuild')).toMatchObject({
    exitCode: 75,
    stderr: expect.stringContaining('stop it, then try again'),
  });
});
