import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendCommand } from '../../src/daemon/redis/send-command.ts';
import { socketOf } from '../../src/daemon/redis/target.ts';
import { acquireLocks } from '../../src/store/sqlite/lock.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { startRedis } from '../support/redis.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';
import { run } from './capture.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let stage: Stage;

async function open(options: StageOptions = {}) {
  stage = await openStage(options);
}

const start = (...args: string[]) => startDaemon(stage.configFile, ...args);

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

function lines(daemon: Daemon): Line[] {
  const whole = daemon.log().split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

const said = (daemon: Daemon, msg: string) => () => lines(daemon).find((line) => line.msg === msg);

/** The addresses at which the started daemon listens. */
async function started(daemon: Daemon) {
  const line = await until('it has started', said(daemon, 'started'));
  return line as Line & { admin: string; webhooks: string };
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}

/** The process id of the private Redis that the daemon started. */
function redisOf(daemon: Daemon): number {
  const told = lines(daemon).find((line) => line.msg === 'private redis-server');
  if (told === undefined) throw new Error('no Redis was started');
  return (told['redis'] as { pid: number }).pid;
}

async function nothingLeft(): Promise<string> {
  return sendCommand(await socketOf(join(stage.dir, 'data')), 'PING', 1_000);
}

/** A real Redis behind an address that stays the same when the server comes and goes. */
async function openRedisOnTcp() {
  const redis = await startRedis();
  const door = createServer((client) => {
    const server = connect(redis.path);
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  onTestFinished(async () => {
    door.close();
    await redis.stop();
  });
  const { port } = door.address() as { port: number };
  return { address: `127.0.0.1:${port}`, kill: redis.kill, revive: redis.revive };
}

test('the daemon prints its address, logs every write, and drains on SIGTERM without leaving a child', async () => {
  await open();
  stage.erp.control.seed(3);
  const daemon = start();
  const { admin, webhooks, roles, accounts } = await started(daemon);
  expect([roles, accounts]).toEqual([['poll', 'receive', 'work', 'admin'], ['main']]);
  expect((await fetch(`${admin}/livez`)).status).toBe(200);
  expect((await fetch(`${webhooks}/webhooks/main/orders`, { method: 'POST', body: '{}' })).status).toBe(401);
  const created = await until('a write is told', () =>
    lines(daemon).find((line) => line['action'] === 'product.create:create' && line['key'] === 'P-000001'),
  );
  expect(created).toMatchObject({ level: 'info', account: 'main', flow: 'product', outcome: 'written' });
  expect(created).toMatchObject({ msg: 'written', fields: expect.arrayContaining(['sku', 'quantity']) as unknown });
  const redis = redisOf(daemon);
  expect(isAlive(redis)).toBe(true);
  expect(await daemon.terminate()).toBe(0);
  expect(lines(daemon).at(-1)?.msg).toBe('stopped');
  expect(isAlive(redis)).toBe(false);
  expect(await nothingLeft()).toBe('nobody');
});

test('the daemon finishes the write in progress before it ends', async () => {
  await open();
  stage.erp.control.seed(1);
  stage.marketplace.faults.set({ kind: 'delay-after', operation: 'products.create', ms: 1_500 });
  const daemon = start();
  await until('the create is on its way', () => stage.marketplace.products().length > 0);
  expect(await daemon.terminate()).toBe(0);
  expect(lines(daemon).map(({ action }) => action)).toContainEqual(expect.stringMatching(/^product\.create/));
  const facts = JSON.parse((await run(['status', '--json', '--config', stage.configFile])).stdout) as {
    accounts: [{ needs: unknown[] }];
  };
  expect(facts.accounts[0].needs).toEqual([]);
});

test('the daemon ends at once with a second signal, and its Redis with it', async () => {
  await open();
  stage.erp.control.seed(1);
  stage.marketplace.faults.set({ kind: 'delay-before', operation: 'products.create', ms: 60_000 });
  const daemon = start();
  await until('the create hangs', () => lines(daemon).some(({ msg }) => msg === 'started'));
  await until('the create is in progress', async () => {
    const shown = await run(['status', '--config', stage.configFile]);
    return /product +1 /.test(shown.stdout);
  });
  daemon.process.kill('SIGTERM');
  await until('it drains', () => lines(daemon).find(({ signal }) => signal === 'SIGTERM'));
  const redis = redisOf(daemon);
  daemon.process.kill('SIGTERM');
  const [code] = (await once(daemon.process, 'exit')) as [number];
  expect(code).toBe(143);
  await until('its Redis is gone', () => !isAlive(redis));
});

test('the daemon with refused credentials keeps running, says what to do, and is not ready', async () => {
  await open();
  writeFileSync(
    stage.configFile,
    readFileSync(stage.configFile, 'utf8').replace(stage.marketplace.key, 'wrong-key-canary'),
  );
  const daemon = start();
  const { admin } = await started(daemon);
  const readiness = await until('it is found out', async () => {
    const { reasons } = (await (await fetch(`${admin}/readyz`)).json()) as { reasons: string[] };
    return reasons.find((reason) => reason.includes('refuses the credentials'));
  });
  expect(readiness).toContain('main: the marketplace refuses the credentials');
  expect(readiness).toContain('check marketplace.auth');
  expect((await fetch(`${admin}/readyz`)).status).toBe(503);
  expect((await fetch(`${admin}/livez`)).status).toBe(200);
  expect(lines(daemon)).toContainEqual(expect.objectContaining({ level: 'error', state: 'credentials' }));
  expect(daemon.log()).not.toContain('wrong-key-canary');
  expect(await daemon.terminate()).toBe(0);
});

test('the daemon waits for an external Redis, and stops also while it is down', async () => {
  await open();
  stage.erp.control.seed(1);
  const redis = await openRedisOnTcp();
  await redis.kill();
  const yaml = readFileSync(stage.configFile, 'utf8');
  const dir = `dir: ${stage.dir}/data`;
  writeFileSync(stage.configFile, yaml.replace(dir, `${dir}, redis: "redis://${redis.address}"`));
  const daemon = start();
  const reasons = await until('it answers', async () => {
    const url = lines(daemon).find((line) => 'admin.listen' in line)?.['admin.listen'];
    if (typeof url !== 'string') return null;
    return ((await (await fetch(`${url}/readyz`)).json()) as { reasons: string[] }).reasons;
  });
  expect(reasons).toContain('Redis does not answer: check the server, or state.redis');
  await redis.revive();
  await until('the product is listed', () => stage.marketplace.products().length === 1);
  const before = lines(daemon).length;
  await redis.kill();
  await until('it is noticed', () =>
    lines(daemon)
      .slice(before)
      .find(({ msg }) => msg === 'Redis is in trouble'),
  );
  expect(await daemon.terminate()).toBe(0);
});

test("the daemon's roles can be split over two processes of one data folder", async () => {
  await open();
  stage.erp.control.seed(1);
  const front = start('--role', 'receive,admin');
  const { admin, webhooks } = await started(front);
  expect(webhooks).toMatch(/^http/);
  expect(stage.marketplace.requestLog.total()).toBe(0);
  const back = start('--role', 'poll,work');
  expect(await started(back)).toMatchObject({ roles: ['poll', 'work'], admin: null, webhooks: null });
  await until('the product is listed', () => stage.marketplace.products().length === 1);
  expect((await fetch(`${admin}/metrics`)).status).toBe(200);
  expect(await front.terminate()).toBe(0);
  // The first daemon started Redis. The second one takes it over and goes on.
  stage.erp.control.setStock('SB-0001', '7');
  await until('stock is written', () => stage.marketplace.productBySku('SB-0001').available === '7');
  expect(await back.terminate()).toBe(0);
  expect(await nothingLeft()).toBe('nobody');
});

test('the log of the daemon goes to a file as JSON, at the configured level', async () => {
  await open();
  stage.erp.control.seed(1);
  const path = join(stage.dir, 'daemon.log');
  const daemon = start('--log-level', 'debug', '--log-file', path);
  const file = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await until('it has started', () => file().includes('"msg":"started"'));
  await until('the product is listed', () => stage.marketplace.products().length === 1);
  expect(await daemon.terminate()).toBe(0);
  for (const line of file().trimEnd().split('\n')) JSON.parse(line);
  expect(daemon.log()).toBe('');
});

test('the log of the daemon has the address as it is bound', async () => {
  await open();
  const yaml = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, yaml.replace('webhooks: { listen: 127.0.0.1:0 }', 'webhooks: { listen: 0.0.0.0:0 }'));
  const daemon = start('--role', 'receive');
  expect((await started(daemon)).webhooks).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  expect(await daemon.terminate()).toBe(0);
});

test('the log of the daemon warns of held keys', async () => {
  await open();
  const price = { amount: '5.00', currency: 'EUR' };
  stage.erp.control.addProducts([
    { sku: 'SB-1', name: 'Tea', description: '', price, unit_multiplier: '1', on_hand: '3' },
  ]);
  const daemon = start();
  await until('it is held', () => lines(daemon).find(({ msg }) => msg === 'held'));
  expect(lines(daemon).find(({ msg }) => msg === 'held')).toMatchObject({ level: 'warn', account: 'main' });
  expect(await daemon.terminate()).toBe(0);
});

describe('a trouble that keeps it from starting', () => {
  const attempt = async (args: string[] = [], env: Record<string, string | undefined> = process.env) => {
    const child = spawn(process.execPath, [MAIN, 'run', '--config', stage.configFile, ...args], { env });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const told = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    return { code: child.exitCode, stdout, told };
  };

  test('the daemon exits 75 when another process has its lock', async () => {
    await open();
    const lock = acquireLocks(join(stage.dir, 'data'), ['work']);
    const { code, stdout, told } = await attempt();
    lock.release();
    expect([code, stdout]).toEqual([75, '']);
    expect(told[0]).toContain(`another stockbridge (process ${process.pid}) has the role "work"`);
  });

  test('the daemon exits 69 without redis-server, and says what to install', async () => {
    await open();
    const bin = mkdtempSync(join(tmpdir(), 'bin-'));
    symlinkSync(process.execPath, join(bin, 'node'));
    const { code, told } = await attempt([], { PATH: bin });
    rmSync(bin, { recursive: true });
    expect(code).toBe(69);
    expect(told[0]).toContain('redis-server is not installed: install it');
  });

  test('the daemon exits 1 when its address is taken, names the setting, and leaves no child', async () => {
    await open();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const yaml = readFileSync(stage.configFile, 'utf8');
    writeFileSync(
      stage.configFile,
      yaml.replace('webhooks: { listen: 127.0.0.1:0 }', `webhooks: { listen: "127.0.0.1:${port}" }`),
    );
    const { code, told } = await attempt();
    taken.close();
    expect(code).toBe(1);
    expect(told).toEqual([
      `stockbridge: cannot listen on 127.0.0.1:${port}: another program listens there. Stop it, or set webhooks.listen to another address.`,
    ]);
    expect(await nothingLeft()).toBe('nobody');
  });

  test('the daemon exits 64 for an unknown role', async () => {
    await open();
    const { exitCode, stderr } = await run(['run', '--role', 'poll,wrok', '--config', stage.configFile]);
    expect(exitCode).toBe(64);
    expect(stderr).toContain('"wrok" is no role; did you mean "work"? Roles are poll, receive, work, admin.');
  });
});
