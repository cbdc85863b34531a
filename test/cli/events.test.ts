import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

let site: ReturnType<typeof installation>;
let store: Store;
beforeEach(async () => {
  site = installation(TWO_ACCOUNTS);
  ({ store } = await site.open());
  const came = (body: string, account = 'main') =>
    ({ account, kind: 'orders', body: Buffer.from(body), receivedAtMs: 1_000_000 }) as const;
  await store.inbox.store([came('{"number":"o-1"}'), came('{"number":"o-2"}', 'other')]);
  await store.inbox.processed([{ id: 1, entity: 'o-1' }]);
});

test('webhooks are listed, printed with their body as it came, and found by their entity', async () => {
  expect(await site.json('events', 'list')).toMatchObject([
    { id: 1, account: 'main', entity: 'o-1', bytes: 16 },
    { id: 2, account: 'other', entity: null, looked_at: null },
  ]);
  expect(await site.json('events', 'list', '--entity', 'o-1')).toHaveLength(1);
  expect(await site.json('events', 'list', '--account', 'other', '--limit', '5')).toMatchObject([{ id: 2 }]);
  const { stdout } = await site.run('events', 'show', '1');
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^1 1970-01-01 00:16:40Z main orders o-1, 16 bytes; looked at /),
    '{"number":"o-1"}',
  ]);
  const missing = await site.run('events', 'show', '9');
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('there is no webhook 9')]);
});

test('events resend has a webhook processed again, with an audit entry, unless it waits anyway', async () => {
  expect((await site.run('events', 'resend', '1')).exitCode).toBe(0);
  expect((await store.inbox.unprocessed('main', 'orders', 5)).map(({ id }) => id)).toEqual([1]);
  expect(await store.audit.about('main', ['o-1'], 5)).toMatchObject([{ action: 'events.resend' }]);
  expect((await site.run('events', 'resend', '2')).exitCode).toBe(64);
});

test('a test webhook needs a secret to be signed with', async () => {
  const { exitCode, stderr } = await site.run('events', 'trigger', '--account', 'main');
  expect([exitCode, stderr]).toEqual([64, expect.stringContaining('has no webhooks.secret')]);
});
