import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { run } from '../cli/capture.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

/** A stage with a very short overlap: otherwise the cursor would count as one of the future before it leaves a hole. */
async function open(options?: StageOptions): Promise<Stage> {
  const opened = await openStage(options);
  const text = readFileSync(opened.configFile, 'utf8');
  writeFileSync(opened.configFile, text.replace('overlap: 2m', `overlap: ${OVERLAP_MS / 1_000}s`));
  return opened;
}

const OVERLAP_MS = 5_000;
const soon = () => new Date(Date.now() + 50_000).toISOString();

beforeEach(async () => {
  stage = await open();
  stage.erp.control.seed(1);
  await stage.sync();
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
});

function place(): string {
  return stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] }).number;
}

/** A change of the database by hand. */
async function edit(sql: string, ...values: string[]): Promise<void> {
  await stage.stop();
  const database = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'));
  database.prepare(sql).run(...values);
  database.close();
}

/** Moves the cursor by hand, as of a list of which everything that may become visible late has been read. */
async function moveCursor(collection: string, to: string): Promise<void> {
  await edit('insert or replace into cursors values (?, ?, ?, 0)', 'main', collection, to);
  const deepRead = JSON.stringify({ atMs: Date.now(), cursor: to, cursorSinceMs: 0 });
  await edit('insert or replace into facts values (?, ?, ?, 0)', 'main', `${collection}-deep-read`, deepRead);
}

async function coverage(): Promise<{ collection: string; holes: { from: string | null; to: string }[] }[]> {
  const { stdout } = await run(['status', '--coverage', '--json', '--config', stage.configFile]);
  return JSON.parse(stdout) as { collection: string; holes: [] }[];
}

async function holesOf(collection: string) {
  return (await coverage()).find((one) => one.collection === collection)?.holes;
}

test('a hole that an edited cursor leaves is read again by itself, and is recorded', async () => {
  place();
  await stage.sync();
  expect(await holesOf('orders')).toEqual([]);
  const missed = Array.from({ length: 3 }, place);
  await moveCursor('orders', soon());
  await stage.sync();
  for (const number of missed) expect(stage.erp.control.findOrders(number)).toHaveLength(1);
  const [entry] = await stage.store().journal.of('main', 'read', 'orders', 10);
  expect(entry).toMatchObject({
    action: 'read.hole',
    outcome: 'noted',
    after: expect.stringMatching(/^\d+ rows, up to/),
  });
});

test('a hole is displayed until the rows after it are read', async () => {
  place();
  await stage.sync();
  const later = soon();
  await moveCursor('orders', later);
  await stage.sync();
  const to = new Date(Date.parse(later) - OVERLAP_MS).toISOString().replace('Z', '000Z');
  expect(await holesOf('orders')).toEqual([{ from: expect.any(String), to }]);
  const { stdout } = await run(['status', '--coverage', '--config', stage.configFile]);
  expect(stdout).toMatch(/^ {2}orders .*from the beginning to .*\n.*1 to be read again\n.*hole: .* to 20/m);
  // No order is lost meanwhile.
  const number = place();
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});

test('a gap before the first read range is also reported as a hole', async () => {
  const missed = Array.from({ length: 3 }, place);
  await edit("delete from coverage where collection = 'orders'");
  await moveCursor('orders', soon());
  await stage.sync();
  for (const number of missed) expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});

test('a hole in the reads of the ERP is read again with the later changes', async () => {
  await moveCursor('erp-stock', new Date(Date.now() + 600_000).toISOString());
  stage.erp.control.setStock('SB-0001', '7');
  await stage.sync();
  await stage.sync();
  expect(await holesOf('erp-stock')).toEqual([]);
  expect(stage.marketplace.productBySku('SB-0001')).toMatchObject({ quantity: '7' });
});

test.each([
  {
    collection: 'products',
    add: () => {
      const fields = { name: 'Mint Seltzer', wholesale_price: { amount: '4.00', currency: 'USD' } };
      return stage.marketplace.createProduct({ ...fields, sku: 'BY-HAND' }).id;
    },
    find: ({ store }: AccountContext, id: number) => store.products.get('main', id),
  },
  {
    collection: 'customers',
    add: () => stage.marketplace.addCustomer({ name: 'Late Shop', state: 'NV' }),
    find: ({ store }: AccountContext, id: number) => store.customers.get('main', id),
  },
] as const)(
  'a hole of $collection is read again, without a pass over everything',
  async ({ collection, add, find }) => {
    stage = await open({ account: '    customers: { to_erp: true }' });
    stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    stage.erp.control.seed(1);
    await stage.sync();
    await standStill(stage);
    const missed = add();
    await moveCursor(collection, soon());
    await stage.start([]);
    const context = stage.context();
    await read(context, `read:${collection}`);
    expect(await find(context, missed)).not.toBeNull();
    expect(await context.store.journal.of('main', 'read', collection, 10)).toMatchObject([{ action: 'read.hole' }]);
  },
);
