import { onTestFinished } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { type RedisNode, startNode, startSentinels } from './redis-nodes.ts';
import { until } from './stage.ts';

/** A real server on a port of loopback, in a folder of its own. The server ends with the test that starts it. */
export async function startRedisServer(settings: Readonly<Record<string, string>> = {}): Promise<RedisNode> {
  return ending(await startNode(settings));
}

/** A primary and a replica, and three sentinels that watch over them. They end with the test that starts them. */
export async function startBehindSentinels() {
  return ending(await startSentinels());
}

function ending<Started extends { stop(): Promise<void> }>(started: Started): Started {
  onTestFinished(started.stop);
  return started;
}

const SLOTS = 16_384;

/** A cluster of three nodes without replicas. */
export async function startCluster() {
  const nodes = await Promise.all(
    Array.from({ length: 3 }, async () =>
      startRedisServer({
        'cluster-enabled': 'yes',
        'cluster-config-file': 'nodes.conf',
        'cluster-node-timeout': '5000',
        'cluster-port': `${await freePort()}`,
      }),
    ),
  );
  const [first] = nodes;
  if (first === undefined) throw new Error('no node was started');
  for (const [index, node] of nodes.entries()) {
    const from = Math.ceil((index * SLOTS) / nodes.length);
    const to = Math.ceil(((index + 1) * SLOTS) / nodes.length) - 1;
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    const [bus = ''] = (await node.client.config('GET', 'cluster-port')).slice(1);
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', node.port, bus);
  }
  await until('the cluster stands', async () => {
    const infos = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'INFO')));
    return infos.every((info) => String(info).includes('cluster_state:ok'));
  });
  const [url = '', ...cluster] = nodes.map(({ port }) => `redis://127.0.0.1:${port}`);
  return { nodes, target: { kind: 'cluster', url, cluster } as const };
}
