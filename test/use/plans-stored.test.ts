import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { summaryOf } from '../../src/use/plan-summary.ts';
import { openStoredPlans } from '../../src/use/plans/stored.ts';

const DAY_MS = 24 * 60 * 60_000;

function item(after: string): PlanItem {
  const texts = { action: 'stock.write', target: 'listing 1', before: '3', after, why: 'a test' };
  return {
    account: 'main',
    flow: 'stock',
    key: 'P-1',
    actions: [{ ...texts, replaces: [], stoppedBy: null }],
    holds: [],
    alerts: [],
  };
}

test('five plans of an account are stored for a week, for their owner alone, each under a hash of its writes', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  let nowMs = Date.UTC(2026, 0, 1);
  const plans = openStoredPlans(dir, () => nowMs);
  const none = {
    unlinked: { listings: 0, products: 0 },
    history: null,
    invalidRows: { count: 0, collections: [] },
    beside: 0,
  };
  const add = (account: string, after: string) => {
    const items = [item(after)];
    const summary = summaryOf(account, { items, ...none });
    return plans.add(
      { account, made: { by: 'maria', atMs: nowMs }, forgotten: '7', liftsPauses: false, summary },
      items,
    );
  };
  const other = add('other', '1');
  const made = ['1', '2', '3', '4', '5', '0'].map((after) => add('main', after));
  expect(new Set(made.map(({ hash }) => hash)).size).toBe(6);
  expect(plans.list('main').map(({ id, summary }) => [id, summary.zeroed])).toEqual([
    [7, 1],
    [6, 0],
    [5, 0],
    [4, 0],
    [3, 0],
  ]);
  expect(() => plans.get('main', 2)).toThrow('there is no plan 2 of main');
  expect(() => plans.get('main', other.id)).toThrow('there is no plan 1 of main');
  expect(await Array.fromAsync(plans.items(plans.get('main', 7)))).toEqual([item('0')]);
  const folder = join(dir, 'plans');
  expect(readdirSync(folder)).toHaveLength(12);
  for (const name of ['', ...readdirSync(folder)]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  plans.tidy('main', '7');
  plans.tidy('other', '8');
  expect([plans.list('other'), plans.list('main').length]).toEqual([[], 5]);
  nowMs += 8 * DAY_MS;
  expect([plans.list('main'), readdirSync(folder)]).toEqual([[], []]);
});
