import { afterEach, expect, test } from 'vitest';
import { createLogger } from '../../src/logging.ts';
import { startSchedule } from '../../src/producers/schedule.ts';
import { accountConfig } from '../reconcile/account.ts';
import { until } from '../support/stage.ts';

const log = createLogger({ level: 'silent', secrets: [] });
let stop = () => {};
afterEach(() => stop());

const config = accountConfig({
  marketplace: {
    base_url: 'http://marketplace.test',
    auth: { scheme: 'app', key: 'a-key' },
    seller_id: 4711,
    poll: { orders: '1h', products: '1h' },
    limits: { per_second: 1000, per_minute: 60000 },
  },
});

test('while webhooks of a kind are silent, only that kind is polled more often', async () => {
  const reads: string[] = [];
  const enqueue = async (jobs: readonly { name: string }[]) => {
    reads.push(...jobs.map(({ name }) => name));
  };
  const silenceMs = async (_account: string, kind: string) => (kind === 'orders' ? 24 * 60 * 60_000 : null);
  stop = startSchedule([config], { enqueue }, log, silenceMs).stop;
  const count = (name: string) => reads.filter((read) => read === name).length;
  await until('orders are polled again and again', () => count('read:orders') > 5);
  // At the start, and not again for an hour.
  expect(count('read:products')).toBe(1);
});
