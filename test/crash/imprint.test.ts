import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { imprintOf } from './imprint.ts';

/** The imprint of databases with these rows. */
function imprint({
  sku = 'A',
  modified = 1_795_255_697_748_615,
  observed = 4,
  read = 7,
  on = '2026-11-21T10:00:00.5Z',
}) {
  const dir = mkdtempSync(join(tmpdir(), 'imprint-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const fill = (file: string, ...statements: string[]) => {
    mkdirSync(join(dir, file, '..'), { recursive: true });
    const sqlite = new Sqlite(join(dir, file));
    for (const statement of statements) sqlite.exec(statement);
    sqlite.close();
  };
  fill(
    'data/stockbridge.db',
    'CREATE TABLE products (sku, observed_tick, raw)',
    `INSERT INTO products VALUES ('${sku}', ${observed}, '{"on":"${on}"}')`,
    'CREATE TABLE facts (name, value)',
    `INSERT INTO facts VALUES ('orders-read-tick', ${read})`,
  );
  fill('sides/erp.db', 'CREATE TABLE orders (id)');
  fill('sides/marketplace.db', 'CREATE TABLE products (modified)', `INSERT INTO products VALUES (${modified})`);
  return imprintOf(dir);
}

test('the imprint of a state does not depend on times, but on which of two reads came first, and on all else', () => {
  const one = imprint({});
  expect(imprint({ modified: 1_795_255_697_958_331, on: '2026-11-21T10:07:00+00:00' })).toBe(one);
  expect(imprint({ observed: 5, read: 9 })).toBe(one);
  expect(imprint({ observed: 7, read: 4 })).not.toBe(one);
  expect(imprint({ observed: 7, read: 7 })).not.toBe(one);
  expect(imprint({ sku: 'B' })).not.toBe(one);
});
