import { Cluster } from 'ioredis';
import { answering, openSentinels, primaryOf, type RedisClient, WITHOUT_RETRY } from './connect.ts';
import type { BehindSentinels, RedisTarget } from './target.ts';

/** A fault of a Redis for this daemon, and what to do. A `problem` loses work; a `warning` may. */
export interface RedisFinding {
  readonly about: 'version' | 'eviction' | 'persistence' | 'replica' | 'cluster' | 'sentinel';
  readonly level: 'problem' | 'warning';
  readonly message: string;
}

const OLDEST = { major: 6, minor: 2 };

/**
 * Checks every primary of a cluster, and the sentinels. Needs the rights INFO, in a cluster CLUSTER INFO, at sentinels
 * SENTINEL CKQUORUM.
 * @returns an empty list if nothing was found
 * @throws Error when it does not answer
 */
export async function inspectRedis(client: RedisClient, target: RedisTarget): Promise<RedisFinding[]> {
  await answering(client);
  if (client instanceof Cluster) return inspectCluster(client);
  const found = judgeRedis(await client.info(), target.kind);
  return target.kind === 'sentinels' ? [...found, ...(await inspectSentinels(target))] : found;
}

async function inspectCluster(client: Cluster): Promise<RedisFinding[]> {
  const ofNodes = client.nodes('master').map(async (node) => {
    const { host, port } = node.options;
    const found = judgeRedis(await node.info(), 'cluster');
    return found.map((one) => ({ ...one, message: `node ${host}:${port}: ${one.message}` }));
  });
  const state = /^cluster_state:(\S*)/m.exec(String(await client.cluster('INFO')))?.[1];
  const message = `its state is ${state}: some keys have no node. "redis-cli --cluster check" says which`;
  const lacks: RedisFinding[] = state === 'ok' ? [] : [{ about: 'cluster', level: 'problem', message }];
  return [...(await Promise.all(ofNodes)).flat(), ...lacks];
}

async function inspectSentinels(target: BehindSentinels): Promise<RedisFinding[]> {
  const asked = openSentinels(target, WITHOUT_RETRY).map(async ({ place, client }): Promise<RedisFinding[]> => {
    try {
      await client.call('SENTINEL', 'CKQUORUM', primaryOf(target));
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [{ about: 'sentinel', level: 'warning', message: `sentinel ${place}: ${why}` }];
    } finally {
      client.disconnect();
    }
  });
  return (await Promise.all(asked)).flat();
}

/**
 * Judges the answer of INFO. A missing value is a warning, because unknown is not the same as fine.
 * @param kind how the server is used
 */
export function judgeRedis(info: string, kind: RedisTarget['kind'] = 'server'): RedisFinding[] {
  const facts = new Map(info.split(/\r?\n/).map((line) => splitOnce(line, ':')));
  const found: RedisFinding[] = [];
  const expect = (about: RedisFinding['about'], name: string, well: (value: string) => boolean, mend: string): void => {
    const value = facts.get(name);
    if (value === undefined)
      found.push({ about, level: 'warning', message: `Redis does not tell its ${name}: ${mend}` });
    else if (!well(value)) found.push({ about, level: 'problem', message: `Redis has ${name} ${value}: ${mend}` });
  };
  expect('version', 'redis_version', isNewEnough, `it must be ${OLDEST.major}.${OLDEST.minor} or later`);
  expect(
    'eviction',
    'maxmemory_policy',
    is('noeviction'),
    'set maxmemory-policy to noeviction, or waiting work is thrown away',
  );
  expect(
    'persistence',
    'aof_enabled',
    is('1'),
    'set appendonly to yes, or the record of the quota is lost with a restart',
  );
  expect('replica', 'role', is('master'), 'it takes no writes: set state.redis to the primary');
  if (kind === 'cluster') {
    expect('cluster', 'cluster_enabled', is('1'), 'it is no node of a cluster: leave state.redis_cluster out');
  } else {
    expect('cluster', 'cluster_enabled', is('0'), 'it is a node of a cluster: set state.redis_cluster as well');
  }
  if ((kind === 'cluster' || kind === 'sentinels') && facts.get('connected_slaves') === '0') {
    const message = 'Redis has no replica: nothing takes its place when it dies. Start one, or leave it so knowingly';
    found.push({ about: 'replica', level: 'warning', message });
  }
  return found;
}

function is(wanted: string): (value: string) => boolean {
  return (value) => value === wanted;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

function splitOnce(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
