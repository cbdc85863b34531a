import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { scratchOf } from '../../src/store/sqlite/scratch.ts';
import type { Store } from '../../src/store/store.ts';
import { type Plan, type PlannedAccount, planAccount, toPlan } from '../../src/use/plan.ts';
import { type PlanPart, partOf } from '../../src/use/plan-filter.ts';
import { entitiesToRehearse } from '../../src/use/rehearsal/entities-to-rehearse.ts';
import { readBothSides } from '../../src/use/sync.ts';
import { openStage } from '../support/stage.ts';

const signal = new AbortController().signal;

interface Counted {
  readonly plan: Plan;
  readonly looks: number;
  /** Calls of the copy's store. Each is one observation or one transaction. */
  readonly calls: number;
}

/** Both sides as they were read: products of the ERP, every second one listed by hand, and orders of the listed ones. */
async function readStage(products: number) {
  const stage = await openStage();
  stage.erp.control.seed(products);
  const known = stage.erp.control.state().products;
  for (const { sku, name, price } of known.filter((_, at) => at % 2 === 0))
    stage.marketplace.createProducts([{ sku, name, wholesale_price: price, quantity: '5' }]);
  const orders = ['SB-0001', 'SB-0003'].map((sku) => {
    const { id } = stage.marketplace.productBySku(sku);
    const customer = stage.marketplace.addCustomer({ name: `Shop for ${sku}`, state: 'NV' });
    return stage.marketplace.placeOrder({ customer, items: [{ product: id, quantity: '2' }] }).number;
  });
  await stage.start(['admin']);
  await readBothSides(stage.context(), signal, () => {});
  const planned = toPlan(stage.app().core, stage.context());
  return { stage, orders, plan: (part: PlanPart = {}) => countedPlan(planned, part) };
}

async function countedPlan(account: PlannedAccount, part: PlanPart): Promise<Counted> {
  let [looks, calls] = [0, 0];
  const { asked, includes } = await partOf(account, part);
  const only = asked === null ? null : await entitiesToRehearse(account, asked);
  const onScratch: PlannedAccount['onScratch'] = (now, work) =>
    account.onScratch(now, (scratch) => work({ ...scratch, store: counting(scratch.store, () => (calls += 1)) }));
  const onLook = () => (looks += 1);
  const { items, ...rest } = await planAccount({ ...account, onScratch }, { only, signal, onLook });
  return { plan: { ...rest, items: items.filter(includes) }, looks, calls };
}

function counting(store: Store, onCall: () => void): Store {
  const counted = (part: object) =>
    new Proxy(part, {
      get(target, name): unknown {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown => {
          onCall();
          return Reflect.apply(method, target, args);
        };
      },
    });
  const parts = Object.entries(store) as [string, unknown][];
  const shown = parts.map(([name, part]) => [name, typeof part === 'object' && part !== null ? counted(part) : part]);
  return Object.fromEntries(shown) as Store;
}

test('a plan of one order or product takes as many reads in a large catalogue as in a small one', async () => {
  const [small, large] = [await readStage(10), await readStage(100)];
  for (const partIn of [
    ({ orders }: typeof small) => ({ order: orders[0] }),
    () => ({ sku: 'SB-0001' }),
    () => ({ sku: 'SB-0002' }),
  ]) {
    const [one, other] = [await small.plan(partIn(small)), await large.plan(partIn(large))];
    expect(one.plan.items).not.toEqual([]);
    expect(other.looks).toBe(one.looks);
    // A look at each of the 90 products more would show.
    expect(other.calls).toBeLessThan(one.calls + 45);
  }
});

test('the reads and calls of a full plan grow as the catalogue does', async () => {
  const [one, two] = [await (await readStage(40)).plan(), await (await readStage(80)).plan()];
  expect(two.looks / one.looks).toBeLessThan(2.1);
  expect(two.calls / one.calls).toBeLessThan(2.1);
  // Two passes compare everything: the one that finds the differences, and the one that finds nothing more.
  expect(two.looks).toBeLessThan(80 * 2 * 2 + two.plan.items.flatMap(({ actions }) => actions).length + 80);
});

test('a plan of one entity lists what the full plan lists of it', async () => {
  const { stage, orders, plan } = await readStage(12);
  const skus = stage.erp.control.state().products.map(({ sku }) => sku);
  const parts: PlanPart[] = [...skus.map((sku) => ({ sku })), ...orders.map((order) => ({ order }))];
  const { items } = (await plan()).plan;
  for (const part of parts) {
    const { includes } = await partOf(stage.context(), part);
    const withoutTimes = (text: unknown) => JSON.stringify(text).replaceAll(/as of [^,]+/g, 'as of then');
    expect(withoutTimes((await plan(part)).plan.items)).toBe(withoutTimes(items.filter(includes)));
  }
});

test('a plan of one entity says how many others wait, where a brake counts its writes with theirs', async () => {
  const { orders, plan } = await readStage(12);
  expect((await plan({ sku: 'SB-0002' })).plan.beside).toBeGreaterThan(10);
  expect((await plan({ order: orders[0] })).plan.beside).toBe(0);
});

test('a copy to rehearse on never waits for the disk', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'scratch-'));
  (await openDatabase(dir)).close();
  const sqlite = new SqliteDatabase(join(dir, 'stockbridge.db'));
  const { store, close } = scratchOf(sqlite, Date.now);
  await store.facts.set('main', 'name', 'value');
  await store.pauses.pause('main', 'stock', 'stocktaking', 'ada');
  expect([sqlite.pragma('synchronous', { simple: true }), sqlite.inTransaction]).toEqual([0, true]);
  expect(await store.facts.get('main', 'name')).toBe('value');
  close();
  rmSync(dir, { recursive: true });
});
