import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const GONE = ['SB-0001', 'SB-0002', 'SB-0003', 'SB-0004'];

async function open(brakes: string): Promise<void> {
  stage = await openStage();
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(
    stage.configFile,
    text.replace(/brakes: .*/, brakes.replace('{', 'brakes: { create: { percent: 10000 },')),
  );
  stage.erp.control.seed(8);
  await stage.sync();
}

const archived = () => stage.marketplace.products().filter((product) => product.archived);
const listing = (sku: string) => stage.marketplace.productBySku(sku);
const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);

interface ShownPlan {
  readonly id: number;
  readonly kind: string;
  readonly hash: string;
  readonly count: number;
  readonly items: readonly { readonly id: number; readonly target: string; readonly state: string }[];
}
async function plans(): Promise<readonly ShownPlan[]> {
  return (JSON.parse((await cli('brakes', 'list', '--json')).stdout) as { plans: ShownPlan[] }).plans;
}

test('a brake holds all writes of its kind beyond the limit, through restarts and a wiped Redis, until an approval', async () => {
  await open('{ archive: { count: 3, percent: 100 }, zero: { count: 1, percent: 100 } }');
  for (const sku of GONE) stage.erp.control.setProduct(sku, { active: false });
  for (const sku of ['SB-0005', 'SB-0006']) stage.erp.control.setStock(sku, '0');
  stage.erp.control.setStock('SB-0007', '5');
  const { held } = await stage.sync();
  expect(held).toBe(6);
  expect(archived()).toEqual([]);
  expect(stage.marketplace.products().filter(({ available }) => Number(available) === 0)).toEqual([]);
  expect(Number(listing('SB-0007').available)).toBe(5);
  const [zeroes] = (await plans()).filter(({ kind }) => kind === 'zero');
  expect((await cli('brakes', 'drop', zeroes?.hash ?? '')).exitCode).toBe(0);

  await until('the refused zeroes are told', async () => {
    const refused = (await cli('status')).stdout.replaceAll(/\s+/g, ' ');
    const isTold =
      / held stock: your turn such as P-00000\d: Buyers can order 600 units of SKU SB-000\d, but none is in stock/;
    return /Not in step: [^.]*2 held/.test(refused) && isTold.test(refused);
  });

  await stage.stop();
  const app = await stage.start();
  await app.core.redis.flushall();
  stage.erp.control.setStock('SB-0007', '6');
  await until('the rest goes on', () => Number(listing('SB-0007').available) === 6);
  await until('held again', async () => (await app.core.state.store.work.held()).length === 6);
  expect(archived()).toEqual([]);

  const { stdout: status } = await cli('status');
  const [plan] = (await plans()).filter(({ kind }) => kind === 'archive');
  if (plan === undefined) throw new Error(status);
  const { id, hash, count, items } = plan;
  expect(count).toBe(4);
  expect(status).toContain(
    `4  brake product, archive: your turn\n           plan ${id} (${hash}): The brake archive holds all writes`,
  );
  await until('it is measured', async () =>
    (await app.core.metrics.registry.metrics()).includes(
      'stockbridge_brake_plans_open{account="main",kind="archive"} 1',
    ),
  );

  const spared = items.find(({ target }) => target.includes('SB-0002'));
  expect((await cli('brakes', 'approve', hash, '--except', String(spared?.id))).exitCode).toBe(0);
  await until('the approved ones are archived', () => archived().length === 3);
  expect(listing('SB-0002').archived).toBe(false);
  expect(Number(listing('SB-0005').available)).toBeGreaterThan(0);
});

test('plan lists which of its changes a brake would hold, and sync does the same', async () => {
  await open('{ archive: { count: 3, percent: 100 } }');
  for (const sku of GONE) stage.erp.control.setProduct(sku, { active: false });
  stage.erp.control.setProduct('SB-0005', { price: { amount: '9999', currency: 'USD' }, name: 'New' });
  await stage.stop();
  const { stdout } = await cli('plan');
  expect(stdout.match(/^ {2}stopped: The brake archive holds/gm)).toHaveLength(4);
  expect(stdout).toContain('main: 6 writes, 5 of them held by a pause, a brake or another cause');
  await stage.sync();
  expect(archived()).toEqual([]);
  expect(listing('SB-0005').name).toBe('New');
});
