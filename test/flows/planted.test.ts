import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeEach, expect, test, vi } from 'vitest';
import type * as Decision from '../../src/flows/engine/decision.ts';
import type * as Run from '../../src/flows/engine/run.ts';
import type * as Flows from '../../src/flows/flows.ts';
import type * as Runs from '../../src/flows/runs.ts';
import type * as Collections from '../../src/shadow/collections.ts';
import type { ReadContext } from '../../src/shadow/context.ts';
import type { Store } from '../../src/store/store.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';

/* Adds a flow and a list to the program: with one entry in each table, every verb knows them. */

const planted = vi.hoisted(() => {
  const asOf = '2026-01-01T00:00:00Z';
  const state = { reads: 0 };
  async function* onePage() {
    yield { items: [{}, {}], invalidRows: [], complete: true, asOf };
  }
  const returns = {
    changes: async ({ account, store }: ReadContext) => {
      state.reads += 1;
      const window = { account, collection: 'erp-returns', from: null, to: asOf, rows: 1 };
      await store.cursors.record({ ...window, finding: null, cursor: asOf });
    },
    everyMs: () => 60_000,
    keys: ({ erp }: Store) => erp.productIds,
    erpList: () => onePage,
  };
  const returnsIn = {
    title: 'returns into the ERP',
    about: 'returned goods into the ERP',
    isOn: () => true,
    keys: 'erp-returns',
    links: 'product',
    reads: () => ['erp-returns'],
    operations: () => ['customers.list'],
    writes: { erp: ['returns-in.create'] },
  };
  return { state, returns, returnsIn };
});

vi.mock('../../src/shadow/collections.ts', async (original) => {
  const real = await original<typeof Collections>();
  Object.assign(real.COLLECTIONS, { 'erp-returns': planted.returns });
  Object.assign(real.READS, { 'read:erp-returns': planted.returns.changes });
  (real.COLLECTION_NAMES as string[]).push('erp-returns');
  return { ...real };
});

vi.mock('../../src/flows/flows.ts', async (original) => {
  const real = await original<typeof Flows>();
  Object.assign(real.FLOWS, { 'returns-in': planted.returnsIn });
  (real.FLOW_NAMES as string[]).push('returns-in');
  return { ...real };
});

vi.mock('../../src/flows/runs.ts', async (original) => {
  const real = await original<typeof Runs>();
  const { act, inSync } = await vi.importActual<typeof Decision>('../../src/flows/engine/decision.ts');
  const { runOf } = await vi.importActual<typeof Run>('../../src/flows/engine/run.ts');
  const returnsIn = runOf({
    name: 'returns-in' as Flows.FlowName,
    observe: async ({ account, store }, key) => ({
      key,
      isDone: (await store.facts.get(account, `back:${key}`)) !== null,
    }),
    decide: ({ key, isDone }) =>
      isDone
        ? inSync()
        : act([
            { action: 'returns-in.create', target: `return of ${key}`, before: null, after: '1', why: 'it came back' },
          ]),
    apply: async ({ account, store }, { key }) => {
      await store.facts.set(account, `back:${key}`, 'yes');
      return { outcome: 'written', answer: 'R-1' };
    },
  });
  Object.assign(real.FLOW_RUNS, { 'returns-in': returnsIn });
  return { ...real };
});

let stage: Stage;
let key = '';
const verb = (...args: string[]) => run([...args, '--config', stage.configFile]);
beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(1);
  key = stage.erp.control.state().products[0]?.id ?? '';
});

test('a flow and a list added to the tables work in plan, sync, metrics, status and alerts', async () => {
  expect((await verb('plan')).stdout).toContain(`returns-in.create  return of ${key}`);
  expect(planted.state.reads).toBeGreaterThan(0);

  const before = planted.state.reads;
  await stage.sync();
  expect(planted.state.reads).toBeGreaterThan(before);
  expect(await stage.app().core.metrics.registry.metrics()).toMatch(
    /stockbridge_writes_total\{[^}]*side="erp",kind="returns-in\.create",outcome="written"[^}]*\} 1/,
  );

  const status = JSON.parse((await verb('status', '--json')).stdout) as unknown;
  expect(status).toMatchObject({
    accounts: [
      {
        reads: expect.arrayContaining([expect.objectContaining({ collection: 'erp-returns', late: false })]) as unknown,
        flows: expect.arrayContaining([expect.objectContaining({ flow: 'returns-in' })]) as unknown,
      },
    ],
  });
  expect((await verb('jobs', 'show', 'returns-in', key)).stdout).toContain(`returns-in ${key} of main\n`);
  expect((await verb('pause', '--help')).stdout).toMatch(/returns-in +returned goods into the ERP/);
});

test('doctor tries a list that is added to the tables', async () => {
  const { stdout } = await verb('doctor');
  expect(stdout).toContain('ERP returns: 2 rows, all fit');
  expect(stdout).toContain('customers.list answers');
});

test('verify compares a flow that is added to the tables', async () => {
  await stage.sync();
  await stage.stop();
  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'));
  sqlite.exec(
    "insert into work (account, flow, key, version, lane, reason, state, since_ms) values ('main', 'returns-in', 'nowhere', 1, 'poll', '', 'held', 0)",
  );
  sqlite.exec(
    "insert into coverage (account, collection, from_instant, to_instant, rows, read_at_ms) values ('main', 'erp-returns', '2999-01-01T00:00:00Z', '2999-01-02T00:00:00Z', 1, 0)",
  );
  sqlite.close();
  const { stdout } = await verb('verify');
  expect(stdout).toContain('main erp-returns from ');
  // The database has no rows of the planted list, so nothing can be said of its keys.
  expect(stdout).not.toMatch(/returns-in nowhere|cannot be read/);
});
