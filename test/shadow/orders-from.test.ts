import { expect, test } from 'vitest';
import type { AccountConfig } from '../../src/config/resolve.ts';
import { CallFailure } from '../../src/domain/failure.ts';
import type { ListPage } from '../../src/marketplace/page.ts';
import { EMPTY_PAGE } from '../../src/marketplace/page.ts';
import { noteFirstStart, ordersFromNow } from '../../src/shadow/orders-from.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, order, orderBatch, useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const LOOK = { key: 'orders', lane: 'poll', signal: AbortSignal.timeout(60_000) } as const;
const set = (orders: object) => accountConfig({ orders });

/** The first read of orders begins. The marketplace answers with this page. */
async function begin(page: Partial<ListPage<never>>, config = accountConfig()): Promise<number> {
  let calls = 0;
  const list = async () => {
    calls += 1;
    return { ...EMPTY_PAGE, ...page };
  };
  const client = { list } as unknown as Parameters<typeof noteFirstStart>[0]['client'];
  await noteFirstStart(accountContext(shelf().store, config, { client }), LOOK);
  return calls;
}
const inForce = (config: AccountConfig = accountConfig()) =>
  ordersFromNow({ account: 'main', config, store: shelf().store });
const rows = (...minutes: number[]) => minutes.map((minute) => ({ modified: at(minute) }));

test('the first start stores the time of the newest order, by the clock of the marketplace, and keeps it', async () => {
  expect(await inForce()).toBeNull();
  expect(await begin({ raw: [{ modified: null }, ...rows(9, 5)], more: true })).toBe(1);
  expect(await inForce()).toEqual({ at: at(9), by: 'first-start' });
  expect(await begin({ raw: rows(20) })).toBe(0);
  expect(await inForce()).toEqual({ at: at(9), by: 'first-start' });
});

test('the newest order of a server that does not sort is known when it returns every order, and else not', async () => {
  await begin({ raw: rows(5, 9), more: false });
  expect(await inForce()).toEqual({ at: at(9), by: 'first-start' });
  await shelf().store.facts.clear('main', 'orders-from');
  await begin({ raw: rows(5, 9), more: true, servedAt: at(30) });
  expect(await inForce()).toEqual({ at: at(30), by: 'first-start' });
});

test('a server that refuses to return the newest order first is read in the usual order', async () => {
  const asked: unknown[] = [];
  const list = async (_operation: string, { query }: { query: { ordering: string } }) => {
    asked.push(query.ordering);
    if (query.ordering === '-modified')
      throw new CallFailure('unknown ordering', { side: 'marketplace', kind: 'refused', outcome: 'not-applied' });
    return { ...EMPTY_PAGE, raw: rows(5, 9), more: true, servedAt: at(30) };
  };
  const client = { list } as unknown as Parameters<typeof noteFirstStart>[0]['client'];
  await noteFirstStart(accountContext(shelf().store, accountConfig(), { client }), LOOK);
  expect(asked).toEqual(['-modified', 'modified']);
  expect(await inForce()).toEqual({ at: at(30), by: 'first-start' });
});

test('without any order the first start stores the time of the answer', async () => {
  await begin({ servedAt: at(30) });
  expect(await inForce()).toEqual({ at: at(30), by: 'first-start' });
});

test('orders.export_from is the start date without a call, and stays in force when it is removed', async () => {
  expect(await begin({}, set({ export_from: at(3) }))).toBe(0);
  expect(await inForce(set({ export_from: at(4) }))).toEqual({ at: at(4), by: 'setting' });
  expect(await inForce()).toEqual({ at: at(3), by: 'setting' });
  expect(await inForce(set({ export_from: at(4), history: 'enter' }))).toBeNull();
});

test('a store with orders has started before: every order stays work', async () => {
  await shelf().store.orders.record(orderBatch([order()]));
  expect(await begin({ raw: rows(9) })).toBe(0);
  expect(await inForce()).toBeNull();
});
