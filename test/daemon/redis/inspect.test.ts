import { expect, test } from 'vitest';
import { connectForCalls } from '../../../src/daemon/redis/connect.ts';
import { inspectRedis, judgeRedis } from '../../../src/daemon/redis/inspect.ts';
import { startRedis } from '../../support/redis.ts';

const WELL = [
  '# Server',
  'redis_version:7.0.15',
  'maxmemory_policy:noeviction',
  'aof_enabled:1',
  'role:master',
  'cluster_enabled:0',
];

test('a real Redis with the right settings has no problem', async () => {
  const redis = await startRedis();
  const target = { kind: 'private', socket: redis.path } as const;
  const client = connectForCalls(target, () => {});
  expect(await inspectRedis(client, target)).toEqual([]);
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  expect(await inspectRedis(client, target)).toMatchObject([{ about: 'eviction', level: 'problem' }]);
  client.disconnect();
  await redis.stop();
});

test.each([
  ['redis_version:7.0.15', 'redis_version:6.0.16', 'version'],
  ['redis_version:7.0.15', 'redis_version:5.2.0', 'version'],
  ['maxmemory_policy:noeviction', 'maxmemory_policy:volatile-lru', 'eviction'],
  ['aof_enabled:1', 'aof_enabled:0', 'persistence'],
  ['role:master', 'role:slave', 'replica'],
  ['cluster_enabled:0', 'cluster_enabled:1', 'cluster'],
])('the Redis setting %s instead of %s is a problem', (right, wrong, about) => {
  const info = WELL.join('\r\n');
  expect(judgeRedis(info)).toEqual([]);
  expect(judgeRedis(info.replace(right, wrong))).toMatchObject([{ about, level: 'problem' }]);
});

test.each(['6.2.0', '6.10.1', '7.0.0', '10.0.0'])('the Redis version %s is new enough', (version) => {
  expect(judgeRedis(WELL.join('\r\n').replace('7.0.15', version))).toEqual([]);
});

test('a setting that Redis does not state is a warning, never in order', () => {
  expect(judgeRedis('redis_version:7.2.4').map((finding) => finding.level)).toEqual(Array(4).fill('warning'));
});

test('a node of a cluster is recognised and has a replica; so has a primary behind sentinels', () => {
  const info = (...facts: string[]) => [...WELL, 'connected_slaves:0', ...facts].join('\r\n');
  expect(judgeRedis(info('cluster_enabled:1', 'connected_slaves:1'), 'cluster')).toEqual([]);
  expect(judgeRedis(info('connected_slaves:1'), 'cluster')).toMatchObject([{ about: 'cluster', level: 'problem' }]);
  expect(judgeRedis(info('connected_slaves:1'), 'sentinels')).toEqual([]);
  expect(judgeRedis(info(), 'sentinels')).toMatchObject([{ about: 'replica', level: 'warning' }]);
  expect(judgeRedis(info())).toEqual([]);
});
