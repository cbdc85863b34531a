import SqliteDatabase from 'better-sqlite3';
import { beforeEach, expect, test, vi } from 'vitest';
import { databasePath } from '../../src/store/sqlite/database.ts';
import { openStage } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation } from './installation.ts';

vi.mock('../../src/use/mapping/afresh.ts', () => import('./both-sides-know.ts'));

let site: ReturnType<typeof installation>;
beforeEach(async () => {
  site = installation();
  (await site.open()).close();
  await site.run('pause', 'stock', '--reason', 'stocktaking');
  await site.run('map', 'link', 'product', '7', 'P-1');
});

const actions = async () =>
  ((await site.json('audit', 'list')) as { action: string; outcome: string }[]).map(({ action }) => action);

test('the acts of operators are listed, with who and when', async () => {
  const { exitCode, stdout } = await site.run('audit', 'list');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^1 \d{4}-\S+ \S+Z \S+ pause writes of stock: - -> paused: stocktaking; done\n2 /);
  expect(stdout).toMatch(/\n2 .* map\.link link of product P-1: - -> marketplace 7 - ERP P-1; done\n$/);
  expect((await site.run('audit', 'list', '--limit', '1')).stdout).toMatch(/^2 /);
  const [, last] = (await site.json('audit', 'list')) as object[];
  expect(last).toMatchObject({ id: 2, account: 'main', action: 'map.link', outcome: 'done', result_of: null });
  for (const odd of [
    ['--limit', '0'],
    ['--account', 'nobody'],
  ]) {
    expect((await site.run('audit', 'list', ...odd)).exitCode).toBe(64);
  }
});

test('every act of every verb is in the audit log, and the whole log verifies', async () => {
  await site.run('resume', 'stock');
  await site.run('map', 'unlink', 'product', 'P-1');
  const { store } = await site.open();
  const target = { account: 'main', flow: 'order-in', key: 'N-1' };
  for (const verb of ['replay', 'discard']) {
    await store.work.mark([target], 'poll', 'seen');
    await store.work.fail(target, (await store.work.get(target))?.version ?? 0, 'erp-refused', 'no', 1);
    expect((await site.run('jobs', verb, 'order-in/N-1')).exitCode).toBe(0);
  }
  expect(await actions()).toEqual([
    'pause',
    'map.link',
    'resume',
    'map.unlink',
    'job.replay',
    'job.replay.result',
    'job.discard',
  ]);
  const { exitCode, stdout } = await site.run('audit', 'verify');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^the audit log is whole: 7 acts\nlast hash [0-9a-f]{64}\n$/);
});

test('a changed row of the audit log is found, and the exit code says so', async () => {
  const sqlite = new SqliteDatabase(databasePath(site.dir));
  sqlite.exec("drop trigger audit_refuses_update; update audit set target = 'nothing' where id = 1");
  sqlite.close();
  const { exitCode, stdout, stderr } = await site.run('audit', 'verify');
  expect([exitCode, stdout]).toEqual([
    1,
    'the audit log is broken at row 1: what it says is not what its hash was made of\n',
  ]);
  expect(stderr).toContain('It is the first. A backup');
  expect(await site.json('audit', 'verify')).toMatchObject({ whole: false, rows: 0, broken: { id: 1 } });
});

test('a restore records the end of the audit log that it replaced', async () => {
  const backup = site.path('backup.db');
  await site.run('backup', backup);
  await site.run('pause', 'order-in', '--reason', 'nobody shall know');
  const { last_hash: lastHash } = (await site.json('audit', 'verify')) as { last_hash: string };
  expect((await site.run('restore', backup)).exitCode).toBe(0);
  expect(await actions()).toEqual(['pause', 'map.link', 'restore']);
  const { stdout } = await site.run('audit', 'list', '--limit', '1');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`3 acts, last hash ${lastHash} -> restored from ${backup}`);
  expect((await site.run('audit', 'verify')).exitCode).toBe(0);
});

test('the audit log records migrations and mode changes', async () => {
  const fresh = installation();
  await fresh.run('migrate');
  expect((await fresh.run('audit', 'list')).stdout).toMatch(
    /migrate the database: - -> \d+ migrations? applied; it is new/,
  );
  const stage = await openStage();
  await stage.start(['work']);
  await stage.stop();
  await stage.start(['work']);
  const { stdout } = await run(['audit', 'list', '--config', stage.configFile]);
  expect(stdout.match(/config\.mode mode: - -> live/g)).toHaveLength(1);
});

test('the audit log masks a configured secret in a typed text', async () => {
  await site.run('pause', 'order-in', '--reason', 'the token is erp-token-1, said Ann');
  expect((await site.run('audit', 'list')).stdout).not.toContain('erp-token-1');
});
