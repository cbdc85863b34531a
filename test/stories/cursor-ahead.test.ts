import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage } from '../support/stage.ts';

const FUTURE = '9999-12-31T23:59:59Z';

test('a cursor in the future is named by verify, readiness and rebuild', async () => {
  const stage = await openStage();
  stage.erp.control.seed(1);
  await stage.sync();
  await stage.stop();
  const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);
  expect((await cli('verify')).exitCode).toBe(0);

  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'));
  sqlite.prepare("update cursors set value = ? where collection = 'products'").run(FUTURE);
  sqlite.close();
  const verified = await cli('verify');
  expect(verified.exitCode).not.toBe(0);
  expect(verified.stdout + verified.stderr).toContain(FUTURE);
  const app = await stage.start(['work']);
  const { ready, reasons } = await app.readiness();
  expect([ready, reasons.join()]).toEqual([
    false,
    expect.stringContaining('changes of products are asked for from the'),
  ]);
  await stage.stop();
  const rebuilt = await cli('rebuild', '--dry-run');
  expect(rebuilt.stdout.replaceAll(/\s+/g, ' ')).toContain(
    `the last read position of products, ${FUTURE}, is in the future: the whole list was read`,
  );
});
