import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mergeStaged, stage } from '../../../src/erp/files/merge.ts';
import type { Source } from '../../../src/erp/files/settings.ts';
import { clockOf, lastSnapshot, moveClock, openView, recordImport, type View } from '../../../src/erp/files/view.ts';

test('a database of file rows from before invalid rows had names is opened with its rows and notices', () => {
  const dir = mkdtempSync(join(tmpdir(), 'view-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'view.db');
  const earlier = new SqliteDatabase(path);
  earlier.exec(`
    CREATE TABLE rows (list TEXT NOT NULL, key TEXT NOT NULL, sku TEXT, content TEXT NOT NULL, misfit TEXT,
      told_from TEXT NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (list, key));
    CREATE TABLE notices (list TEXT NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
      cause TEXT NOT NULL, PRIMARY KEY (list, file));
    INSERT INTO rows VALUES ('stock', 'A', 'A', '{}', '{"what":"A"}', 'a.csv', 1);
    INSERT INTO notices VALUES ('stock', 'b.csv', 1, 1, '{"code":"erp-file-misfits","params":{"misfits":9}}')`);
  earlier.close();
  for (let times = 1; times <= 2; times += 1) {
    const view = openView(path);
    expect(view.db.prepare('SELECT key, invalidRow FROM rows').all()).toEqual([
      { key: 'A', invalidRow: '{"what":"A"}' },
    ]);
    expect(view.db.prepare('SELECT cause FROM notices').pluck().all()).toEqual([
      '{"code":"erp-file-invalid-rows","params":{"invalidRows":9}}',
    ]);
    view.close();
  }
});

const STOCK = { list: 'stock', kind: 'snapshot' } as Source;
const day = (date: number) => {
  const from = `2026-11-${date}T00:00:00.000000Z`;
  return { time: { from, to: from }, told: null, rows: 0 };
};

function openEmpty() {
  const dir = mkdtempSync(join(tmpdir(), 'view-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const view = openView(join(dir, 'view.db'));
  onTestFinished(() => view.close());
  return view;
}

/** Stages rows with these numbers, each with its number as its figure. */
function stageNumbers(view: View, { from, to, figure = 'n' }: { from: number; to: number; figure?: string }): void {
  stage(view, 'stock', 'a.csv');
  view.db.exec(`INSERT INTO staged (key, content)
    WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})
    SELECT 'P' || n, json_object('product_id', 'P' || n, 'on_hand', ${figure}) FROM numbers`);
}

const keysOf = (view: View) => view.db.prepare('SELECT key FROM rows').pluck().all() as string[];
const importSnapshot = (view: View, from: string) =>
  recordImport(
    view,
    { list: 'stock', identity: from, name: from, size: 1, mtimeMs: 1, toldFrom: from, snapshot: true },
    0,
  );

test('thousands of repeated rows with other values are set aside at once, in a large file too', async () => {
  const view = openEmpty();
  stage(view, 'stock', 'a.csv');
  view.db.exec(`INSERT INTO staged (key, content)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60000)
    SELECT 'P' || (n % 57000), json_object('product_id', 'P' || (n % 57000), 'on_hand', n) FROM numbers`);
  // The processor time is measured, since a busy machine makes everything late.
  const before = process.cpuUsage();
  view.transaction(await mergeStaged(view, STOCK, day(23)));
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  const count = view.db.prepare('SELECT count(*) FROM rows WHERE invalidRow IS NOT NULL').pluck();
  expect(count.get()).toBe(3_000);
  expect(lastSnapshot(view, 'stock')).toEqual({ rows: 57_000 });
});

test('other work runs while a large file is merged, and no step puts more than some thousand rows', async () => {
  const view = openEmpty();
  stageNumbers(view, { from: 1, to: 60_000 });
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 100));
  onTestFinished(() => clock.mockRestore());
  const counts: number[] = [];
  const count = view.db.prepare('SELECT count(*) FROM rows').pluck();
  const look = () => {
    counts.push(count.get() as number);
    looking = setImmediate(look);
  };
  let looking = setImmediate(look);
  view.transaction(await mergeStaged(view, STOCK, day(23)));
  clearImmediate(looking);
  const steps = counts.map((rows, at) => rows - (counts[at - 1] ?? 0));
  expect(Math.max(...steps)).toBe(5_000);
  expect(keysOf(view)).toHaveLength(60_000);
});

test('a merge that was broken off is made whole by the next import, and its rows are all seen', async () => {
  const view = openEmpty();
  stageNumbers(view, { from: 1, to: 20_000 });
  view.transaction(await mergeStaged(view, STOCK, day(22)));
  const read = clockOf(view, 'stock');
  stageNumbers(view, { from: 5_001, to: 25_000, figure: 'n + 1' });
  const stop = new AbortController();
  const broken = mergeStaged(view, STOCK, day(23), stop.signal);
  stop.abort();
  await expect(broken).rejects.toThrow('aborted');
  expect(clockOf(view, 'stock')).toBe(read);
  view.transaction(await mergeStaged(view, STOCK, day(23)));
  expect(keysOf(view)).toHaveLength(20_000);
  const seen = view.db.prepare("SELECT count(*) FROM rows WHERE list = 'stock' AND seen >= ?").pluck();
  expect(seen.get(read)).toBe(20_000);
  expect(seen.get(clockOf(view, 'stock'))).toBe(0);
});

test('rows are seen after a clock that moved while they were merged', async () => {
  const view = openEmpty();
  stageNumbers(view, { from: 1, to: 10 });
  const finish = await mergeStaged(view, STOCK, day(23));
  moveClock(view, 'stock', 5_000);
  const read = clockOf(view, 'stock');
  view.transaction(finish);
  const seen = view.db.prepare("SELECT count(*) FROM rows WHERE list = 'stock' AND seen >= ?").pluck();
  expect([seen.get(read), seen.get(clockOf(view, 'stock'))]).toEqual([10, 0]);
});

test.each(['snapshot', 'delta'])('a %s gives way to a newer snapshot that another process imports', async (kind) => {
  const view = openEmpty();
  stageNumbers(view, { from: 1, to: 20_000 });
  const older = mergeStaged(view, { ...STOCK, kind } as Source, day(22));
  // The other process has put its one row, and has dropped all others.
  view.db.exec(`DELETE FROM rows; INSERT INTO rows VALUES ('stock', 'X', NULL, '{}', NULL, '${day(23).time.from}', 9)`);
  importSnapshot(view, day(23).time.from);
  view.transaction(await older);
  expect(keysOf(view)).toEqual(['X']);
});
