import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.ts';
import { configFile } from '../../src/config/schema.ts';
import { SAMPLE_MS } from '../../src/domain/day.ts';
import type { QuotaUsage } from '../../src/marketplace/governor.ts';
import { dayOf, recordSample } from '../../src/use/day.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const MAIN = {
  marketplace: { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 },
  erp: { type: 'http', url: 'http://erp.test', token: 'a-token' },
  inventory: { strategy: 'b' },
};
const used = (ours: number, others: number) =>
  ({ perMinute: { limit: 300, used: ours, others } }) as unknown as QuotaUsage;

function look(usage: QuotaUsage | null): Promise<void> {
  const [account] = resolveConfig(configFile.parse({ accounts: { main: MAIN } })).accounts;
  if (account === undefined) throw new Error('no account');
  return recordSample(account, shelf().store, usage, shelf().nowMs);
}

async function written(flow: string, action: string, key: string): Promise<void> {
  const entry = { account: 'main', flow, key, action, target: key, before: null, after: 'x', why: 'test' };
  await shelf().store.journal.add({ ...entry, outcome: 'written', answer: '' });
}

test('the figures of the day come from the journal, the quota and the work, and are stored', async () => {
  const here = shelf();
  here.nowMs = 10 * SAMPLE_MS;
  await written('order-in', 'order-in.create', 'A');
  await written('order-in', 'order-in.transition', 'A');
  await written('order-out', 'order-out.create', 'B');
  await written('stock', 'stock.write', 'C');
  await here.store.work.mark([{ account: 'main', flow: 'stock', key: 'P' }], 'poll', 'test');
  here.nowMs += 7_000;
  await look(used(60, 30));
  const [first] = await dayOf(here.store, 'main');
  expect(first).toMatchObject({ atMs: 10 * SAMPLE_MS, quota: 0.3, ordersIn: 1, ordersOut: 2, webhookLoss: null });
  expect(first?.waitedMs).toBe(7_000);
  // No list was ever read.
  expect(first?.late).toMatchObject({ orders: null, 'erp-stock': null });
  here.nowMs = 11 * SAMPLE_MS - 1;
  await written('order-in', 'order-in.create', 'late');
  here.nowMs += 1;
  await written('order-in', 'order-in.create', 'next');
  await look(null);
  expect((await dayOf(here.store, 'main')).map(({ ordersIn, quota }) => [ordersIn, quota])).toEqual([
    [2, 0.3],
    [1, null],
  ]);
  expect(await dayOf(here.store, 'other')).toEqual([]);
});
