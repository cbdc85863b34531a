import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

/* The history is played again. The expected figures are computed by hand from the events on both sides. */

const SKU = 'SB-0001';
const HOLD = '    orders: { on_unmapped_customer: hold }';

let stage: Stage;

async function open(options: StageOptions) {
  stage = await openStage({ account: HOLD, ...options });
  stage.erp.control.seed(2);
  stage.erp.control.setStock(SKU, '100');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  return {
    order: (quantity: string) => {
      const product = stage.marketplace.productBySku(SKU).id;
      return stage.marketplace.placeOrder({ customer, items: [{ product, quantity }] }).number;
    },
    /** Makes the customer known. Until then, orders are held. */
    async knowCustomer() {
      const { id } = stage.erp.control.addCustomer({ name: 'Corner Shop' });
      await run(['map', 'link', 'customer', String(customer), id, '--config', stage.configFile]);
    },
  };
}

const plan = (...args: string[]) => run(['plan', '--config', stage.configFile, '--history', ...args]);

interface Report {
  keptBy: string;
  products: number;
  lagMs: number | null;
  ways: {
    strategy: string;
    write: string;
    ledger: boolean;
    oversold: { skus: number; times: number; largest: string; units: string; orders: number; worst: object[] };
  }[];
  short: { skus: number; units: string; largest: string };
}

async function report(): Promise<Report> {
  const { stdout, exitCode } = await plan('--json');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Report;
}

/** For each way that was oversold: SKUs, times, most, units, orders. */
function oversold({ ways }: Report) {
  const found = ways.filter((way) => way.oversold.skus > 0);
  return found.map(({ strategy, write, ledger, oversold: { skus, times, largest, units, orders } }) => [
    `${strategy} ${write}${ledger ? ' with the ledger' : ''}`,
    [skus, times, Number(largest), Number(units), orders],
  ]);
}

test('plan --history of strategy b counts sales of stock received before the ERP knew of an order', async () => {
  const { order, knowCustomer } = await open({ strategy: 'b' });
  order('7');
  await stage.sync();
  stage.erp.control.setStock(SKU, '120');
  await stage.sync();
  // The ERP's 120 were pushed. One more order comes while buyers can take 120 instead of 113.
  order('2');
  await stage.sync();
  expect(stage.marketplace.productBySku(SKU).available).toBe('111');
  await knowCustomer();
  await stage.sync();
  expect(stage.erp.control.stockOf(SKU).available).toBe('111');
  const { exitCode, stdout, stderr } = await plan();
  expect([exitCode, stderr]).toEqual([0, '']);
  const row = (name: string, how: string, figures: string) =>
    expect(stdout).toMatch(new RegExp(`^  ${name} +${how} +${figures.split(' ').join(' +')}$`, 'm'));
  for (const name of [
    'fulfilled-quantity',
    'submitted-available',
    'submitted-quantity',
    'submitted-available, quantity',
  ]) {
    row(name, 'ledger', '0 0 0 0 0');
    if (name !== 'submitted-available') row(name, 'plain push', '0 0 0 0 0');
  }
  row('submitted-available', 'plain push', '1 1 7 7 1');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /SB-0001, [-\d]+ [:\d]+Z, submitted-available, plain push: buyers could take 120, 113 were there: 7 too many/,
  );
  expect(stdout).toContain('No order had more than there was.');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(await report()).toMatchObject({
    keptBy: 'submitted-available',
    products: 2,
    lagMs: expect.any(Number) as number,
  });
});

test('plan --history of strategy a counts sales of stock received before the ERP knew of a fulfilment, and shortages', async () => {
  const { order, knowCustomer } = await open({ strategy: 'a' });
  const number = order('7');
  await stage.sync();
  stage.marketplace.transition(number, 'accept');
  stage.marketplace.transition(number, 'fulfill');
  await stage.sync();
  stage.erp.control.setStock(SKU, '120');
  await stage.sync();
  expect(stage.marketplace.productBySku(SKU).available).toBe('113');
  await knowCustomer();
  await stage.sync();
  const found = await report();
  const alike = oversold(found).filter(([name]) => !String(name).startsWith('submitted-available'));
  expect(alike).toEqual([
    ['fulfilled-quantity quantity', [1, 1, 7, 7, 0]],
    ['submitted-quantity quantity', [1, 1, 7, 7, 0]],
  ]);
  expect(found.short.skus).toBe(0);
  // 50 units are ordered, and only 40 of the 113 are really there.
  order('50');
  await stage.sync();
  stage.erp.control.setStock(SKU, '47');
  await stage.sync();
  expect(stage.marketplace.productBySku(SKU).available).toBe('-10');
  const { short, ways } = await report();
  expect(short).toMatchObject({ skus: 1, units: '10', largest: '10' });
  for (const way of ways.filter(({ ledger }) => ledger)) expect(way.oversold.skus).toBe(0);
});

test('the stock history outlives the daemon, and nothing is recorded without a change', async () => {
  const { order, knowCustomer } = await open({ strategy: 'b' });
  await knowCustomer();
  order('7');
  await stage.sync();
  await stage.sync();
  const before = await report();
  await stage.sync();
  await stage.stop();
  expect(await report()).toEqual(before);
  expect(oversold(before)).toEqual([]);
});

test('plan --history requires a strategy, and says what is missing', async () => {
  stage = await openStage({});
  const none = await plan();
  expect(none.exitCode).not.toBe(0);
  expect(none.stderr).toContain('does not exist: nothing has run with this configuration yet');
  expect((await plan('--strategy', 'a')).exitCode).toBe(64);
  await stage.sync();
  const empty = await plan();
  expect(empty).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'main: nothing is recorded yet. The daemon records while it runs: try again in a day\n',
  });
});
