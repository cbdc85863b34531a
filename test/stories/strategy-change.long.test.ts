import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { stockFlow } from '../../src/flows/stock/flow.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

let stage: Stage;

/** One SKU with 100 units, a submitted order of 7, and everything in step by `strategy`. */
async function open(strategy: 'a' | 'b' | 'c', order = true) {
  stage = await openStage({ strategy });
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '100');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = stage.marketplace.productBySku('SB-0001').id;
  const placed = order
    ? stage.marketplace.placeOrder({ customer, items: [{ product, quantity: '7' }] })
    : { number: '' };
  await stage.sync();
  return placed.number;
}

async function changeTo(strategy: 'a' | 'b' | 'c'): Promise<void> {
  await stage.stop();
  const before = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, before.replace(/strategy: [abc]/, `strategy: ${strategy}`));
}

const plan = (...args: string[]) => run(['plan', '--config', stage.configFile, ...args]);
const acts = async () => {
  const rows = await stage.store().journal.of('main', 'strategy', '*', 10);
  return rows.toReversed().map(({ action, before, after }) => [action, before, after]);
};
const listing = () => stage.marketplace.productBySku('SB-0001');

test('a new strategy with an open order exports nothing and writes no stock until it is approved', async () => {
  const number = await open('a');
  await changeTo('b');
  stage.erp.control.setStock('SB-0001', '150');
  const held = await stage.sync();
  expect(held).toMatchObject({ written: 0, held: 2 });
  expect(Number(listing().quantity)).toBe(100);
  expect(stage.erp.control.findOrders(number)).toEqual([]);
  const { store } = stage.app().core.state;
  const reasons = (await store.work.held('main')).map(({ heldFor }) => heldFor);
  const waits = cause('strategy-waits', {
    inForce: 'fulfilled-quantity',
    configured: 'submitted-available',
    open: 1,
  });
  expect(reasons).toEqual([[waits], [waits]]);

  await stage.stop();
  const approved = await plan('--strategy', 'b', '--approve');
  expect(approved.stderr).toContain('from fulfilled-quantity to submitted-available is approved for a day');
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'reserved' }]);
  expect(Number(listing().available)).toBe(143);
  expect(await acts()).toEqual([
    ['strategy', null, 'fulfilled-quantity'],
    ['strategy.approve', 'fulfilled-quantity', 'submitted-available'],
    ['strategy', 'fulfilled-quantity', 'submitted-available'],
  ]);
});

test('an approval of a strategy is valid for one strategy, and is used up', async () => {
  await open('a');
  await stage.stop();
  await plan('--strategy', 'c', '--approve');
  await changeTo('b');
  expect(await stage.sync()).toMatchObject({ written: 0, held: 1 });
  await changeTo('c');
  expect((await stage.sync()).held).toBe(0);
  await changeTo('a');
  stage.erp.control.setStock('SB-0001', '150');
  expect((await stage.sync()).held).toBe(1);
  expect(Number(listing().quantity)).toBe(100);
});

test('an approval of a strategy is valid for a day', async () => {
  await open('b');
  const store = stage.store();
  await store.strategies.approve('main', 'submitted-quantity', 'somebody');
  expect(await store.strategies.approved('main')).toBe('submitted-quantity');
  const dayBefore = Date.now() - 24 * 60 * 60 * 1000 - 1;
  await tamper(stage, "update facts set updated_at_ms = ? where name = 'strategy-approved'", dayBefore);
  expect(await store.strategies.approved('main')).toBeNull();
});

test.each(['Complete', 'Canceled'])(
  'with no order open (%s), a new strategy takes effect by itself and says so',
  async (end) => {
    const number = await open('b');
    if (end === 'Canceled') stage.marketplace.transition(number, 'cancel');
    else {
      stage.erp.control.shipOrder(stage.erp.control.findOrders(number)[0]?.id ?? '');
      for (const step of ['accept', 'fulfill', 'ship', 'complete']) stage.marketplace.transition(number, step);
    }
    await stage.sync();
    await changeTo('a');
    stage.erp.control.setStock('SB-0001', '60');
    expect((await stage.sync()).held).toBe(0);
    expect(Number(listing().available)).toBe(60);
    expect((await acts()).at(-1)).toEqual(['strategy', 'submitted-available', 'fulfilled-quantity']);
  },
);

test('a canceled order is released in the ERP, whatever the strategy', async () => {
  const number = await open('b');
  stage.marketplace.placeOrder({
    customer: stage.marketplace.addCustomer({ name: 'Other Shop', state: 'NV' }),
    items: [{ product: listing().id, quantity: '2' }],
  });
  await stage.sync();
  await changeTo('a');
  stage.marketplace.transition(number, 'cancel');
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'cancelled' }]);
  expect((await acts()).at(-1)).toEqual(['strategy', null, 'submitted-available']);
});

test('a fulfilled order that the ERP has not shipped counts as open', async () => {
  const number = await open('b');
  for (const step of ['accept', 'fulfill']) stage.marketplace.transition(number, step);
  await stage.sync();
  const { store } = stage.app().core.state;
  expect(await store.strategies.openOrders('main')).toBe(1);
  stage.erp.control.shipOrder(stage.erp.control.findOrders(number)[0]?.id ?? '');
  await stage.sync();
  expect(await store.strategies.openOrders('main')).toBe(0);
});

test('plan --strategy lists what changes, and that it needs an approval; nothing is written', async () => {
  const number = await open('b');
  await stage.stop();
  const { stdout, exitCode } = await plan('--strategy', 'a');
  const { id } = listing();
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`main: from submitted-available to fulfilled-quantity
  order ${number}, Submitted: reserved -> not exported
    ERP order ${stage.erp.control.findOrders(number)[0]?.id} stays reserved; 7 units
  listing ${id} (SB-0001): available_inventory 93 -> quantity 100
    buyers can take 93 with both
  1 order exported later
  1 order reserved in the ERP later
  1 listing with another figure written
  1 order is open: the change needs an approval, plan --strategy
  fulfilled-quantity --approve
`);
  const lines = (await plan('--strategy', 'a', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toContainEqual(expect.objectContaining({ whatIf: 'fulfilled-quantity', kind: 'order', number }));
  expect(lines.at(-1)).toMatchObject({ openOrders: 1, needsApproval: true, exportedLater: 1, stock: 1 });
});

test('plan --strategy compares with the strategy in force, whatever the configuration names by then', async () => {
  const number = await open('b');
  await changeTo('a');
  await stage.sync();
  await stage.stop();
  const erpOrder = stage.erp.control.findOrders(number)[0]?.id;
  expect((await plan('--strategy', 'a')).stdout).toContain(`main: from submitted-available to fulfilled-quantity
  order ${number}, Submitted: reserved -> not exported
    ERP order ${erpOrder} stays reserved; 7 units
  listing ${listing().id} (SB-0001): available_inventory 93 -> quantity 100
`);
  const other = await plan('--strategy', 'c', '--approve');
  expect(other.stdout).toContain(`main: from submitted-available to submitted-quantity
  order ${number}, Submitted: reserved -> draft
`);
  expect(other.stdout).not.toContain('exported earlier');
  expect(other.stderr).toContain('the change from submitted-available to submitted-quantity is approved');
  expect((await plan('--strategy', 'c')).stdout).toContain(
    '1 order is open, and the change was approved: there is nothing to approve',
  );
  const own = await plan('--strategy', 'b');
  expect(own.stdout.trimEnd().split('\n').at(-1)).toBe(
    'main: submitted-available is active already, while the configuration names fulfilled-quantity: nothing would change',
  );
  const same = JSON.parse((await plan('--strategy', 'b', '--json')).stdout.trim().split('\n').at(-1) ?? '') as unknown;
  expect(same).toMatchObject({
    from: 'submitted-available',
    to: 'submitted-available',
    needsApproval: false,
    stock: 0,
  });
});

test('status and sync name the strategy in force, and that the change to another one waits', async () => {
  await open('a');
  await changeTo('b');
  const config = ['--config', stage.configFile];
  const waits =
    'The configuration changes the strategy from fulfilled-quantity to submitted-available, but 1 order is open. The change waits for an approval';
  const next =
    'To see the effect: stockbridge plan --strategy submitted-available. To approve the change, add --approve. Otherwise set inventory.strategy ' +
    'back to fulfilled-quantity.';
  const status = async () => {
    const { stdout } = await run(['status', ...config]);
    return stdout.replaceAll(/\s+/g, ' ');
  };
  const named = 'fulfilled-quantity is active, the configuration names submitted-available: ';
  expect(await status()).toContain(`strategy ${named}the change waits for an approval read`);
  expect(await status()).toContain(
    `needs you 1 strategy fulfilled-quantity to submitted-available: your turn inventory.strategy: ${waits} -> ${next}`,
  );
  const json = JSON.parse((await run(['status', '--json', ...config])).stdout) as { accounts: unknown[] };
  expect(json.accounts[0]).toMatchObject({
    strategy: {
      inForce: 'fulfilled-quantity',
      configured: 'submitted-available',
      standing: { kind: 'waits', cause: { code: 'strategy-waits' } },
    },
    needs: expect.arrayContaining([expect.objectContaining({ kind: 'strategy' })]) as unknown,
  });
  expect((await run(['sync', ...config])).stdout.replaceAll(/\s+/g, ' ')).toContain(
    `1 held; 0 written ${waits}. ${next} 1 held for strategy-waits`,
  );

  const doctor = async () => (await run(['doctor', ...config])).stdout.replaceAll(/\s+/g, ' ');
  expect(await doctor()).toContain(`strategy: ${waits}`);

  const { stderr } = await plan('--strategy', 'b', '--approve');
  expect(stderr).toContain(
    'is approved for a day: a daemon that has this strategy configured switches at its next write',
  );
  expect(await status()).toContain(
    `${named}the next start changes to it, since 1 order is open, and the change was approved read`,
  );
  expect(await status()).not.toContain('1 strategy');
  expect(await doctor()).not.toContain('the strategy was changed');
  await run(['sync', ...config]);
  expect(await status()).toContain('main submitted-available state ');
});

test('plan --strategy leaves out orders that no strategy exports: cancelled in the ERP, or made there', async () => {
  const number = await open('b');
  const erpId = stage.erp.control.findOrders(number)[0]?.id ?? '';
  const buyer = stage.marketplace.addCustomer({ name: 'Other Shop', state: 'NV' });
  const { id } = stage.erp.control.createOrder({
    customer: { marketplace_id: buyer },
    lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '2.10' }],
    status: 'reserved',
  });
  await stage.sync();
  const { orders } = stage.store();
  expect(await orders.byExternalId('main', id)).toHaveLength(1);
  await stage.stop();
  stage.erp.control.cancelOrder(erpId);
  for (const strategy of ['a', 'c']) {
    const { stdout } = await plan('--strategy', strategy);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is cancelled in the ERP, but Submitted on the marketplace (your');
    expect(stdout).not.toMatch(/order \S+, (Submitted|Accepted):/);
    expect(stdout).not.toMatch(/exported|reserved in the ERP/);
  }
});

test('plan --strategy names what cannot be determined; plan --approve names what cannot be approved', async () => {
  await open('b', false);
  stage.erp.control.setStock('SB-0001', '-3.00001');
  await stage.sync();
  await stage.stop();
  const { stdout, stderr } = await plan('--strategy', 'a', '--approve');
  expect(stdout).toMatch(/listing \d+ \(SB-0001\): cannot be told\n/);
  expect(stdout).toContain('no order is open: there is nothing to approve');
  expect(stderr).toContain('there is nothing to approve');
  expect((await plan('--approve')).exitCode).toBe(64);
});

test('plan --strategy lists the other listings when the program fails on one', async () => {
  stage = await openStage({ strategy: 'b' });
  stage.erp.control.seed(3);
  await stage.sync();
  await stage.stop();
  const observed = stockFlow.observe;
  const observe = vi.spyOn(stockFlow, 'observe');
  onTestFinished(() => observe.mockRestore());
  observe.mockImplementation((context, key) => {
    return key === 'P-000002' ? Promise.reject(new TypeError('planted')) : observed(context, key);
  });
  const { stdout } = await plan('--strategy', 'a');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/ ERP product P-000002: cannot be told [^:]*planted/);
  expect(stdout.match(/^ {2}listing \d+ /gm)).toHaveLength(2);
});
