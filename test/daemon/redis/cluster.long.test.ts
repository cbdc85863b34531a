import { expect, onTestFinished, test } from 'vitest';
import { accountPrefix } from '../../../src/core/state.ts';
import { createQueue, startWorkers } from '../../../src/daemon/queue/queue.ts';
import { connectForCalls, connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { inspectRedis } from '../../../src/daemon/redis/inspect.ts';
import { createGovernor } from '../../../src/marketplace/governor.ts';
import { disagreements } from '../../support/agreement.ts';
import { startCluster } from '../../support/redis-servers.ts';
import { useRedisAt } from '../../support/redis-state.ts';
import { sellOne } from '../../support/sell-one.ts';
import { openStage, until } from '../../support/stage.ts';

type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** The keys of each node. */
const keysOf = ({ nodes }: Cluster) => Promise.all(nodes.map(({ client }) => client.keys('*')));

test('the queue of an account is in one slot, and so is the quota of an API key: every script stays within it', async () => {
  const cluster = await startCluster();
  const [calls, queues] = [connectForCalls(cluster.target, () => {}), connectForQueue(cluster.target, () => {})];
  const accounts = Array.from({ length: 12 }, (_, index) => `brand-${index}`);
  const done: string[] = [];
  const trouble = (error: Error) => done.push(String(error));
  const handle = async ({ account }: { account: string }) => {
    done.push(account);
    return 'done' as const;
  };
  for (const account of accounts) {
    const prefix = accountPrefix('stockbridge-of-a-test', account);
    const queue = createQueue(queues, prefix, trouble);
    const workers = startWorkers(queues, prefix, { handle, trouble });
    onTestFinished(async () => {
      await workers.stop(1_000);
      await queue.close();
    });
    await queue.clear();
    await queue.enqueue([{ account, name: 'order-in', key: '1', lane: 'poll' }]);
    const limits = { perSecond: 8, perMinute: 300 };
    const governor = createGovernor({ redis: calls, owner: account, limits, mayForget: true, maxWaitMs: 60_000 });
    await governor.acquire('operator');
    expect(await governor.usage()).toMatchObject({ perMinute: { used: 1 } });
  }
  onTestFinished(() => {
    calls.disconnect();
    queues.disconnect();
  });
  await until('every job has been worked', () => done.length >= accounts.length);
  expect(done.toSorted()).toEqual(accounts.toSorted());
  const keys = await keysOf(cluster);
  for (const ofNode of keys) expect(ofNode.length).toBeGreaterThan(0);
  const [node] = cluster.nodes;
  if (node === undefined) throw new Error('the cluster has no node');
  for (const account of accounts) {
    for (const mark of [`/${account}}`, `{${account}}`]) {
      const own = keys.flat().filter((key) => key.includes(mark));
      const slots = await Promise.all(own.map((key) => node.client.call('CLUSTER', 'KEYSLOT', key)));
      expect(new Set(slots).size).toBe(1);
    }
  }
  expect(await inspectRedis(calls, cluster.target)).toMatchObject(
    Array.from({ length: 3 }, () => ({ about: 'replica', level: 'warning' })),
  );
});

test('orders flow through a cluster, also after a node was restarted: none is lost, none is created twice', async () => {
  const cluster = await startCluster();
  const stage = await openStage({ limits: 'real' });
  const { marketplace } = stage;
  useRedisAt(stage, cluster.target);
  const { order, times } = sellOne(stage);
  const app = await stage.start();
  await until(
    'the product is on sale',
    () => Number(marketplace.activeProductIds().length === 1 && marketplace.productBySku('SB-0001').available) > 0,
  );
  for (const node of cluster.nodes) {
    order();
    await node.kill();
    order();
    await node.revive();
    await until('the orders arrive', () => times().every((count) => count >= 1));
  }
  await until('both sides agree', () => disagreements(stage, 'b').length === 0);
  await until('it is ready again', async () => (await app.readiness()).ready);
  expect(new Set(times())).toEqual(new Set([1]));
  expect(marketplace.requestLog.statuses()).not.toHaveProperty('429');
});
