import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { endServer, startServer } from './redis.ts';
import { until } from './stage.ts';

/** A real server on a port of loopback, in a folder of its own. It ends with the test that starts it. */
export interface RedisServer {
  readonly port: number;
  /** For questions of the test. */
  readonly client: Redis;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  revive(): Promise<void>;
  /** It owes every answer from now on; its connections stay open. */
  freeze(): void;
  thaw(): void;
}

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'redis-servers-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** @param settings beside those that each server of a test has */
export async function startRedisServer(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const port = await freePort();
  const own = { port: `${port}`, bind: '127.0.0.1', dir: newFolder(), save: '', appendonly: 'yes', appendfsync: 'no' };
  const all = { ...own, 'maxmemory-policy': 'noeviction', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 100, maxRetriesPerRequest: null });
  client.on('error', () => {});
  let server = startServer('redis-server', args);
  let pid = 0;
  const answers = async () => {
    pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  };
  onTestFinished(async () => {
    client.disconnect();
    await endServer(server);
  });
  await answers();
  return {
    port,
    client,
    kill: () => endServer(server),
    async revive() {
      server = startServer('redis-server', args);
      await answers();
    },
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
  };
}

export async function makeReplica(server: RedisServer, primary: RedisServer): Promise<void> {
  await server.client.replicaof('127.0.0.1', primary.port);
  await until('the replica has what the primary has', async () =>
    (await server.client.info('replication')).includes('master_link_status:up'),
  );
}

/** The sentinels' name for the primary. */
const PRIMARY = 'stockbridge';
const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 3_000;

/** A primary and a replica, and three sentinels that watch over them. */
export async function startBehindSentinels() {
  const servers = [await startRedisServer(), await startRedisServer()] as const;
  const [first, second] = servers;
  await makeReplica(second, first);
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(first.port)));
  const [asked] = sentinels;
  const port = async () => {
    const answer = (await asked?.client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY)) as [string, string];
    return Number(answer[1]);
  };
  await until('the sentinels know each other and the replica', async () => {
    const facts = await Promise.all(
      sentinels.map(({ client }) => client.call('SENTINEL', 'CKQUORUM', PRIMARY).catch(() => '')),
    );
    const known = (await asked?.client.call('SENTINEL', 'REPLICAS', PRIMARY)) as unknown[];
    return known.length === 1 && facts.every((fact) => String(fact).startsWith(`OK ${SENTINELS}`));
  });
  return {
    target: {
      kind: 'sentinels',
      url: `redis://${PRIMARY}/0`,
      sentinels: sentinels.map((sentinel) => `redis://127.0.0.1:${sentinel.port}`),
    } as const,
    async primary(): Promise<RedisServer> {
      const now = await port();
      return first.port === now ? first : second;
    },
    /** Waits until the sentinels have another primary than this one, which takes writes. */
    async promotedAfter(old: RedisServer): Promise<RedisServer> {
      const other = old === first ? second : first;
      await until('the replica is promoted', async () => {
        return (await port()) === other.port && (await other.client.info('replication')).includes('role:master');
      });
      return other;
    },
  };
}

async function startSentinel(primaryPort: number): Promise<{ readonly port: number; readonly client: Redis }> {
  const port = await freePort();
  const dir = newFolder();
  const file = join(dir, 'sentinel.conf');
  writeFileSync(
    file,
    `port ${port}
bind 127.0.0.1
dir ${dir}
sentinel monitor ${PRIMARY} 127.0.0.1 ${primaryPort} ${QUORUM}
sentinel down-after-milliseconds ${PRIMARY} ${DOWN_AFTER_MS}
sentinel failover-timeout ${PRIMARY} 10000
`,
  );
  const sentinel = startServer('redis-sentinel', [file]);
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 100, maxRetriesPerRequest: null });
  client.on('error', () => {});
  onTestFinished(async () => {
    client.disconnect();
    await endServer(sentinel);
  });
  await client.ping();
  return { port, client };
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
