import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { accountPrefix, queuePrefix } from '../../src/core/state.ts';
import { createQueue, type Job, startWorkers, UnretryableError } from '../../src/daemon/queue/queue.ts';
import { inspectRedis } from '../../src/daemon/redis/inspect.ts';
import { createGovernor } from '../../src/marketplace/governor.ts';
import { SILENT } from '../marketplace/governor-ask.ts';
import { endServer, startServer } from '../support/redis.ts';
import { until } from '../support/stage.ts';

const FILE = join(import.meta.dirname, '../../config/deploy/compose/compose.yaml');
const PASSWORD = 'a-password-of-the-test';

/** The Redis of compose.yaml, by its own command; its folder, its port and its secret are those of the test. */
async function serve(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'acl-'));
  writeFileSync(join(dir, 'password'), PASSWORD);
  const { services } = parseYaml(readFileSync(FILE, 'utf8')) as { services: { redis: { command: string[] } } };
  const [shell = '', flag = '', text = ''] = services.redis.command;
  expect(text, 'the entrypoint of the image gives up the rights of root').toContain(
    'exec docker-entrypoint.sh redis-server ',
  );
  const own = text
    .replace('docker-entrypoint.sh ', '')
    .replace('/run/secrets/redis-password', join(dir, 'password'))
    .replaceAll('$$', () => '$');
  const server = startServer(shell, [flag, `${own} --port 0 --save '' --dir ${dir} --unixsocket ${dir}/s`]);
  onTestFinished(async () => {
    await endServer(server);
    rmSync(dir, { recursive: true, force: true });
  });
  const everybody = new Redis(`${dir}/s`, { enableReadyCheck: false });
  everybody.on('error', () => {});
  onTestFinished(() => everybody.disconnect());
  await until('it answers', async () => (await everybody.ping().catch(() => '')) === 'PONG');
  await expect(everybody.get('stockbridge')).rejects.toThrow('NOPERM');
  return `${dir}/s`;
}

test('the user of the shipped Redis may do all that the daemon does, on its own keys, and nothing else', async () => {
  const path = await serve();
  const connection = new Redis(path, { username: 'stockbridge', password: PASSWORD, maxRetriesPerRequest: null });
  onTestFinished(() => connection.disconnect());
  const trouble: Error[] = [];
  const prefix = accountPrefix(queuePrefix('an-installation'), 'main');
  const queue = createQueue(connection, prefix, (error) => trouble.push(error));
  const seen: string[] = [];
  const handle = async ({ key }: Job, { number }: { number: number }) => {
    seen.push(key);
    if (key === 'hopeless') throw new UnretryableError('no');
    if (key === 'again' && number === 1) throw new Error('not yet');
    return key === 'later' && seen.filter((one) => one === 'later').length === 1 ? { delayMs: 10 } : 'done';
  };
  const workers = startWorkers(connection, prefix, { handle, trouble: (error) => trouble.push(error) });
  const job = (key: string, name = 'order-in'): Job => ({ account: 'main', name, key, lane: 'poll' });
  await queue.enqueue([job('once'), job('again'), job('later'), job('hopeless'), job('list', 'read:orders')]);
  await queue.enqueue([job('once'), job('once')]);
  await until('all was done', () => ['once', 'again', 'later', 'list'].every((key) => seen.includes(key)));
  await until('again and later came twice', () => seen.filter((key) => /again|later/.test(key)).length === 4);
  expect([await queue.active(), await queue.silentFor(1_000)]).toEqual([0, []]);
  await workers.stop(1_000);
  await queue.enqueue([job('left')]);
  await queue.clear();
  await queue.close();
  for (const mayForget of [false, true]) {
    const limits = { perSecond: 8, perMinute: 300 };
    const governor = createGovernor({ redis: connection, owner: `${mayForget}`, limits, maxWaitMs: 5_000, mayForget });
    await governor.begin();
    const grant = await governor.acquire('poll');
    await governor.observe({ ...SILENT, status: 429, retryAfterMs: 1 });
    await grant.giveBack();
    await governor.acquire('poll');
    expect(await governor.usage()).toMatchObject({ untrueAgoMs: null });
  }
  await inspectRedis(connection, { kind: 'private', socket: path });
  expect(trouble).toEqual([]);
  for (const [command, ...args] of [['CONFIG', 'GET', '*'], ['FLUSHALL'], ['KEYS', '*'], ['SET', 'another', '1']])
    await expect(connection.call(String(command), ...args)).rejects.toThrow('NOPERM');
}, 60_000);
