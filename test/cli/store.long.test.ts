import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { at, d, erpOrder, order, orderBatch, product, productBatch } from '../store/shelf.ts';
import { needing } from '../support/needing.ts';
import { newSchema, stopPostgres, type TestSchema } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';
import { run } from './capture.ts';

let dir: string;
let schema: TestSchema;

const CANARY = 'c4n4ry';

/** A configuration whose address of PostgreSQL comes from the environment. */
function configured(data: string, store: string, url = '${env:POSTGRES_URL}'): string {
  const file = join(dir, `${data}.yaml`);
  writeFileSync(
    file,
    `state: { dir: ${join(dir, data)}, store: ${store}, postgres: "${url}" }
accounts:
  main:
    marketplace: { base_url: http://127.0.0.1:1, auth: { scheme: app, key: k }, seller_id: 1 }
    erp: { type: http, url: http://127.0.0.1:1, token: t }
    inventory: { strategy: submitted-available }
`,
  );
  return file;
}

async function verb(file: string, ...args: readonly string[]) {
  return run(['--config', file, ...args], { POSTGRES_URL: schema.url });
}

/** Fills many tables, with characters that PostgreSQL cannot keep as they are. */
async function filled(): Promise<void> {
  const { db, close } = await openDatabase(join(dir, 'first'));
  const store = createStore(db, Date.now);
  await store.products.record(productBatch([product({ name: `a \0 in it, and \u{10FFFD}` })]));
  await store.orders.record(orderBatch([order(), order({ number: 'ö-2', modified: at(1) })]));
  await store.erp.recordOrders('main', [erpOrder({ total: d('0.10') })], 'poll');
  await store.inbox.store([{ account: 'main', kind: 'orders', body: Buffer.from([0, 1, 255]), receivedAtMs: 5 }]);
  await store.audit.add({
    account: 'main',
    flow: '',
    key: '',
    who: 'Ann',
    action: 'pause',
    target: 'a flow',
    before: null,
    after: null,
    outcome: 'done',
    resultOf: null,
  });
  close();
}

async function query(statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: schema.url });
  await client.connect();
  const { rows, rowCount } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  expect(rowCount).not.toBe(0);
  return rows;
}

/** All rows of a database, by table. */
function rowsOf(data: string): Record<string, unknown[]> {
  const sqlite = new SqliteDatabase(join(dir, data, 'stockbridge.db'), { readonly: true });
  const names = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const all = names.filter((name) => name !== '__drizzle_migrations').toSorted();
  const rows = Object.fromEntries(
    all.map((name) => [
      name,
      sqlite
        .prepare(`select * from "${name}"`)
        .all()
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    ]),
  );
  sqlite.close();
  return rows;
}

needing('postgres').describe('store copy', () => {
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'store-'));
    schema = await newSchema();
  });
  afterEach(async () => {
    await schema.drop();
    rmSync(dir, { recursive: true });
  });
  afterAll(stopPostgres);

  test('store copies everything to PostgreSQL and back without a difference', async () => {
    await filled();
    const [first, there, second] = [
      configured('first', 'sqlite'),
      configured('there', 'postgres'),
      configured('second', 'sqlite'),
    ];
    const moved = await verb(first, 'store', 'copy', '--to', 'postgres');
    expect([moved.exitCode, moved.stdout]).toEqual([
      0,
      expect.stringMatching(/^PostgreSQL: ok \(\d+ rows of \d+ tables/),
    ]);
    // PostgreSQL knows the number of rows. Without it, some queries take minutes.
    expect(await query("select reltuples from pg_class where oid = 'orders'::regclass")).toEqual([{ reltuples: 2 }]);
    expect(await verb(there, 'verify')).toMatchObject({ stdout: 'PostgreSQL: ok\n', exitCode: 0 });
    expect(await verb(there, 'audit', 'list')).toMatchObject({ stdout: expect.stringContaining('Ann') as string });
    expect(await verb(second, 'store', 'copy', '--to', 'sqlite')).toMatchObject({ exitCode: 0 });
    const [before, after] = [rowsOf('first'), rowsOf('second')];
    expect(after['orders']).toHaveLength(2);
    // PostgreSQL also has the daemon and the leases of the copy on record.
    expect(after).toEqual({ ...before, daemons: [], leases: [] });
  });

  // In this process the tests keep the event loop alive. A process of its own ends as soon as nothing else does.
  test('the command store copies in both directions and exits', async () => {
    await filled();
    for (const [data, to] of [
      ['first', 'postgres'],
      ['second', 'sqlite'],
    ] as const) {
      const file = configured(data, 'sqlite', schema.url);
      const { printed, exit } = startProgram('--config', file, 'store', 'copy', '--to', to);
      expect({ code: await exit(), ...printed }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/: ok \(\d+ rows of \d+ tables copied and compared\)\n$/),
        stderr: '',
      });
    }
  });

  test.each([
    ["update orders set raw = repeat('x', 70000000)", 'a row of orders has'],
    ["update work set hold_reason = '{'", 'these hold what stockbridge never writes: work.hold_reason'],
    ['create table more () inherits (orders)', 'was added or changed'],
  ])('store does not copy what somebody changed in PostgreSQL into the data folder: %s', async (statement, why) => {
    await filled();
    await verb(configured('first', 'sqlite'), 'store', 'copy', '--to', 'postgres');
    await query(statement);
    expect(await verb(configured('second', 'sqlite'), 'store', 'copy', '--to', 'sqlite')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(why) as string,
    });
    expect(existsSync(join(dir, 'second', 'stockbridge.db'))).toBe(false);
  });

  test('store copy refuses a target that has data', async () => {
    await filled();
    const first = configured('first', 'sqlite');
    await verb(first, 'store', 'copy', '--to', 'postgres');
    expect(await verb(first, 'store', 'copy', '--to', 'postgres')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('in PostgreSQL already: nothing was copied') as string,
    });
    expect(await verb(first, 'store', 'copy', '--to', 'sqlite')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('exists already') as string,
    });
  });

  test('a verb for SQLite alone names the alternative with PostgreSQL', async () => {
    const there = configured('there', 'postgres');
    expect((await verb(there, 'migrate', '--check')).stdout).toContain('does not exist: it would be created');
    expect((await verb(there, 'migrate')).stdout).toContain('was created: schema');
    expect((await verb(there, 'backup', join(dir, 'b.db'))).stderr).toContain('pg_dump');
    expect((await verb(there, 'restore', join(dir, 'b.db'))).stderr).toContain('pg_restore');
  });

  test('the password of PostgreSQL is never printed', async () => {
    const { port } = new URL(schema.url);
    const env = { POSTGRES_URL: `postgres://owner:${CANARY}@127.0.0.1:${port}/warenwirtschaft` };
    const there = configured('there', 'postgres');
    for (const args of [
      ['status'],
      ['doctor'],
      ['config', 'show'],
      ['verify'],
      ['audit', 'list'],
      ['--debug', 'status'],
    ]) {
      const { stdout, stderr } = await run(['--config', there, ...args], env);
      expect(`${stdout}${stderr}`, args.join(' ')).not.toContain(CANARY);
    }
  });
});
