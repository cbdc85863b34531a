import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ObserveStore } from '../../src/store/observe.ts';
import { type Connection, openConnection } from '../../src/store/postgres/connection.ts';
import { copyToPostgres } from '../../src/store/postgres/copy.ts';
import { connected } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import type { Store } from '../../src/store/store.ts';
import { startPostgres, type TestDatabase } from '../support/databases.ts';
import { needing } from '../support/needing.ts';
import { crowd } from './crowd.ts';

const FACTS = ['installation', 'measurements-read'];

/** The call of each observation, and the statement that finds the keys for it. */
const ASKED: {
  readonly [Name in keyof ObserveStore]: readonly [string, (store: Store, account: string, key: string) => unknown];
} = {
  orderIn: ['select account, number from orders', ({ observe }, of, key) => observe.orderIn(of, key, FACTS)],
  orderOut: ['select account, id from erp_orders', ({ observe }, of, key) => observe.orderOut(of, key)],
  approvalOut: ['select account, id from erp_orders', ({ observe }, of, key) => observe.approvalOut(of, key, FACTS)],
  transportIn: [
    'select account, number from orders union all select account, order_key from transport_orders',
    ({ observe }, of, key) => observe.transportIn(of, key, FACTS),
  ],
  product: ['select account, id from erp_products', ({ observe }, of, key) => observe.product(of, key, FACTS)],
  productIn: ['select account, id from products', ({ observe }, of, key) => observe.productIn(of, Number(key), FACTS)],
  images: ['select account, id from erp_products', ({ observe }, of, key) => observe.images(of, key)],
  assignments: ['select account, id from erp_products', ({ observe }, of, key) => observe.assignments(of, key, FACTS)],
  linkedCustomers: [
    'select account, id from erp_customers',
    ({ observe }, of, key) => observe.linkedCustomers(of, [key, 'nobody']),
  ],
  stock: ['select account, id from erp_products', ({ observe }, of, key) => observe.stock(of, key, FACTS)],
  facilityStock: [
    'select account, id from erp_products',
    ({ observe }, of, key) => observe.facilityStock(of, key, FACTS),
  ],
  batchOut: ['select account, id from erp_lots', ({ observe }, of, key) => observe.batchOut(of, key, FACTS)],
  customerIn: [
    'select account, id from customers',
    ({ observe }, of, key) => observe.customerIn(of, Number(key), FACTS),
  ],
  customerOut: ['select account, id from erp_customers', ({ observe }, of, key) => observe.customerOut(of, key, FACTS)],
  paymentIn: ['select account, id from payments', ({ observe }, of, key) => observe.paymentIn(of, key)],
  paymentOut: ['select account, id from erp_payments', ({ observe }, of, key) => observe.paymentOut(of, key, FACTS)],
};

/**
 * A product without a link is looked for by signs of its name, which the program computes. A product whose listing shows another
 * SKU is looked for by its own. Where the linked entity is not there, the store is asked whether it is gone.
 */
const MAY_ASK_MORE = new Set<string>([
  'product',
  'productIn',
  'orderIn',
  'stock',
  'facilityStock',
  'batchOut',
  'customerOut',
  'paymentIn',
  'paymentOut',
]);

needing('postgres').describe('on a real PostgreSQL', () => {
  let server: TestDatabase;
  let connection: Connection;
  const dirs: string[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    connection = openConnection(server.url);
  });
  afterAll(async () => {
    connection.close();
    await server.stop();
    for (const dir of dirs) rmSync(dir, { recursive: true });
  });

  async function crowded(seed: number) {
    const dir = mkdtempSync(join(tmpdir(), 'prefetched-'));
    dirs.push(dir);
    const database = await openDatabase(dir);
    const here = createStore(database.db, () => 1_000_000);
    await crowd(here, seed);
    await server.admin('drop schema public cascade; create schema public');
    connection.reconnect();
    migrate(connection, true);
    await server.admin('delete from facts');
    await copyToPostgres(database.sqlite, server.url);
    return { here, there: createStore(connected(connection).db, () => 1_000_000), database };
  }

  test.each([1, 2, 3])(
    'an observation in PostgreSQL takes one query and reads the same as in SQLite: crowd %i',
    async (seed) => {
      const { here, there, database } = await crowded(seed);
      const asked = new Map<string, number[]>();
      for (const [name, [keys, observe]] of Object.entries(ASKED)) {
        for (const [account, key] of database.sqlite.prepare(keys).raw().all() as [string, string | number][]) {
          const before = connection.asked;
          const found = await observe(there, account, String(key));
          asked.set(name, [...(asked.get(name) ?? []), connection.asked - before]);
          expect(sorted(found), `${name} ${key}`).toEqual(sorted(await observe(here, account, String(key))));
        }
      }
      database.close();
      expect([...asked.keys()].toSorted()).toEqual(Object.keys(ASKED).toSorted());
      for (const [name, rounds] of asked) {
        if (!MAY_ASK_MORE.has(name)) expect([name, ...new Set(rounds)]).toEqual([name, 1]);
      }
    },
  );
});

/** Each database has its own order for rows when a statement asks for none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sorted(each)]));
}
