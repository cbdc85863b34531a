import { expect, test } from 'vitest';
import { handleJob } from '../../../src/daemon/worker/handle.ts';
import { createHealth } from '../../../src/daemon/worker/health.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { createLogger } from '../../../src/logging.ts';
import { alertOf } from '../../../src/shadow/alerts.ts';
import { PostgresError } from '../../../src/store/postgres/postgres-error.ts';
import { openShop } from '../../flows/brakes/shop.ts';
import { useShelf } from '../../store/shelf.ts';

const shelf = useShelf();
const NO_BRAKES = {};

test('a change that comes during a look that fails is looked at, and nothing of it is lost', async () => {
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

test('while the database cannot be reached a job waits: not even its last attempt is used up', async () => {
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
