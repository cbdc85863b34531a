import { describe, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { useShelf } from '../../store/shelf.ts';
import { DAY_MS, openShop, PASS_MS, type Shop } from './shop.ts';

const shelf = useShelf();
const SIZE = 12;
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

type Change = (shop: Shop, ids: readonly number[]) => Promise<void>;

/** For each kind of brake, a change that causes such writes. */
const KINDS: Record<string, Change> = {
  archive: (shop, ids) => shop.changeErp(ids, { active: false }),
  zero: (shop, ids) => shop.stock(ids, '0'),
  increase: (shop, ids) => shop.stock(ids, '60'),
  price: (shop, ids) => shop.changeErp(ids, { price: '11' }),
  reject: (shop, ids) => shop.cancelOrders(ids),
};
const kinds = Object.entries(KINDS);
const open = (kind: string, limits: Record<string, unknown>) =>
  openShop(shelf(), SIZE, { [kind]: { percent: kind === 'price' ? 50 : 100, ...limits } });

describe.each(kinds)('%s', (kind, change) => {
  test.each([
    ['below', 4, 4],
    ['at', 5, 5],
    ['above', 6, 0],
  ])('a pass one %s the count of 5: of %i, %i are written', async (_, count, written) => {
    const shop = await open(kind, { count: 5 });
    await change(shop, upTo(count));
    await shop.work();
    expect(shop.takeWrites()).toHaveLength(written);
    const plans = await shop.plans();
    expect(plans.map(({ plan, items }) => [plan.kind, plan.holdsAll, items.length])).toEqual(
      written === 0 ? [[kind, true, count]] : [],
    );
    // The result stays the same after further looks.
    await shop.lookAgain();
    expect(shop.takeWrites()).toEqual([]);
  });

  test('writes that trickle in within one pass are counted together', async () => {
    const shop = await open(kind, { count: 5, day: { count: 30 } });
    for (const id of upTo(5)) {
      await change(shop, [id]);
      await shop.work();
      shelf().nowMs += PASS_MS / 10;
    }
    expect(shop.takeWrites()).toHaveLength(5);
    await change(shop, [6]);
    await shop.work();
    expect(shop.takeWrites()).toEqual([]);
    expect((await shop.thePlan()).items).toHaveLength(1);
  });

  test('passes that each stay below the limit stop at the limit of the day, and go on a day later', async () => {
    const shop = await open(kind, { count: 5, day: { count: 8 } });
    for (const id of upTo(8)) {
      await change(shop, [id]);
      await shop.work();
      shelf().nowMs += DAY_MS / 10;
    }
    expect(shop.takeWrites()).toHaveLength(8);
    // The first was written 0.8 days ago.
    await change(shop, [9]);
    await shop.work();
    expect(shop.takeWrites()).toEqual([]);
    expect(await shop.reasons()).toEqual([expect.stringContaining('{"count":9,"span":"day","most":8}')]);
    // Writes in a plan go on waiting. Once the plan is decided, there is room for new writes.
    shelf().nowMs += DAY_MS / 4;
    await shop.lookAgain();
    expect(shop.takeWrites()).toEqual([]);
    await shop.context.store.brakes.drop({ id: (await shop.thePlan()).plan.id }, 'eve');
    await change(shop, [10]);
    await shop.work();
    expect(shop.takeWrites()).toHaveLength(1);
  });
});

describe.each(kinds.filter(([kind]) => kind !== 'price' && kind !== 'reject'))('%s, by share', (kind, change) => {
  test.each([
    ['below', 3, 3],
    ['at', 4, 4],
    ['above', 5, 0],
  ])('a share of 20 percent: one write %s 20 percent of 20', async (_, count, written) => {
    const shop = await openShop(shelf(), 20, { [kind]: { count: 1_000, percent: 20 } });
    await change(shop, upTo(count));
    await shop.work();
    expect(shop.takeWrites()).toHaveLength(written);
  });
});

test('rejections are limited by their share of the open orders', async () => {
  const shop = await openShop(shelf(), 1, { reject: { count: 1_000, percent: 25, day: { percent: 100 } } });
  await shop.cancelOrders(upTo(20));
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
});

test.each([
  ['14.99', true],
  ['15', true],
  ['15.01', false],
  ['5', true],
  ['4.99', false],
])('a price move from 10 to %s, with 50 percent allowed: %s', async (price, allowed) => {
  const shop = await openShop(shelf(), 2, {});
  await shop.changeErp([1], { price });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(allowed ? 1 : 0);
});

test('many small price steps in a day count as one large step', async () => {
  const shop = await openShop(shelf(), 2, {});
  for (const price of ['12', '14', '15']) {
    await shop.changeErp([1], { price });
    await shop.work();
    shelf().nowMs += DAY_MS / 8;
  }
  expect(shop.takeWrites()).toHaveLength(3);
  await shop.changeErp([1], { price: '15.5' });
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  expect(await shop.reasons()).toEqual([
    expect.stringContaining('{"percent":"55.0","span":"day","most":"50","otherCase":null}'),
  ]);
});

test('a held price blocks neither the name of its product nor other prices', async () => {
  const shop = await openShop(shelf(), 3, {});
  await shop.changeErp([1], { price: '100', name: 'New' });
  await shop.changeErp([2], { price: '11' });
  await shop.work();
  expect(shop.takeWrites().toSorted()).toEqual([
    '1 {"name":"New"}',
    '2 {"wholesale_price":{"amount":11,"currency":"USD"}}',
  ]);
  expect((await shop.thePlan()).items).toMatchObject([{ key: 'P-1', before: '10 USD', after: '100 USD' }]);
});

test('a price that was corrected needs no approval', async () => {
  const shop = await openShop(shelf(), 3, {});
  await shop.changeErp([1], { price: '100' });
  await shop.work();
  await shop.changeErp([1], { price: '10.50' });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(1);
  await shop.lookAgain();
  expect(await shop.plans()).toEqual([]);
});

test('the next price move is measured from the approved price', async () => {
  const shop = await openShop(shelf(), 3, {});
  await shop.changeErp([1], { price: '100' });
  await shop.work();
  await shop.approve((await shop.thePlan()).hash);
  await shop.work();
  await shop.changeErp([1], { price: '140' });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(2);
  await shop.changeErp([1], { price: '151' });
  await shop.work();
  expect(await shop.reasons()).toEqual([expect.stringContaining('{"percent":"51.0","span":"day",')]);
});

test('zeroings that are still held when the last link is made count for the next zeroing that is judged', async () => {
  const shop = await open('zero', { count: 5 });
  await shop.stock(upTo(6), '0');
  const { work } = shelf().store;
  for (const { account, flow, key, version } of (await work.due('main', 100)).slice(1)) {
    await work.hold({ account, flow, key }, version, [cause('links-unknown')]);
  }
  await shop.work();
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  expect((await shop.thePlan()).items).toHaveLength(6);
});
