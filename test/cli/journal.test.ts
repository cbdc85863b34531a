import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { erpProduct } from '../store/shelf.ts';
import { startProgram } from '../support/program.ts';
import { until } from '../support/stage.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

let site: ReturnType<typeof installation>;
let store: Store;
beforeEach(async () => {
  site = installation(TWO_ACCOUNTS);
  ({ store } = await site.open());
});

const add = (flow: string, key: string, account = 'main') =>
  store.journal.add({
    account,
    flow,
    key,
    action: `${flow}.write`,
    target: `listing of ${key}`,
    before: '1',
    after: '2, or "more"',
    why: 'it changed',
    outcome: 'written',
    answer: '',
  });

const keys = async (...args: string[]) =>
  ((await site.json('journal', ...args)) as { key: string }[]).map(({ key }) => key);

test('journal prints the old and new value and the reason of each write, the oldest first', async () => {
  await add('stock', 'P-1');
  await add('stock', 'P-2', 'other');
  const { exitCode, stdout } = await site.run('journal');
  expect([exitCode, stdout.replaceAll(/\d{4}-\d\d-\d\d \S+Z/g, 'WHEN')]).toEqual([
    0,
    [
      'WHEN stock/P-1 of main written stock.write listing of P-1: 1 -> 2, or "more"; it changed',
      'WHEN stock/P-2 of other written stock.write listing of P-2: 1 -> 2, or "more"; it changed',
      '',
    ].join('\n'),
  ]);
});

test('journal filters the entries by an account, a flow, a key or a time', async () => {
  for (const [flow, key] of [
    ['stock', 'P-1'],
    ['product', 'P-1'],
    ['stock', 'P-2'],
  ] as const)
    await add(flow, key);
  await add('stock', 'P-3', 'other');
  expect(await keys('--account', 'main')).toEqual(['P-1', 'P-1', 'P-2']);
  expect(await keys('--flow', 'stock')).toEqual(['P-1', 'P-2', 'P-3']);
  expect(await keys('--flow', 'stock', '--key', 'P-1')).toEqual(['P-1']);
  expect(await keys('--since', '1h')).toHaveLength(4);
  expect(await keys('--since', '2999-01-01')).toEqual([]);
  expect((await site.run('journal', '--since', 'soon')).exitCode).toBe(64);
  expect((await site.run('journal', '--key', 'none')).stderr).toBe('The journal has no such entry.\n');
});

test('journal prints CSV for spreadsheets', async () => {
  await add('stock', 'P-1');
  const [head, line] = (await site.run('journal', '--csv')).stdout.split('\n');
  expect(head).toBe('at,account,flow,key,action,target,before,after,why,outcome,answer');
  expect(line).toMatch(/^\S+Z,main,stock,P-1,stock\.write,listing of P-1,1,"2, or ""more""",it changed,written,$/);
});

test('journal prints more entries than are read at once', async () => {
  for (let index = 0; index < 1_001; index += 1) await add('stock', `P-${index}`);
  expect(await keys('--since', '1h')).toHaveLength(1_001);
  expect(await keys('--limit', '1001')).toHaveLength(1_001);
});

test('journal prints the last hundred entries by default, with the way to more', async () => {
  for (let index = 0; index < 101; index += 1) await add('stock', `P-${index}`);
  const { stdout, stderr } = await site.run('journal');
  expect(stdout.split('\n')).toHaveLength(101);
  expect(stdout).toMatch(/^\S+ \S+ stock\/P-1 of main /);
  expect(stderr).toBe('These are the last 100: --limit and --since show older ones.\n');
  expect(await keys('--limit', '2')).toEqual(['P-99', 'P-100']);
});

test('journal finds an entity by its SKU or a prefix, whatever its key is in each flow', async () => {
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-000001', sku: 'SB-0001' })], {
    listing: null,
    lane: 'poll',
  });
  await add('stock', 'P-000001');
  expect(await keys('--key', 'SB-0001')).toEqual(['P-000001']);
  expect(await keys('--key', 'SB-0')).toEqual(['P-000001']);
});

test('journal follows new entries until Ctrl-C', async () => {
  await add('stock', 'P-1');
  const program = startProgram('journal', '--follow', '--config', site.file);
  await until('the first is told', () => program.printed.stdout.includes('P-1'));
  await add('stock', 'P-2');
  await until('the second is told', () => program.printed.stdout.includes('P-2'));
  program.signal('SIGINT');
  expect(await program.exit()).toBe(0);
});
