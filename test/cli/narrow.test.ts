import { Writable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { isColoured, lineWidth } from '../../src/cli/output.ts';
import type { Store } from '../../src/store/store.ts';
import { installation } from './installation.ts';

let site: ReturnType<typeof installation>;
let store: Store;
beforeEach(async () => {
  site = installation();
  ({ store } = await site.open());
});

test('jobs list fits a narrow terminal', async () => {
  for (let id = 1; id <= 30; id += 1) {
    const target = { account: 'main', flow: 'product', key: `P-${id}` };
    await store.work.mark([target], 'poll', 'product seen');
    await store.work.fail(target, 1, 'marketplace-refused', 'the name is too long for what it stands for', 3);
  }
  const wide = (await site.run('jobs', 'list')).stdout;
  const { stdout } = await site.runIn({ COLUMNS: '40' }, 'jobs', 'list');
  expect(stdout.split('\n').filter((line) => line.length > 40)).toEqual([]);
  expect(stdout.split(/\s+/)).toEqual(wide.split(/\s+/));
});

test('status and journal break no word on a terminal of 60 columns', async () => {
  const target = { account: 'main', flow: 'product', key: 'P-1' } as const;
  await store.work.mark([target], 'poll', 'product seen');
  await store.work.fail(target, 1, 'marketplace-refused', 'the name is too long for what it stands for', 3);
  await store.journal.add({
    ...target,
    action: 'product.update:name',
    target: 'listing 1',
    before: 'Hand-dipped candle',
    after: 'Hand-dipped candle, a set of twelve with a brass holder',
    why: 'the name in the ERP is another one than on the marketplace',
    outcome: 'noted',
    answer: '',
  });
  for (const verb of ['status', 'journal']) {
    const wide = (await site.run(verb)).stdout;
    const { stdout } = await site.runIn({ COLUMNS: '60' }, verb);
    const long = stdout.split('\n').filter((line) => line.length > 60 && line.trim().includes(' '));
    expect([verb, long]).toEqual([verb, []]);
    expect(stdout.split(/\s+/)).toEqual(wide.split(/\s+/));
  }
});

test.each([
  [{}, true],
  [{ TERM: 'dumb' }, false],
  [{ NO_COLOR: '1' }, false],
])('colours with the environment %j: %s', (env, expected) => {
  expect(isColoured({ env }, Object.assign(new Writable(), { isTTY: true }))).toBe(expected);
});

test.each([
  [{ COLUMNS: '60' }, 80, 60],
  [{}, 80, 80],
  [{}, 120, 100],
  [{}, undefined, 100],
  [{ COLUMNS: 'wide' }, 80, 100],
  [{ COLUMNS: '0' }, 0, 100],
])('the width with the environment %j on a terminal of %j columns: %i', (env, columns, width) => {
  const stdout = Object.assign(new Writable(), columns === undefined ? {} : { columns });
  expect(lineWidth({ env, stdout }, 100)).toBe(width);
});
