import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { connectForCalls } from '../../src/daemon/redis/connect.ts';
import { inspectRedis } from '../../src/daemon/redis/inspect.ts';
import { freePort } from '../../src/demo/free-port.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { endServer, startServer } from '../support/redis.ts';
import { until } from '../support/stage.ts';

/** The Redis of the examples with several daemons: its scripts are run. */
const FOLDER = join(import.meta.dirname, '../../config/deploy');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const DAEMONS = 'a-password-of-daemons';
const SERVERS = 'a-password-of-servers';

/** All servers share this machine in a test, so each has a port of its own. */
interface Ports {
  readonly own: number;
  /** The first primary. */
  readonly first: number;
  /** The sentinel that is started, or asked. */
  readonly sentinel: number;
}

/** A folder in which a shipped script is run. */
function place(script: string, { own, first }: Ports) {
  const text = read(`several/${script}`)
    .replace('--port 6379', `--repl-diskless-sync-delay 0 --bind 127.0.0.1 --port ${own}`)
    .replace(/^dir /m, 'bind 127.0.0.1\ndir ')
    .replace('down-after-milliseconds stockbridge 5000', 'down-after-milliseconds stockbridge 1000')
    // Sentinels that voted for different leaders wait twice as long before they vote again.
    .replace('failover-timeout stockbridge 30000', 'failover-timeout stockbridge 3000')
    .replaceAll(' 6379', ` ${first}`);
  const entrypoint = '#!/bin/sh\nexec "$@"\n';
  const path = folderOf({ [script]: text, 'docker-entrypoint.sh': entrypoint });
  chmodSync(path('docker-entrypoint.sh'), 0o755);
  mkdirSync(path('data'));
  return path;
}

/** Runs a script in its place. Returns how it is ended, and how users connect to it. */
function start(
  path: (name: string) => string,
  ports: Ports,
  [script, ...names]: [string, ...string[]],
  daemons = DAEMONS,
) {
  writeFileSync(path('redis-password'), `${daemons}\n`);
  writeFileSync(path('redis-servers-password'), `${SERVERS}\n`);
  const env = [`PATH=${path('.')}:${process.env['PATH']}`, `DATA=${path('data')}`, `SECRETS=${path('.')}`];
  const server = startServer('env', [...env, `SENTINEL_PORT=${ports.sentinel}`, 'sh', path(script), ...names]);
  onTestFinished(() => endServer(server));
  const as = (username: string, password: string): Redis => {
    const patient = { retryStrategy: () => 100, maxRetriesPerRequest: null, enableReadyCheck: false };
    const client = new Redis({ port: ports.own, host: '127.0.0.1', username, password, ...patient });
    client.on('error', () => {});
    onTestFinished(() => client.disconnect());
    return client;
  };
  return { as, end: () => endServer(server) };
}

function startNew(ports: Ports, command: [string, ...string[]]) {
  const path = place(command[0], ports);
  return { ...start(path, ports, command), path };
}

/** Two servers and three sentinels. The second server has another name for this machine. */
async function startAll() {
  const [first, second, one] = [await freePort(), await freePort(), await freePort()];
  const redis = (own: number, name: string) =>
    startNew({ own, first, sentinel: one }, ['redis.sh', name, 'localhost', 'localhost']);
  const sentinel = (own: number) => startNew({ own, first, sentinel: own }, ['sentinel.sh', 'localhost', 'localhost']);
  const primary = redis(first, 'localhost');
  const replica = redis(second, '127.0.0.1');
  const following = replica.as('stockbridge', DAEMONS);
  // A sentinel looks for replicas when it starts, and then every ten seconds.
  await until('the replica follows', async () => (await following.info('replication')).includes('link_status:up'));
  const sentinels = [sentinel(one), sentinel(await freePort()), sentinel(await freePort())] as const;
  const asking = sentinels[0].as('stockbridge', DAEMONS);
  const primaryNow = async () => String(await asking.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'stockbridge'));
  // Only an operator may ask a sentinel for what it knows. What it has learnt stays in its file.
  const known = (path: (name: string) => string) =>
    existsSync(path('data/sentinel.conf')) &&
    readFileSync(path('data/sentinel.conf'), 'utf8').match(/^sentinel known-(replica|sentinel) /gm)?.length === 3;
  await until('the sentinels know each other and the replica', () => sentinels.every(({ path }) => known(path)));
  const by = `stockbridge:${DAEMONS}@`;
  const target = {
    kind: 'sentinels' as const,
    url: `redis://${by}stockbridge/0`,
    sentinels: [`redis://${by}localhost:${one}`],
  };
  return { primary, replica, target, primaryNow, second };
}

needing('sentinel').test(
  'a daemon finds the primary by its password, and follows when the sentinels agree on another',
  async () => {
    const { primary, replica, target, primaryNow, second } = await startAll();
    const daemon = connectForCalls(target, () => {});
    onTestFinished(() => daemon.disconnect());
    await until('the replica is there', async () => (await daemon.info('replication')).includes('state=online'));
    expect(await inspectRedis(daemon, target)).toEqual([]);
    await daemon.set('stockbridge:told', 'before');
    const there = replica.as('stockbridge', DAEMONS);
    await until('the replica has it', async () => (await there.get('stockbridge:told')) === 'before');
    await primary.end();
    await until('the replica is promoted', async () => (await primaryNow()) === `127.0.0.1,${second}`);
    await until('the daemon writes there', async () => {
      const answer = await daemon.set('stockbridge:told', 'after').catch(() => '');
      return answer === 'OK' && (await there.get('stockbridge:told')) === 'after';
    });
  },
  60_000,
);

needing('sentinel').test.each([
  ['redis.sh', 'default', 'INFO', 'GET stockbridge', 'SUBSCRIBE __sentinel__:hello'],
  ['redis.sh', 'stockbridge', 'FLUSHALL', 'CONFIG GET *', 'SET another 1', 'REPLICAOF NO ONE', 'PSYNC ? -1'],
  ['redis.sh', 'servers', 'GET stockbridge', 'SET stockbridge 1', 'CONFIG SET dir /', 'ACL LIST'],
  ['sentinel.sh', 'default', 'SENTINEL MASTERS', 'SUBSCRIBE +switch-master', 'PUBLISH __sentinel__:hello 1'],
  ['sentinel.sh', 'stockbridge', 'SENTINEL FAILOVER stockbridge', 'SENTINEL REMOVE stockbridge', 'ACL LIST'],
  ['sentinel.sh', 'servers', 'SENTINEL FAILOVER stockbridge', 'SENTINEL RESET *', 'ACL LIST'],
] as const)('%s: the user %s may do only what its health check needs', async (script, user, ...commands) => {
  const own = await freePort();
  const server = startNew({ own, first: own, sentinel: own }, [script, 'localhost', 'localhost']);
  const client = server.as(user, { default: '', stockbridge: DAEMONS, servers: SERVERS }[user]);
  expect(await client.ping()).toBe('PONG');
  for (const command of commands) {
    const [name = '', ...args] = command.split(' ');
    await expect(client.call(name, ...args), command).rejects.toThrow('NOPERM');
  }
});

needing('sentinel').test('a Redis server that is started follows the primary that a sentinel names', async () => {
  const [first, own, sentinel] = [await freePort(), await freePort(), await freePort()];
  startNew({ own: first, first, sentinel }, ['redis.sh', 'localhost', 'localhost']);
  const watching = startNew({ own: sentinel, first, sentinel }, ['sentinel.sh', 'localhost', 'localhost']);
  const asking = watching.as('stockbridge', DAEMONS);
  await until('it watches', async () =>
    String(await asking.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'stockbridge')).startsWith('localhost,'),
  );
  const late = startNew({ own, first, sentinel }, ['redis.sh', 'another', 'nobody.example', 'localhost']);
  const following = late.as('stockbridge', DAEMONS);
  await until('it follows', async () => (await following.info('replication')).includes('link_status:up'));
});

needing('sentinel').test('a sentinel that is restarted has the current passwords', async () => {
  const own = await freePort();
  const ports = { own, first: await freePort(), sentinel: own };
  const path = place('sentinel.sh', ports);
  const run = (password: string) => start(path, ports, ['sentinel.sh', 'localhost', 'localhost'], password);
  const before = run('the-first-password');
  expect(await before.as('stockbridge', 'the-first-password').ping()).toBe('PONG');
  await before.end();
  const after = run('the-second-password');
  expect(await after.as('stockbridge', 'the-second-password').ping()).toBe('PONG');
  const late = new Redis({ port: own, host: '127.0.0.1', retryStrategy: () => null, enableReadyCheck: false });
  onTestFinished(() => late.disconnect());
  await expect(late.call('AUTH', 'stockbridge', 'the-first-password')).rejects.toThrow('WRONGPASS');
  const kept = readFileSync(path('data/sentinel.conf'), 'utf8').split('\n');
  expect(kept.filter((line) => line.startsWith('sentinel auth-pass'))).toHaveLength(1);
});

test('a daemon may do the same with one Redis as with several', () => {
  const rights = (text: string) => /\+@read [^#]*?client\|setname/.exec(text)?.[0].split(/[\s\\]+/);
  expect(rights(read('several/redis.sh'))).toEqual(rights(read('compose/compose.yaml')));
  expect(rights(read('several/redis.sh'))).toContain('-@dangerous');
});
