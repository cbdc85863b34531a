import { expect, vi } from 'vitest';
import { connectForCalls, connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { inspectRedis } from '../../../src/daemon/redis/inspect.ts';
import { run } from '../../cli/capture.ts';
import { disagreements } from '../../support/agreement.ts';
import { needing } from '../../support/needing.ts';
import { startBehindSentinels } from '../../support/redis-servers.ts';
import { useRedisAt } from '../../support/redis-state.ts';
import { sellOne } from '../../support/sell-one.ts';
import { openStage, until } from '../../support/stage.ts';

const { test } = needing('sentinel');

interface Found {
  readonly about: string;
  readonly level: string;
  readonly text: string;
}

test('orders flow on when the primary of Redis dies, and when it hangs: none is lost, none is created twice, no call is refused', async () => {
  const redis = await startBehindSentinels();
  const stage = await openStage({ limits: 'real' });
  const { marketplace, configFile } = stage;
  useRedisAt(stage, redis.target);
  const ofRedis = async (): Promise<Found[]> => {
    const { stdout } = await run(['doctor', '--json', '--config', configFile]);
    return (JSON.parse(stdout) as { findings: Found[] }).findings.filter(({ about }) => about.startsWith('redis'));
  };
  expect(await ofRedis()).toMatchObject([{ level: 'ok', text: expect.stringContaining('the primary stockbridge') }]);

  const { order, times } = sellOne(stage);
  const haveArrived = () => times().every((count) => count >= 1);
  await stage.start();
  await until(
    'the product is on sale',
    () => Number(marketplace.activeProductIds().length === 1 && marketplace.productBySku('SB-0001').available) > 0,
  );
  order();
  await until('the order arrives', haveArrived);

  const first = await redis.primary();
  order();
  await first.kill();
  order();
  const second = await redis.promotedAfter(first);
  order();
  await until('the orders arrive after the primary died', haveArrived);
  expect(await ofRedis()).toMatchObject([{ about: 'redis replica', level: 'warn' }]);

  await first.revive();
  await until('it is a replica now', async () =>
    (await first.client.info('replication')).includes('master_link_status:up'),
  );
  order();
  second.freeze();
  order();
  await redis.promotedAfter(second);
  order();
  await until('the orders arrive after the primary hung', haveArrived);
  second.thaw();
  await until('both sides agree', () => disagreements(stage, 'b').length === 0);
  expect(new Set(times())).toEqual(new Set([1]));
  expect(marketplace.requestLog.statuses()).not.toHaveProperty('429');
});

test('an unreachable sentinel is reported, and the others still lead to the primary', async () => {
  const { target } = await startBehindSentinels();
  const [, ...others] = target.sentinels;
  const said = vi.spyOn(console, 'error');
  const lacking = { ...target, sentinels: ['redis://127.0.0.1:1', ...others] };
  const clients = [connectForCalls(lacking, () => {}), connectForQueue(lacking, () => {})];
  for (const client of clients) expect(await client.set('a key', 'a value')).toBe('OK');
  const [calls] = clients;
  expect(calls === undefined ? [] : await inspectRedis(calls, lacking)).toMatchObject([
    { about: 'sentinel', level: 'warning', message: expect.stringMatching(/^sentinel 127\.0\.0\.1:1: /) },
  ]);
  for (const client of clients) client.disconnect();
  expect(said).not.toHaveBeenCalled();
});
