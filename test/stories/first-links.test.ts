import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, type Stage, until } from '../support/stage.ts';

const SIZE = 30;
const ALLOWED = 4;

let stage: Stage;

/** A brand whose listings were made by hand. Its stock has run out in the ERP, except for `left` products. */
async function open(left: number): Promise<void> {
  stage = await openStage();
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(
    stage.configFile,
    text.replace(
      /brakes: .*/,
      `brakes: { create: { count: 1000, percent: 10000 }, zero: { count: ${ALLOWED}, percent: 100 } }`,
    ),
  );
  stage.erp.control.seed(SIZE);
  const { products } = stage.erp.control.state();
  stage.marketplace.createProducts(products.map(({ sku, name }) => ({ sku, name, quantity: 5 })));
  for (const { sku } of products.slice(left)) stage.erp.control.setStock(sku, '0');
}

const zeroed = () => stage.marketplace.products().filter(({ available }) => Number(available) === 0).length;
const store = () => stage.store();
const isQuiet = async () =>
  (await store().work.pending('main')) === 0 && (await store().facts.get('main', 'first-linked')) !== null;

const STARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  sync: () => stage.sync(),
  async run() {
    await stage.start(['work', 'poll']);
    await until('all was looked at', isQuiet);
  },
};

test.each(Object.entries(STARTS))(
  '%s: at the first start zeroings are judged together, once all products are linked',
  async (_, begin) => {
    await open(5);
    await begin();
    expect(zeroed()).toBe(0);
    const [held] = await store().brakes.list();
    expect(held?.items).toHaveLength(SIZE - 5);
    expect(stage.marketplace.products()).toHaveLength(SIZE);
  },
);

test.each(Object.entries(STARTS))('%s: zeroings within the limit are written without an approval', async (_, begin) => {
  await open(SIZE - ALLOWED);
  await begin();
  expect(zeroed()).toBe(ALLOWED);
  expect(await store().brakes.list()).toEqual([]);
});

test('a restart does not wait, not even for a read of the listings', async () => {
  await open(SIZE);
  await stage.sync();
  await stage.stop();
  stage.erp.control.setStock('SB-0001', '0');
  stage.marketplace.faults.set({ kind: 'status-before', status: 503, operation: 'products.list' });
  await stage.start(['work', 'poll']);
  await until('it is written', () => zeroed() === 1);
});
