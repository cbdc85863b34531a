import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { FLOW_NAMES } from '../../src/flows/flows.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;
let database: string;
let data: string;

beforeEach(async () => {
  stage = await openStage();
  data = join(stage.dir, 'data');
  database = join(data, 'stockbridge.db');
  stage.erp.control.seed(3);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '2' }] });
  await stage.sync();
});

const verb = (...args: string[]) => run([...args, '--config', stage.configFile]);

function edit(sql: string, file = database): void {
  const sqlite = new SqliteDatabase(file);
  sqlite.exec(sql);
  sqlite.close();
}

test('verify finds nothing in a valid database, also while a daemon works on it', async () => {
  expect(await verb('verify')).toMatchObject({ exitCode: 0, stdout: `${database}: ok\n`, stderr: '' });
  expect((await verb('verify', data, '--json')).stdout).toBe(
    `${JSON.stringify({ file: database, findings: [] }, null, 2)}\n`,
  );
  await stage.stop();
  expect((await verb('verify', data)).exitCode).toBe(0);
});

test('verify finds nothing in a backup that was made while a daemon writes', async () => {
  await stage.stop();
  const app = await stage.start();
  const buyer = stage.marketplace.addCustomer({ name: 'Another Shop', state: 'NV' });
  const { orders } = app.core.state.store;
  const before = (await orders.numbers('main', '', 100)).length;
  for (let round = 0; round < 4; round += 1) {
    stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
    const file = join(stage.dir, `${round}.db`);
    expect((await verb('backup', file)).exitCode).toBe(0);
    expect(await verb('verify', file)).toMatchObject({ exitCode: 0, stdout: `${file}: ok\n` });
  }
  const isRead = async () => (await orders.numbers('main', '', 100)).length === before + 4;
  await until('the daemon has read them', isRead);
  expect((await verb('restore', join(stage.dir, '0.db'))).exitCode).toBe(75);
});

test.each([
  ['a link with one side', "update mappings set erp_id = null where kind = 'order'", 'links with one side only: order'],
  [
    'a link to nothing',
    "update mappings set erp_id = 'nobody' where kind = 'product' and id = (select min(id) from mappings where kind = 'product')",
    'links to what one side has not shown',
  ],
  [
    'held work of nothing',
    "insert into work values ('main', 'order-in', 'nowhere', 1, 'poll', '', 'held', '[]', 0, 0, 0)",
    'held or failed, and nothing is known of it: order-in nowhere',
  ],
  [
    'a failed job without work',
    "insert into failed_jobs values (1, 'main', 'stock', 'P-1', 'c', 'm', 1, 0)",
    'failed jobs that nothing is left to do for: stock P-1',
  ],
  [
    'failed work without a job',
    "insert into work values ('main', 'stock', 'P-1', 1, 'poll', '', 'failed', null, null, 0, 0)",
    'failed, and not among the failed jobs: stock P-1',
  ],
  [
    'a lost answer',
    "insert into intents (account, kind, key, external_id, state, sent_at_ms) values ('main', 'product', 'P-9', 'P-9', 'open', 0)",
    'writes whose answer was lost',
  ],
  [
    'a line of no order',
    "insert into order_lines (account, number, line_id, product_id, quantity, price_amount, currency) values ('main', 'gone', 1, 1, '1', '1', 'USD')",
    'lines of no order: line 1 of order gone',
  ],
  [
    'a hole',
    "insert into coverage (account, collection, from_instant, to_instant, rows, read_at_ms) values ('main', 'orders', '2999-01-01T00:00:00Z', '2999-01-02T00:00:00Z', 1, 0)",
    'main orders from ',
  ],
])('verify finds %s, and says what to do', async (_, sql, text) => {
  await stage.stop();
  edit(sql);
  const { exitCode, stdout } = await verb('verify');
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining(text)]);
  expect(stdout).toMatch(/^ {4}\S.*/m);
});

test("verify finds the stored row of each flow's keys", async () => {
  await stage.stop();
  for (const flow of FLOW_NAMES)
    edit(
      `insert into work (account, flow, key, version, lane, reason, state, since_ms) values ('main', '${flow}', 'nobody', 1, 'poll', '', 'held', 0)`,
    );
  const { stdout } = await verb('verify');
  expect(stdout).toMatch(
    new RegExp(`nothing is known of it: ${FLOW_NAMES[0]} nobody, .* and ${FLOW_NAMES.length - 5} more`),
  );
});

test('verify finds the product of stock that is held because the ERP has stated none', async () => {
  await stage.stop();
  edit(
    "delete from erp_stock; insert into work select account, 'stock', id, 1, 'poll', '', 'held', '[]', 0, 0, 0 from erp_products",
  );
  expect(await verb('verify')).toMatchObject({ exitCode: 0, stdout: `${database}: ok\n` });
});

test('verify finds another schema, and rows with changed bits', async () => {
  await stage.stop();
  const file = join(stage.dir, 'changed.db');
  for (const [sql, ...texts] of [
    ['alter table orders drop column raw', 'schema: table orders lacks its column raw', 'stockbridge restore'],
    ['drop index mappings_by_erp', 'schema: index mappings_by_erp is missing', 'stockbridge restore'],
    ['drop table mappings', 'schema: table mappings is missing', 'stockbridge restore'],
    ['drop trigger audit_refuses_update', 'schema: trigger audit_refuses_update is missing', 'puts them back'],
    ['create index mine on orders (total)', 'schema: index mine was added', 'drop index mine'],
    [
      'update orders set customer_name = customer_name || char(1)',
      ': order ',
      '(its fields do not fit their checksum)',
    ],
    ["update order_lines set quantity = '3'", ': order ', '(its fields do not fit their checksum)'],
    ["update orders set discount_amount = '0.p0'", ': order ', '(its fields cannot be read)'],
    ["update orders set raw = replace(raw, '{', '[')", ': order ', '(what was received is no JSON any more)'],
    ["update products set price_amount = '1o.00' where id = 1", ': listing 1 (its fields cannot be read)'],
    ["update products set raw = '' where id = 1", ': listing 1 (what was received is no JSON any more)'],
  ] as const) {
    await verb('backup', file, '--force');
    edit(sql, file);
    const { exitCode, stdout } = await verb('verify', file);
    expect([sql, exitCode]).toEqual([sql, 1]);
    for (const text of texts) expect(stdout).toContain(text);
  }
});

test('verify finds a changed record of the audit log', async () => {
  await stage.stop();
  await verb('pause', 'stock', '--reason', 'a test');
  const name = new SqliteDatabase(database, { readonly: true })
    .prepare("select group_concat('drop trigger ' || name, ';') from sqlite_master where type = 'trigger'")
    .pluck()
    .get();
  edit(`${String(name)}; update audit set who = 'somebody else' where id = 1`);
  expect((await verb('verify')).stdout).toContain('audit: row 1 does not fit');
});

test('verify finds files that others can read', async () => {
  chmodSync(database, 0o644);
  const { exitCode, stdout } = await verb('verify');
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('can be used by others (mode 644)')]);
  expect(stdout).toContain(`chmod 600 ${database}`);
});

test('verify finds a damaged file, a foreign one and one of another version', async () => {
  await stage.stop();
  const broken = join(stage.dir, 'broken.db');
  copyFileSync(database, broken);
  const bytes = readFileSync(broken);
  bytes.fill(0x55, bytes.length - 9_000, bytes.length - 500);
  writeFileSync(broken, bytes);
  writeFileSync(join(stage.dir, 'text.db'), 'no database at all'.repeat(100), { mode: 0o600 });
  for (const [file, text] of [
    ['broken.db', /damaged|cannot be read/],
    ['text.db', /cannot be read: file is not a database/],
  ] as const) {
    const { exitCode, stdout } = await verb('verify', join(stage.dir, file));
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(text)]);
  }
  edit("insert into __drizzle_migrations (hash, created_at) values ('of a version to come', 1)");
  expect((await verb('verify')).stdout).toContain('schema: a newer version of stockbridge wrote it');
  expect(await verb('verify', join(stage.dir, 'none'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('does not exist'),
  });
});
