import { expect, onTestFinished, test, vi } from 'vitest';
import { handleJob } from '../../../src/daemon/worker/handle.ts';
import { createHealth } from '../../../src/daemon/worker/health.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { alertOf } from '../../../src/shadow/alerts.ts';
import { PostgresError } from '../../../src/store/postgres/postgres-error.ts';
import { openShop } from '../../flows/brakes/shop.ts';
import { useShelf } from '../../store/shelf.ts';

const shelf = useShelf();
const NO_BRAKES = {};

test('a change during a reconcile attempt that fails is reconciled, and nothing of it is lost', async () => {
  const shop = await openShop(shelf(), 1, NO_BRAKES);
  const { store } = shelf();
  const client = shop.context.client as unknown as { call: (...args: unknown[]) => Promise<unknown> };
  const { call } = client;
  client.call = async () => {
    client.call = call;
    await shop.changeErp([1], { name: 'The second name' });
    throw new CallFailure('it is refused', { side: 'marketplace', kind: 'refused', outcome: 'not-applied' });
  };
  await shop.changeErp([1], { name: 'The first name' });
  await shop.work();
  expect(shop.takeWrites().join()).toContain('The second name');
  expect([await store.work.failed(), await store.work.held()]).toEqual([[], []]);
});

test('while the database is unreachable a job waits: not even its last attempt is used up', async () => {
  const { context } = await openShop(shelf(), 1, NO_BRAKES);
  const { account, store } = context;
  const away = new PostgresError({ message: 'connect ECONNREFUSED', code: null }, null);
  const unreached = {
    ...store,
    work: { ...store.work, get: () => Promise.reject(away) },
    inbox: { ...store.inbox, unprocessed: () => Promise.reject(away) },
  };
  const handling = {
    accounts: new Map([[account, { ...context, store: unreached }]]),
    dryRun: false,
    health: createHealth(Date.now),
    log: createLogger({ level: 'silent', secrets: [] }),
    ended: () => {},
    onResult: () => {},
  };
  const attempt = { signal: new AbortController().signal, number: 8, isLast: true };
  const handled = await handleJob(handling, { account, name: 'product', key: '1', lane: 'poll' }, attempt);
  expect(handled).toEqual({ delayMs: expect.any(Number) as number });
  expect(await store.work.failed()).toEqual([]);
  // A list is read again soon anyway. Until then, it shows why it is not read.
  const read = await handleJob(handling, { account, name: 'read:orders', key: 'all', lane: 'poll' }, attempt);
  expect(read).toBe('done');
  expect(await alertOf({ account, store }, 'read:orders')).toMatchObject([{ code: 'store-failing' }]);
});

const MESSAGE = 'Another transaction holds a lock on these rows';
const LOCK = { shownBy: 'select the sessions', endedBy: 'end the session' };

/** A product whose write meets a lock, and a worker that looks at it. */
async function lockedProduct() {
  const shop = await openShop(shelf(), 1, NO_BRAKES);
  const { account, store } = shop.context;
  const facts = { side: 'erp', kind: 'unavailable', outcome: 'not-applied', retryAfterMs: 3_000 } as const;
  const locked = new CallFailure(MESSAGE, { ...facts, lock: LOCK });
  const health = createHealth(Date.now);
  const client = shop.context.client as unknown as { call: () => Promise<unknown> };
  const fail = (error: Error) => {
    client.call = () => Promise.reject(error);
  };
  fail(locked);
  await shop.changeErp([1], { name: 'Another name' });
  const [due] = await store.work.due(account, 1);
  const job = { account, name: due?.flow ?? '', key: due?.key ?? '', lane: 'poll' } as const;
  const handling = {
    accounts: new Map([[account, shop.context]]),
    dryRun: false,
    health,
    log: createLogger({ level: 'silent', secrets: [] }),
    ended: () => {},
    onResult: () => {},
  };
  const look = (number = 8) =>
    handleJob(handling, job, { signal: new AbortController().signal, number, isLast: number === 8 });
  return { account, store, health, locked, fail, look, row: () => store.work.get({ ...job, flow: job.name }) };
}

test('a record that is locked in the ERP is reported, uses up no attempt, and is no outage', async () => {
  const { account, store, health, locked, look, row } = await lockedProduct();
  for (let calls = 0; calls < 5; calls += 1) health.failed(account, locked);
  expect(health.get(account, 'erp').state).toBe('ok');

  expect(await look()).toEqual({ delayMs: 3_000 });
  expect(await store.work.failed()).toEqual([]);
  expect((await row())?.heldFor).toMatchObject([{ code: 'tried-again', params: { message: MESSAGE } }]);
});

test('after about ten minutes of refusals for a lock, the write is held and raises an alert', async () => {
  const { look, row } = await lockedProduct();
  let waitedMs = 0;
  for (let looks = 0; looks < 100; looks += 1) {
    const handled = await look();
    if (handled === 'done') break;
    waitedMs += handled.delayMs;
  }
  expect(Math.abs(waitedMs / 60_000 - 10)).toBeLessThan(1);
  expect(await row()).toMatchObject({
    state: 'held',
    heldFor: [{ code: 'erp-record-locked', params: { message: MESSAGE, since: '1970-01-01T00:16:40Z', ...LOCK } }],
  });
});

test('after a failure of another kind, the refusals for a lock are counted anew', async () => {
  const { locked, fail, look, row } = await lockedProduct();
  for (const refusals of [1, 2]) {
    await look();
    expect((await row())?.heldFor).toMatchObject([{ params: { lock: { refusals } } }]);
  }
  fail(new CallFailure('it broke', { side: 'marketplace', kind: 'unavailable', outcome: 'not-applied' }));
  await expect(look(1)).rejects.toThrow('it broke');
  fail(locked);
  await look();
  expect((await row())?.heldFor).toMatchObject([{ params: { lock: { refusals: 1 } } }]);
});

test.each([
  [{ state: 'wait', waitMs: 60_000, reason: 'a read' }, 60_000],
  [{ state: 'wait', waitMs: 3_600_000, reason: 'a read' }, 600_000],
  [{ state: 'in-sync', lookAgainMs: 3_600_000 }, 600_000],
] as const)('a key whose attempt ends with %j is reconciled again after %i ms', async (result, waitMs) => {
  const { account, store, look, row } = await lockedProduct();
  const spy = vi.spyOn(FLOW_RUNS.product, 'reconcile').mockResolvedValue({ written: 0, ...result });
  onTestFinished(() => spy.mockRestore());
  expect(await look()).toBe('done');
  expect((await row())?.notBeforeMs).toBe(shelf().nowMs + waitMs);
  expect(await store.work.pending(account)).toBe(1);
});
