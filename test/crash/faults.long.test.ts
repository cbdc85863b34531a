import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/stage.ts';
import { type Running, startRunning } from './running.ts';

/* The program as it is installed loses Redis, its disk or itself in the middle of a story. */

function redisOf({ redisSocket }: Running): Redis {
  const redis = new Redis({ path: redisSocket(), maxRetriesPerRequest: null });
  redis.on('error', () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

test('Redis is killed several times: it is restarted, and nothing is lost or done twice', async () => {
  const running = await startRunning();
  for (let round = 1; round <= 3; round += 1) {
    const pid = running.redisPid();
    running.order(3);
    process.kill(pid, 'SIGKILL');
    running.order(3);
    await until('another one runs', () => running.redisPid() !== pid);
    await running.exported(round * 6);
  }
  expect(running.daemon.log()).toContain('"kind":"lost"');
  await running.inStep(18);
});

test('Redis is flushed again and again while orders are processed, and nothing is lost or done twice', async () => {
  const running = await startRunning();
  const redis = redisOf(running);
  for (let round = 0; round < 10; round += 1) {
    running.order(2);
    await redis.flushall();
  }
  await running.inStep(20);
});

test('Redis is killed and restarted empty, and nothing is lost or done twice', async () => {
  const running = await startRunning();
  const pid = running.redisPid();
  running.order(6);
  process.kill(pid, 'SIGKILL');
  rmSync(join(running.stage.dir, 'data', 'appendonlydir'), { recursive: true, force: true });
  await until('another one runs', () => running.redisPid() !== pid);
  running.order(6);
  await running.inStep(12);
});

test('a Redis without memory is reported with its fix, and work goes on once it has memory', async () => {
  const running = await startRunning();
  const redis = redisOf(running);
  await redis.config('SET', 'maxmemory', '1');
  running.order(6);
  await running.says(/Redis .*maxmemory/);
  await redis.config('SET', 'maxmemory', '0');
  await running.inStep(6);
});

test('a database that another program locks for longer than any time-out loses nothing', async () => {
  const running = await startRunning();
  const other = new Sqlite(join(running.stage.dir, 'data', 'stockbridge.db'));
  running.order(2);
  other.exec('BEGIN IMMEDIATE');
  running.order(4);
  await until('it says so', () => /database is locked/.test(running.daemon.log()));
  other.exec('ROLLBACK');
  other.close();
  await running.inStep(6);
});

test('the clock is set forward and back by hours and days during lost answers, and nothing is created twice', async () => {
  const clock = fileURLToPath(new URL('shifted-clock.ts', import.meta.url));
  process.env['NODE_OPTIONS'] = `--import=${clock}`;
  const running = await startRunning({ timeout: '2s' }).finally(() => delete process.env['NODE_OPTIONS']);
  const { erp, dir } = running.stage;
  let orders = 0;
  for (const hours of [2, -3, 24 * 40, -24 * 40, 0]) {
    const soFar = running.daemon.log().length;
    erp.control.inject({ kind: 'reset', method: 'POST', path: '/v1/orders' });
    running.order(1);
    await until('its answer is lost', () => running.daemon.log().slice(soFar).includes('will be tried again'));
    writeFileSync(join(dir, 'data', 'clock'), String(hours * 3_600_000));
    running.daemon.process.kill('SIGUSR2');
    running.order(3);
    orders += 4;
    await running.exported(orders);
  }
  await running.inStep(orders);
});
