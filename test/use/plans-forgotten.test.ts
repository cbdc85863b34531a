import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPlans } from '../../src/use/plans/plans.ts';
import { openStoredPlans } from '../../src/use/plans/stored.ts';
import { createTasks, type Task } from '../../src/use/tasks.ts';
import { until } from '../support/stage.ts';

/* A plan is made of the rows at its beginning. It may name somebody who is forgotten while it is made. */

const PERSON = 'Erika Mustermann';

function open() {
  const dir = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const stored = openStoredPlans(dir, Date.now);
  const tasks = createTasks(Date.now, () => {});
  let forgotten: string | null = null;
  let rehearsed = Promise.resolve();
  const texts = { action: 'customer.create', target: 'customer', before: null, after: PERSON, why: 'a test' };
  const item = { account: 'main', flow: 'customer-in', key: '1', holds: [], alerts: [] };
  const plan = {
    items: [{ ...item, actions: [{ ...texts, replaces: [], stoppedBy: null }] }],
    unlinked: { listings: 0, products: 0 },
    invalidRows: { count: 0, collections: [] },
  };
  const plans = createPlans({
    store: { audit: { add: async () => {} }, facts: { get: async () => forgotten } } as never,
    accounts: new Map([['main', { account: 'main', now: Date.now }]]) as never,
    plannedOf: (context) => ({ ...context, onScratch: () => rehearsed.then(() => plan) }) as never,
    stored,
    tasks,
    applying: null,
    isDryRun: false,
  });
  const folder = join(dir, 'plans');
  return {
    stored,
    plans,
    during: (work: Promise<void>) => void (rehearsed = work),
    forget: (mark: string) => void (forgotten = mark),
    make: () => plans.make('main', { liftsPauses: false, by: 'maria' }),
    ended: ({ id }: Task) =>
      until('it ends', () => tasks.of('main').find((task) => task.id === id && task.endedAtMs !== null)),
    texts: () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
  };
}

test('a plan that was begun before an erasure is not stored', async () => {
  const { plans, during, forget, make, ended, texts } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  during(promise);
  const task = make();
  await until('it has begun', () => task.state === 'running');
  forget('8');
  resolve();
  expect(await ended(task)).toMatchObject({ state: 'failed', said: expect.stringContaining('make a new plan') });
  expect(texts()).toEqual([]);
  expect(await ended(make())).toMatchObject({ state: 'done' });
  expect(plans.list('main')).toHaveLength(1);
});

test('an erasure on another machine, or by age, deletes the plans here as well', async () => {
  const { plans, forget, make, ended, texts } = open();
  await ended(make());
  await plans.tidy();
  expect(texts().join()).toContain(PERSON);
  forget('8');
  await plans.tidy();
  expect(texts()).toEqual([]);
});
