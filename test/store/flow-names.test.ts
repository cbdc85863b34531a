import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStore } from '../../src/store/sql/store.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { MIGRATIONS_DIR } from '../../src/store/sqlite/schema.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'flow-names-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const FLOWS = {
  product: 'product',
  'product-images': 'images',
  stock: 'stock',
  'facility-stock': 'facility-stock',
  order: 'order-in',
  'erp-order': 'order-out',
  payment: 'payment-in',
  'erp-payment': 'payment-out',
  'new-customer': 'customer-in',
  customer: 'customer-out',
};

const INTENTS = {
  'erp-order': 'order-in',
  'marketplace-order': 'order-out',
  product: 'product',
  customer: 'customer-in',
  'marketplace-customer': 'customer-out',
  'erp-payment': 'payment-in',
  'marketplace-payment': 'payment-out',
  'product-line': 'product-line',
  'product-image': 'image',
  reconcile: 'facility-stock',
  'unseen-sale': 'unseen-sale',
  transition: 'transition',
};

/** The flow that wrote the entry, its action, and the flow's present name. */
const ACTIONS = [
  ['product', 'product.create', 'product.create'],
  ['product', 'product.price:price:approved', 'product.price:price:approved'],
  ['product', 'product-line.create', 'product-line.create'],
  ['product-images', 'product-image.upload', 'images.upload'],
  ['product-images', 'product-image.remove', 'images.remove'],
  ['stock', 'stock.write:zero', 'stock.write:zero'],
  ['facility-stock', 'stock.reconcile:increase', 'facility-stock.reconcile:increase'],
  ['facility-stock', 'stock.follow', 'facility-stock.follow'],
  ['order', 'erp-order.create', 'order-in.create'],
  ['order', 'erp-order.update', 'order-in.update'],
  ['order', 'order.link', 'order-in.link'],
  ['order', 'order.mark', 'order-in.mark'],
  ['order', 'order.transition:reject', 'order-in.transition:reject'],
  ['order', 'customer.create', 'customer-in.create'],
  ['erp-order', 'marketplace-order.create', 'order-out.create'],
  ['payment', 'erp-payment.create', 'payment-in.create'],
  ['payment', 'payment.link', 'payment-in.link'],
  ['erp-payment', 'marketplace-payment.create', 'payment-out.create'],
  ['erp-payment', 'payment.link', 'payment-out.link'],
  ['new-customer', 'customer.create', 'customer-in.create'],
  ['customer', 'marketplace-customer.create', 'customer-out.create'],
  ['customer', 'customer.link', 'customer-out.link'],
  ['customer', 'customer.patch', 'customer-out.patch'],
  ['customer', 'customer.address', 'customer-out.address'],
  ['customer', 'customer.archive:archive:approved', 'customer-out.archive:archive:approved'],
  ['customer', 'customer.restore', 'customer-out.restore'],
  ['order', 'alert', 'alert'],
  ['strategy', 'strategy', 'strategy'],
] as const;

/** The migrations of the last version in which the flows had their old names. */
function earlierMigrations(): string {
  const earlier = join(dir, 'migrations');
  cpSync(MIGRATIONS_DIR, earlier, { recursive: true });
  const path = join(earlier, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_flow_names'));
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, before) }));
  return earlier;
}

function fill({ sqlite }: OpenDatabase): void {
  for (const flow of Object.keys(FLOWS)) {
    const add = (statement: string) => sqlite.prepare(statement).run(flow, `key of ${flow}`);
    add("insert into work values ('main', ?, ?, 3, 'poll', 'seen', 'pending', null, 0, 5)");
    add(
      "insert into failed_jobs (account, flow, key, cause, message, attempts, failed_at_ms) values ('main', ?, ?, 'program error', 'oops', 1, 5)",
    );
    add("insert into replays values ('main', ?, ?, 1, 1)");
    add("insert into pauses (account, flow, reason, since_ms) values ('main', ?, ?, 5)");
    add(
      "insert into brake_plans (account, flow, kind, holds_all, reason, state, created_at_ms, expires_at_ms) values ('main', ?, 'archive', 0, ?, 'open', 5, 6)",
    );
    sqlite.prepare("insert into facts values ('main', ?, ?, 5)").run(`alert:${flow}:key:of`, flow);
  }
  for (const name of ['alert:read:orders', 'alert:erp:stock', 'order', 'alert:order']) {
    sqlite.prepare("insert into facts values ('main', ?, 'stays', 5)").run(name);
  }
  sqlite.exec("insert into pauses (account, flow, reason, since_ms) values ('main', 'all', 'stays', 5)");
  for (const kind of Object.keys(INTENTS)) {
    sqlite
      .prepare(
        "insert into intents (account, kind, key, external_id, state, sent_at_ms) values ('main', ?, 'K', ?, 'open', 5)",
      )
      .run(kind, kind);
  }
  for (const [flow, action] of ACTIONS) {
    sqlite
      .prepare(
        "insert into journal (account, at_ms, flow, key, action, target, why, outcome) values ('main', 5, ?, 'K', ?, 't', 'w', 'written')",
      )
      .run(flow, action);
    sqlite
      .prepare(
        "insert into brake_items (plan_id, account, flow, key, action, target, why, reason, state) values (1, 'main', ?, 'K', ?, 't', 'w', 'r', 'held')",
      )
      .run(flow, action);
  }
  sqlite.exec(
    "insert into audit (id, at_ms, who, account, flow, key, action, target, outcome, previous_hash, hash) values (1, 5, 'ann', 'main', 'order', 'N-1', 'job.replay', 'erp-order N-1', 'done', '', 'h')",
  );
}

async function migrated(): Promise<OpenDatabase> {
  const before = await openDatabase(join(dir, 'data'), earlierMigrations());
  fill(before);
  before.close();
  return openDatabase(join(dir, 'data'));
}

const OTHER_FLOWS = { all: 'all', strategy: 'strategy' };
const nameNow = (flow: string): string => ({ ...FLOWS, ...OTHER_FLOWS })[flow] ?? flow;

test('a database with the former names has the names of today in every table, and its audit log as it was', async () => {
  const { sqlite, close } = await migrated();
  const all = (query: string) => sqlite.prepare(query).raw().all();
  for (const table of ['work', 'failed_jobs', 'replays', 'pauses', 'brake_plans']) {
    const expected = Object.values(FLOWS).concat(table === 'pauses' ? ['all'] : []);
    expect(all(`select flow from ${table} order by flow`).flat(), table).toEqual(expected.toSorted());
  }
  for (const [was, is] of Object.entries(FLOWS)) {
    expect(all(`select flow from work where key = 'key of ${was}'`)).toEqual([[is]]);
    expect(
      all(
        `select name from facts where json_extract(iif(json_valid(value), value, '[]'), '$[0].params.text') = '${was}'`,
      ),
    ).toEqual([[`alert:${is}:key:of`]]);
  }
  expect(all("select name from facts where instr(value, 'stays') > 0 order by name").flat()).toEqual(
    ['alert:read:orders', 'alert:erp:stock', 'order', 'alert:order'].toSorted(),
  );
  expect(Object.fromEntries(all('select external_id, kind from intents') as [string, string][])).toEqual(INTENTS);
  const written = ACTIONS.map(([flow, , action]) => [nameNow(flow), action]);
  for (const table of ['journal', 'brake_items']) {
    expect(all(`select flow, action from ${table} order by id`), table).toEqual(written);
  }
  expect(all('select flow, target from audit')).toEqual([['order', 'erp-order N-1']]);
  close();
});

test('the program goes on with what it finds there', async () => {
  const open = await migrated();
  const store = createStore(open.db, () => 10);
  const order = { account: 'main', flow: 'order-in', key: 'key of order' };
  expect(await store.work.get(order)).toMatchObject({ state: 'pending', version: 3 });
  expect(await store.work.settle(order, 3)).toBe(true);
  const sent = { account: 'main', kind: 'order-in', key: 'K' } as const;
  expect(await store.intents.unsettled(sent)).toMatchObject({ externalId: 'erp-order', state: 'open' });
  expect(await store.journal.written('main', 'customer-out.archive:archive:approved', 0)).toHaveLength(1);
  expect((await store.work.failed()).map(({ flow }) => flow)).toContain('payment-out');
  open.close();
});
