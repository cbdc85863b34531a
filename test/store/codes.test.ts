import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cause, sentenceOf } from '../../src/domain/causes/cause.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import { MIGRATIONS_DIR } from '../../src/store/sqlite/schema.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'codes-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The migrations before this one. */
function migrationsBefore(next: string): string {
  const earlier = join(dir, 'migrations');
  cpSync(MIGRATIONS_DIR, earlier, { recursive: true });
  const journal = join(earlier, 'meta/_journal.json');
  const content = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  const at = content.entries.findIndex(({ tag }) => tag === next);
  writeFileSync(journal, JSON.stringify({ ...content, entries: content.entries.slice(0, at) }));
  return earlier;
}

function fill({ sqlite }: OpenDatabase): void {
  const work = sqlite.prepare("insert into work values ('main', 'order-in', ?, 3, 'poll', 'seen', ?, ?, 7, 5)");
  work.run('held', 'held', 'it waits on backorder: it holds no stock and is not exported');
  work.run('again', 'pending', 'paused: stocktaking');
  work.run('failed', 'failed', null);
  sqlite.exec(
    "insert into failed_jobs (account, flow, key, cause, message, attempts, failed_at_ms) values ('main', 'order-in', 'failed', 'erp not-found', 'no such order', 8, 5)",
  );
  const intent = sqlite.prepare(
    "insert into intents (account, kind, key, external_id, state, evidence, sent_at_ms) values ('main', 'order-in', ?, 'x', ?, ?, 5)",
  );
  intent.run('doubt', 'in-doubt', '2 match: ERP order "E-1", ERP order E-2');
  intent.run('open', 'open', '');
  intent.run('dropped', 'dropped', 'dropped by ann, until it changes: 2 match');
  const fact = sqlite.prepare("insert into facts values ('main', ?, ?, 5)");
  fact.run('alert:stock:P-1', 'SKU SB-1 is oversold by 5: buyers can take none');
  fact.run('listings-known', 'yes');
}

test('a database with sentences keeps every doubt, failure and alert, and decides anew what was held', async () => {
  const before = await openDatabase(join(dir, 'data'), migrationsBefore('0002_codes'));
  fill(before);
  before.close();
  const { db, close } = await openDatabase(join(dir, 'data'));
  const store = createStore(db, () => 10);
  const work = async (key: string) => store.work.get({ account: 'main', flow: 'order-in', key });
  expect(await work('held')).toMatchObject({ state: 'pending', version: 4, heldFor: null, notBeforeMs: 0 });
  expect(await work('again')).toMatchObject({ state: 'pending', version: 3, heldFor: null, notBeforeMs: 7 });
  expect(await work('failed')).toMatchObject({ state: 'failed' });
  expect(await store.work.failed()).toMatchObject([{ cause: 'erp-not-found', message: 'no such order' }]);
  const evidence = async (key: string) =>
    (await store.intents.of({ account: 'main', kind: 'order-in', key })).map((intent) => intent.evidence);
  expect(await evidence('doubt')).toEqual([cause('as-told', { text: '2 match: ERP order "E-1", ERP order E-2' })]);
  expect(await evidence('open')).toEqual([null]);
  expect((await evidence('dropped')).map((one) => one && sentenceOf(one))).toEqual([
    'dropped by ann, until it changes: 2 match',
  ]);
  expect(await alertsOf({ account: 'main', store })).toEqual([
    { name: 'stock:P-1', causes: [cause('as-told', { text: 'SKU SB-1 is oversold by 5: buyers can take none' })] },
  ]);
  expect(await store.facts.get('main', 'listings-known')).toBe('yes');
  expect(await store.doubts.after(0, 1_000)).toHaveLength(2);
  close();
});

test('a plan whose limit was a sentence keeps it, and a write that waits for a plan is decided anew', async () => {
  const before = await openDatabase(join(dir, 'data'), migrationsBefore('0004_limits'));
  const told = 'would be one of 2 in this pass, more than 1';
  const held = (exceeds: object) => JSON.stringify([{ code: 'brake-plan', params: exceeds }]);
  before.sqlite
    .prepare("insert into brake_plans values (1, 'main', 'product', 'archive', 1, ?, 'open', 5, 99, null)")
    .run(told);
  before.sqlite
    .prepare(
      "insert into brake_items values (1, 1, 'main', 'product', 'P-1', 'product.archive', 't', 'a', 'b', 'w', ?, 'held')",
    )
    .run(told);
  const work = before.sqlite.prepare(
    "insert into work values ('main', 'product', ?, 3, 'poll', 'seen', 'held', ?, 7, 5)",
  );
  work.run('P-1', held({ exceeds: told }));
  work.run('P-2', held({ sku: 'SB-2' }));
  before.close();
  const { db, close } = await openDatabase(join(dir, 'data'));
  const store = createStore(db, () => 10);
  const limit = cause('as-told', { text: told });
  expect(await store.brakes.list()).toMatchObject([{ plan: { reason: limit }, items: [{ reason: limit }] }]);
  expect(await store.work.get({ account: 'main', flow: 'product', key: 'P-1' })).toMatchObject({
    state: 'pending',
    version: 4,
    heldFor: null,
    notBeforeMs: 0,
  });
  expect(await store.work.get({ account: 'main', flow: 'product', key: 'P-2' })).toMatchObject({
    state: 'held',
    version: 3,
  });
  close();
});
