import { describe, expect, test } from 'vitest';
import { READS } from '../../src/shadow/collections.ts';
import { run } from '../cli/capture.ts';
import { standStill } from '../support/by-hand.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

let stage: Stage;

/** One SKU with 100 units, in step. */
async function open(strategy: 'b' | 'c' = 'b') {
  stage = await openStage({ strategy });
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '100');
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  await stage.sync();
  const { id } = listing();
  const place = (quantity: string) => marketplace.placeOrder({ customer, items: [{ product: id, quantity }] });
  return { id, marketplace, erp: erp.control, place };
}

const listing = () => stage.marketplace.productBySku('SB-0001');
const available = () => Number(listing().available);
const store = () => stage.store();
const drifts = async () => {
  const found = await store().drifts.ofListing('main', listing().id, 10);
  return found.toReversed().map(({ kind, note }) => [kind, note]);
};
const counted = async () =>
  (await stage.app().core.metrics.drift.get()).values
    .filter(({ value }) => value > 0)
    .map(({ labels, value }) => [labels, value]);

/** From now on, no list shows changes of the marketplace's orders. */
function hideOrders(): void {
  stage.marketplace.faults.set({ kind: 'late-rows', entity: 'orders', ms: 600_000 });
}

/** Dates the figures of the listings back, as if they were old. */
async function standForLong(): Promise<void> {
  await tamper(stage, 'update products set seen_at_ms = seen_at_ms - 120000');
}

async function read(name: 'read:all-products' | 'read:orders' | 'read:erp-stock'): Promise<void> {
  const context = stage.context();
  await READS[name](context, { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) });
}

test('a figure that somebody edited on the marketplace is overwritten, and the edit is recorded with its figures and counted', async () => {
  const { id, marketplace } = await open();
  marketplace.setProduct(id, { quantity: '140' });
  await stage.sync();
  expect(available()).toBe(100);
  const note =
    'expected quantity 100, reserved 0, available 100, and it showed quantity 140, reserved 0, available 140: ' +
    'somebody changed it there: it is written again';
  expect(await drifts()).toEqual([['edited', note]]);
  expect(await counted()).toEqual([[{ account: 'main', kind: 'edited' }, 1]]);
  const [entry] = (await store().journal.of('main', 'stock', 'P-000001', 10)).filter(({ action }) =>
    action.startsWith('drift:'),
  );
  expect(entry).toMatchObject({ action: 'drift:edited', why: note, outcome: 'noted' });
  const { stdout } = await run(['status', '--config', stage.configFile]);
  expect(stdout).toContain('\ndrift      edited 1 in the last day\n');
  await stage.sync();
  expect(await drifts()).toHaveLength(1);
});

test('an order that no list has is recorded as a difference, and its reserved units are not sold again', async () => {
  const { erp, place } = await open();
  hideOrders();
  place('3');
  await stage.sync();
  expect(await drifts()).toEqual([['unknown-order', expect.stringContaining('reserved 3, available 97')]]);
  erp.setStock('SB-0001', '120');
  await stage.sync();
  expect(available()).toBe(117);
  expect(await drifts()).toHaveLength(1);
});

describe('the units of such an order', () => {
  /** 97 of 100 are left, and no list shows the order that took 3. */
  async function take(strategy: 'b' | 'c' = 'b') {
    const opened = await open(strategy);
    hideOrders();
    const { number } = opened.place('3');
    await stage.sync();
    await standForLong();
    await read('read:all-products');
    for (const step of ['accept', 'fulfill']) opened.marketplace.transition(number, step);
    return opened;
  }
  const doubts = async () =>
    (await store().doubts.after(0, 1_000)).map(({ kind, key, sent, state }) => [kind, key, sent, state]);
  const inDoubt = [['unseen-sale', 'P-000001', '3', 'in-doubt']];

  test.each(['b', 'c'] as const)(
    'the units of an order that no list has are not sold again under strategy %s',
    async (strategy) => {
      const { erp } = await take(strategy);
      await stage.sync();
      expect(available()).toBe(97);
      expect(await doubts()).toEqual(inDoubt);
      expect((await drifts()).at(-1)).toEqual(['unknown-order', expect.stringContaining('quantity 97, reserved 0')]);
      erp.setStock('SB-0001', '120');
      await stage.sync();
      expect(available()).toBe(117);
      expect(await doubts()).toEqual(inDoubt);
    },
  );

  test('units of an order that no list shows are not sold again after a write of ours', async () => {
    const { erp } = await take();
    erp.setStock('SB-0001', '120');
    await read('read:erp-stock');
    await until('nothing is left to do', async () => (await store().work.pending('main')) === 0);
    expect(available()).toBe(117);
    await stage.sync();
    expect(available()).toBe(117);
    expect(await doubts()).toEqual(inDoubt);
  });

  test('the difference of an order that no list has is assigned to the order once it is listed', async () => {
    const { marketplace, erp } = await take();
    await stage.sync();
    marketplace.faults.clear();
    await stage.sync();
    await stage.sync();
    expect(erp.state().orders).toHaveLength(1);
    expect(await doubts()).toEqual([]);
    expect(available()).toBe(97);
    erp.setStock('SB-0001', '120');
    await stage.sync();
    expect(available()).toBe(117);
  });

  test('the units of an order that no list has are kept back until an operator says that the ERP counts it', async () => {
    await take();
    await stage.sync();
    const config = ['--config', stage.configFile];
    expect((await run(['jobs', 'list', ...config])).stdout).toContain('no known order explains it');
    const adopted = await run(['jobs', 'resolve', 'stock/P-000001', '--adopt', '7', ...config]);
    expect(adopted.stderr).toContain('the order that took it is not known');
    expect(await doubts()).toEqual(inDoubt);
    const { stdout } = await run(['jobs', 'resolve', 'stock/P-000001', '--retry', ...config]);
    expect(stdout).toContain('unseen-sale P-000001: 3 is offered to buyers again');
    await stage.sync();
    expect(await doubts()).toEqual([]);
    expect(available()).toBe(100);
  });

  test('units that an order without a list entry has released are not kept back', async () => {
    const { marketplace, place } = await open();
    hideOrders();
    const { number } = place('3');
    await stage.sync();
    await standForLong();
    await read('read:all-products');
    marketplace.transition(number, 'cancel');
    await stage.sync();
    expect(available()).toBe(100);
    expect(await doubts()).toEqual([]);
  });
});

test('units of an order that is listed late are not sold again while another order makes the figures uncertain', async () => {
  const { marketplace, place } = await open();
  marketplace.faults.set({ kind: 'late-rows', entity: 'orders', ms: 600_000, times: 1 });
  place('3');
  await stage.sync();
  let most = 0;
  marketplace.onEvent(() => {
    most = Math.max(most, available());
  });
  place('2');
  await read('read:orders');
  await until('nothing is left to do', async () => (await store().work.pending('main')) === 0);
  expect(available()).toBe(95);
  expect(most).toBe(95);
});

test('missing reserved units are not added to a quantity', async () => {
  const { erp, marketplace, place } = await open('c');
  const { number } = place('3');
  await stage.sync();
  hideOrders();
  marketplace.transition(number, 'cancel');
  await stage.sync();
  expect(await drifts()).toEqual([['unknown-order', expect.stringContaining('expected quantity 100, reserved 3')]]);
  erp.setStock('SB-0001', '120');
  await stage.sync();
  expect(available()).toBe(117);
});

test('a line that was added after Accepted, seen with the order for the first time, causes no wrong difference', async () => {
  const { id, marketplace, place } = await open();
  // Nothing writes the stock before the listing is read.
  await standStill(stage);
  const { number } = place('5');
  for (const step of ['accept', 'fulfill']) marketplace.transition(number, step);
  marketplace.addLine(number, { product: id, quantity: '4' });
  await read('read:orders');
  await read('read:all-products');
  await stage.stop();
  await stage.sync();
  expect(await drifts()).toEqual([['late-line', expect.stringContaining('quantity 91,')]]);
});

test('an overwritten figure that returns is recorded as drift', async () => {
  const { id, marketplace, erp } = await open();
  erp.setStock('SB-0001', '90');
  await stage.sync();
  marketplace.setProduct(id, { quantity: '100' });
  await stage.sync();
  expect(available()).toBe(90);
  expect(await drifts()).toEqual([['own-write', expect.stringContaining('it showed quantity 100')]]);
});

test('orders that are read after their listing explain its figures: no difference is reported', async () => {
  const { marketplace, place } = await open();
  const first = place('3');
  place('5');
  marketplace.transition(first.number, 'accept');
  await read('read:all-products');
  expect(await store().drifts.open('main', listing().id)).toMatchObject({ kind: null });
  await stage.sync();
  marketplace.transition(first.number, 'fulfill');
  await read('read:all-products');
  await stage.sync();
  expect(await drifts()).toEqual([]);
  expect(await store().drifts.open('main', listing().id)).toBeNull();
  expect(available()).toBe(92);
});

test('an edit together with an order that is read later is recorded as an edit', async () => {
  const { id, marketplace, place } = await open();
  place('3');
  marketplace.setProduct(id, { quantity: '150' });
  await read('read:all-products');
  await stage.sync();
  expect((await drifts()).map(([kind]) => kind)).toEqual(['edited']);
  expect(available()).toBe(97);
});

test('the drift record keeps the newest differences', async () => {
  await open();
  await tamper(
    stage,
    `insert into drifts (account, listing_id, tick, quantity, reserved, shown_quantity, shown_reserved, kind, seen_at_ms)
     with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 1010)
     select 'main', 1, 1, '1', '0', '1', '0', iif(n = 0, null, 'edited'), 1 from numbers`,
  );
  await store().drifts.prune();
  expect((await store().drifts.counts('main', 0))[0]?.count).toBe(1_000);
  expect(await store().drifts.open('main', 1)).not.toBeNull();
});
