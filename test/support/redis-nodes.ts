import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../src/demo/free-port.ts';
import { programOf } from './parts.ts';
import { endServer, startServer } from './redis.ts';

const LIMIT_MS = 90_000;
const LOOK_EVERY_MS = 20;

/** A real server on a port of loopback, in a folder of its own. */
export interface RedisNode {
  readonly port: number;
  /** For questions of the test. */
  readonly client: Redis;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  /** Starts the server again on the same port and data. */
  revive(): Promise<void>;
  /** From now on, the server does not answer. Its connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'redis-nodes-'));

function connected(port: number): Redis {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 100, maxRetriesPerRequest: null });
  client.on('error', () => {});
  return client;
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + LIMIT_MS; !(await condition()); await sleep(LOOK_EVERY_MS)) {
    if (performance.now() > endMs) throw new Error(`it did not come to this: ${what}`);
  }
}

/** @param settings in addition to those of every server of a test */
export async function startNode(settings: Readonly<Record<string, string>> = {}): Promise<RedisNode> {
  const port = await freePort();
  const dir = newFolder();
  const own = { port: `${port}`, bind: '127.0.0.1', dir, save: '', appendonly: 'yes', appendfsync: 'no' };
  const all = { ...own, 'maxmemory-policy': 'noeviction', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const client = connected(port);
  let server = startServer('redis-server', args);
  let pid = 0;
  const answers = async () => {
    pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  };
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
    async stop() {
      client.disconnect();
      await endServer(server);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function makeReplica(server: RedisNode, primary: RedisNode): Promise<void> {
  await server.client.replicaof('127.0.0.1', primary.port);
  await untilReplica(server);
}

const untilReplica = (server: RedisNode): Promise<void> =>
  until('the replica has what the primary has', async () =>
    (await server.client.info('replication')).includes('master_link_status:up'),
  );

/** The sentinels' name for the primary. */
const PRIMARY = 'stockbridge';
const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 3_000;

/** A primary and a replica, and three sentinels that watch over them. */
export async function startSentinels() {
  const servers = [await startNode(), await startNode()] as const;
  const [first, second] = servers;
  await makeReplica(second, first);
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(first.port)));
  const [asked] = sentinels;
  const port = async () => {
    const answer = (await asked?.client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY)) as [string, string];
    return Number(answer[1]);
  };
  const otherThan = (one: RedisNode): RedisNode => (one === first ? second : first);
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
    async primary(): Promise<RedisNode> {
      const now = await port();
      return first.port === now ? first : second;
    },
    /** Waits until the sentinels have promoted another primary than this one, and it takes writes. */
    async promotedAfter(old: RedisNode): Promise<RedisNode> {
      const other = otherThan(old);
      await until('the replica is promoted', async () => {
        return (await port()) === other.port && (await other.client.info('replication')).includes('role:master');
      });
      return other;
    },
    /** Waits until the sentinels have made the old primary follow the new one. */
    followsAgain: (old: RedisNode): Promise<void> => untilReplica(old),
    async stop(): Promise<void> {
      await Promise.all([...servers, ...sentinels].map((one) => one.stop()));
    },
  };
}

async function startSentinel(primaryPort: number): Promise<Pick<RedisNode, 'port' | 'client' | 'stop'>> {
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
  const sentinel = startServer(programOf('sentinel'), [file]);
  const client = connected(port);
  await client.ping();
  return {
    port,
    client,
    async stop() {
      client.disconnect();
      await endServer(sentinel);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
