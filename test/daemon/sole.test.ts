import { afterAll, expect, onTestFinished, test } from 'vitest';
import { holdAlone, WorkedElsewhereError } from '../../src/daemon/sole.ts';
import { LeaseLost } from '../../src/store/leases.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { newSchema, stopPostgres } from '../support/postgres.ts';
import { until } from '../support/stage.ts';

afterAll(stopPostgres);

async function open() {
  const schema = await newSchema();
  const opened = await openPostgres(schema.url, Date.now, true);
  onTestFinished(async () => {
    await opened.close();
    await schema.drop();
  });
  return opened;
}

test('of two daemons on one database, one works its accounts; the other is told who, and takes over once that one has gone', async () => {
  const { store } = await open();
  const first = await holdAlone(store.leases, () => {});
  await expect(holdAlone(store.leases, () => {}, 0)).rejects.toThrow(WorkedElsewhereError);
  expect(first.holds()).toBe(true);
  await first.release();
  expect(first.holds()).toBe(false);
  const second = await holdAlone(store.leases, () => {}, 0);
  expect(second.fence).toBeGreaterThan(first.fence);
  await second.release();
});

test('whoever could not keep its lease is told, sends nothing more and commits nothing', async () => {
  const { store, fenced } = await open();
  let lost = 0;
  const lease = await holdAlone(store.leases, () => {
    lost += 1;
  });
  const mine = fenced('', lease.fence);
  await mine.facts.set('main', 'mine', 'yes');
  const { leases: held } = await store.leases.list();
  for (const { account, holder, fence } of held) await store.leases.release(account, holder, fence);
  await expect(mine.facts.set('main', 'mine', 'no')).rejects.toThrow(LeaseLost);
  await until('it is told', () => lost === 1);
  expect(lease.holds()).toBe(false);
  expect(await store.facts.get('main', 'mine')).toBe('yes');
  await lease.release();
});
