import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { mergeStaged, stage } from '../../../src/erp/files/merge.ts';
import type { Source } from '../../../src/erp/files/settings.ts';
import { openView } from '../../../src/erp/files/view.ts';

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

test('thousands of repeated rows with other values are set aside at once, in a large file too', () => {
  const dir = mkdtempSync(join(tmpdir(), 'view-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const view = openView(join(dir, 'view.db'));
  onTestFinished(() => view.close());
  stage(view, 'stock', 'a.csv');
  view.db.exec(`INSERT INTO staged (key, content)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60000)
    SELECT 'P' || (n % 57000), json_object('product_id', 'P' || (n % 57000), 'on_hand', n) FROM numbers`);
  const content = { time: { from: '2026-11-23T00:00:00Z', to: '2026-11-23T00:00:00Z' }, told: null, rows: 60_000 };
  // The processor time is measured, since a busy machine makes everything late.
  const before = process.cpuUsage();
  view.transaction(() => mergeStaged(view, { list: 'stock', kind: 'snapshot' } as Source, content));
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  const count = view.db.prepare('SELECT count(*) FROM rows WHERE invalidRow IS NOT NULL').pluck();
  expect(count.get()).toBe(3_000);
});
