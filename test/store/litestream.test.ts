import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { run } from '../cli/capture.ts';
import { topicPage } from '../support/guide.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

const { test } = needing('litestream');

/** Litestream beside a daemon, by the configuration that the guide shows. */
function startLitestream(stage: Stage) {
  const dir = mkdtempSync(join(tmpdir(), 'litestream-'));
  const database = join(stage.dir, 'data/stockbridge.db');
  const [, shown = ''] = /```text\n(# \/etc\/litestream.yml\n[^`]+)```/.exec(topicPage('backup').text) ?? [];
  const config = join(dir, 'litestream.yml');
  writeFileSync(
    config,
    shown
      .replace('/var/lib/stockbridge/data/stockbridge.db', database)
      .replace('/mnt/copies/stockbridge', join(dir, 'copies')),
  );
  const child = spawn(programOf('litestream'), ['replicate', '-config', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(async () => {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    stop,
    /** The path of a new file with the copy; null: there is no copy yet. */
    restore(name: string): string | null {
      const path = join(dir, name);
      const args = ['restore', '-config', config, '-if-replica-exists', '-o', path, database];
      const { status, stderr } = spawnSync(programOf('litestream'), args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return existsSync(path) ? path : null;
    },
  };
}

/** The numbers of the orders that a database file has as entered. */
function enteredIn(path: string): string[] {
  const file = new SqliteDatabase(path, { readonly: true });
  try {
    expect(file.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    return file.prepare("select marketplace_id from mappings where kind = 'order'").pluck().all() as string[];
  } finally {
    file.close();
  }
}

test('what the daemon stores while Litestream runs is in the copy, and the daemon starts on the copy and on the original', async () => {
  const stage = await openStage();
  stage.erp.control.seed(3);
  await stage.sync();
  await stage.stop();
  await stage.start();
  const litestream = startLitestream(stage);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = () => stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  const numbers = Array.from({ length: 20 }, place);
  const isEntered = (number: string) => stage.erp.control.findOrders(number).length === 1;
  await until('every order is in the ERP', () => numbers.every(isEntered));
  let tries = 0;
  const copy = await until('every order is in the copy', () => {
    const path = litestream.restore(`restored-${(tries += 1)}.db`);
    return path !== null && numbers.every((number) => enteredIn(path).includes(number)) && path;
  });
  expect(await run(['verify', copy])).toMatchObject({ exitCode: 0, stderr: '' });
  await stage.stop();
  await stage.start();
  const before = place();
  await until('the daemon works on the original', () => isEntered(before));
  await stage.stop();
  await litestream.stop();
  expect(await run(['restore', copy, '--config', stage.configFile])).toMatchObject({ exitCode: 0 });
  await stage.start();
  const after = place();
  await until('the daemon works on the copy', () => isEntered(after));
  for (const number of [...numbers, before, after]) expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});
