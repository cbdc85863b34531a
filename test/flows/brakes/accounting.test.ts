import { describe, expect, test } from 'vitest';
import { cause, sentenceOf } from '../../../src/domain/causes/cause.ts';
import { holdInPlan } from '../../../src/flows/engine/hold-in-plan.ts';
import type { BrakeItem, BrakePlan } from '../../../src/store/record.ts';
import { hashOf } from '../../../src/store/sql/brakes.ts';
import { order, orderBatch, useShelf } from '../../store/shelf.ts';
import { causeOf } from '../../support/causes.ts';
import { DAY_MS, openShop, PASS_MS } from './shop.ts';

const shelf = useShelf();
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('a write of an earlier pass counts only for the limit of the day', async () => {
  const shop = await openShop(shelf(), 20, { archive: { count: 3, percent: 100, day: { count: 7 } } });
  for (const [first, written] of [
    [1, 3],
    [4, 3],
    [7, 0],
  ] as const) {
    await shop.changeErp(upTo(first + 2, first), { active: false });
    await shop.work();
    expect(shop.takeWrites()).toHaveLength(written);
    shelf().nowMs += PASS_MS + 1;
  }
  expect((await shop.reasons())[0]).toContain('"too-many-writes","params":{"count":9,"span":"day","most":7}');
});

test('writes of another kind of the same flow do not count for a brake', async () => {
  const shop = await openShop(shelf(), 10, { archive: { count: 2, percent: 100 } });
  await shop.changeErp([1, 2], { active: false });
  await shop.changeErp(upTo(8, 3), { price: '11' });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(8);
});

test('the share of rejections is of the open orders, whatever the size of the catalogue', async () => {
  const shop = await openShop(shelf(), 40, { reject: { count: 1_000, percent: 50 } });
  await shop.cancelOrders(upTo(3));
  const ended = ['Rejected', 'Canceled', 'Complete'].flatMap((status) =>
    upTo(20).map((number) => order({ number: `${status}-${number}`, status, lines: [] })),
  );
  await shop.context.store.orders.record(orderBatch(ended));
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  expect((await shop.reasons()).find((reason) => reason.includes('"brake":"reject"'))).toContain(
    '"percent":"50","of":3',
  );
});

test('a single step of a price has its own limit', async () => {
  const shop = await openShop(shelf(), 3, { price: { percent: 50, day: { percent: 100 } } });
  await shop.changeErp([1], { price: '16' });
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  expect(await shop.reasons()).toEqual([
    expect.stringContaining('"price-moves-far","params":{"percent":"60.0","span":"pass","most":"50","otherCase":null}'),
  ]);
});

test('a price move of yesterday does not count for the limit of today', async () => {
  const shop = await openShop(shelf(), 3, {});
  for (const price of ['14', '20']) {
    await shop.changeErp([1], { price });
    await shop.work();
    shelf().nowMs += DAY_MS + 1;
  }
  expect(shop.takeWrites()).toHaveLength(2);
});

test('a price write with an unknown outcome counts for the brake', async () => {
  const { store } = (await openShop(shelf(), 1, {})).context;
  const entry = { account: 'main', flow: 'product', key: 'P-1', action: 'product.price:price', target: '', why: '' };
  await store.journal.add({ ...entry, before: '10 USD', after: '14 USD', outcome: 'unknown', answer: '' });
  expect(await store.brakes.priceBefore('main', 'product', 'P-1', entry.action, 0)).toBe('10 USD');
});

const PLAN: BrakePlan = {
  id: 1,
  account: 'main',
  flow: 'product',
  kind: 'archive',
  holdsAll: true,
  reason: causeOf('too many'),
  state: 'open',
  decidedBy: null,
  createdAtMs: 0,
  expiresAtMs: DAY_MS,
};
const ITEM: BrakeItem = {
  id: 1,
  account: 'main',
  flow: 'product',
  key: 'P-1',
  planId: 1,
  action: 'product.archive',
  target: 'listing 1',
  before: 'listed',
  after: 'archived',
  why: 'gone',
  reason: causeOf('too many'),
  state: 'held',
};

test.each(['key', 'action', 'target', 'after'] as const)(
  'the hash of a plan changes with the %s of a write',
  (field) => {
    expect(hashOf(PLAN, [{ ...ITEM, [field]: 'another' }])).not.toBe(hashOf(PLAN, [ITEM]));
  },
);

test('the hash of a plan covers only the writes that an approval would release, not the approved ones', () => {
  const approved = { ...ITEM, id: 2, key: 'P-2', state: 'approved' as const };
  expect(hashOf(PLAN, [ITEM, approved])).toBe(hashOf(PLAN, [ITEM]));
});

describe('plans', () => {
  const pool = { account: 'main', flow: 'product', kind: 'archive' } as const;
  const write = (key: string, after = 'archived') => ({
    key,
    action: 'product.archive',
    target: `listing ${key}`,
    before: 'listed',
    after,
    why: 'gone',
  });
  const holding = { holdsAll: false, reason: causeOf('too many'), expiryMs: DAY_MS };
  const decision = { except: [], expiryMs: { main: DAY_MS }, by: 'eve' };
  const thePlan = async () => {
    const [found, another] = await shelf().store.brakes.list();
    if (found === undefined || another !== undefined) throw new Error('there is not exactly one plan');
    return found;
  };

  test('a plan holds all writes of its kind once one of them held all, also after it was opened anew', async () => {
    const { brakes } = shelf().store;
    await brakes.hold(pool, [write('P-1')], holding);
    expect(await brakes.holdingAll(pool)).toBeNull();
    await brakes.hold(pool, [write('P-2')], { ...holding, holdsAll: true });
    expect(await brakes.holdingAll(pool)).not.toBeNull();
    shelf().nowMs += DAY_MS;
    await brakes.hold(pool, [write('P-1')], holding);
    expect((await thePlan()).plan).toMatchObject({ id: 2, holdsAll: true });
  });

  test('each item of a plan keeps its own reason until its write changes', async () => {
    const { brakes } = shelf().store;
    await brakes.hold(pool, [write('P-1')], { ...holding, reason: causeOf('first') });
    await brakes.hold(pool, [write('P-2')], { ...holding, reason: causeOf('second') });
    const reasons = async () => (await thePlan()).items.map(({ reason }) => sentenceOf(reason));
    expect(await reasons()).toEqual(['first', 'second']);
    await brakes.hold(pool, [write('P-1')], { ...holding, reason: causeOf('third') });
    expect(await reasons()).toEqual(['first', 'second']);
    await brakes.hold(pool, [write('P-1', 'other')], { ...holding, reason: causeOf('third') });
    expect(await reasons()).toEqual(['third', 'second']);
  });

  test('an item that was decided keeps its decision until its write changes', async () => {
    const { brakes } = shelf().store;
    await brakes.hold(pool, [write('P-1'), write('P-2')], holding);
    await brakes.approve({ id: 1 }, { ...decision, except: [{ flow: 'product', key: 'P-2' }] });
    await brakes.hold(pool, [write('P-1'), write('P-2')], holding);
    const states = async () =>
      (await brakes.list()).flatMap(({ items }) => items.map(({ key, state }) => [key, state]));
    expect(await states()).toEqual([
      ['P-1', 'approved'],
      ['P-2', 'vetoed'],
    ]);
    await brakes.hold(pool, [write('P-1', 'other')], holding);
    expect(await states()).toContainEqual(['P-1', 'held']);
  });

  test('a veto applies only to the write that it was given for', async () => {
    const { brakes } = shelf().store;
    await brakes.hold(pool, [write('P-1'), write('P-2')], holding);
    await brakes.approve({ id: 1 }, { ...decision, except: [{ flow: 'product', key: 'P-2' }] });
    await brakes.keepOnly('main', 'product', 'P-2', [write('P-2')]);
    expect((await thePlan()).items).toHaveLength(2);
    await brakes.keepOnly('main', 'product', 'P-2', [write('P-2', 'other')]);
    expect((await thePlan()).items.map(({ key }) => key)).toEqual(['P-1']);
  });

  test('an approval of no items is refused', async () => {
    const { brakes } = shelf().store;
    await brakes.hold(pool, [write('P-1')], holding);
    const nothing = brakes.approve({ id: 1 }, { ...decision, except: [{ flow: 'product', key: 'P-1' }] });
    await expect(nothing).rejects.toThrow('nothing of plan 1 is left to approve');
  });

  test('a plan that holds all is complete from the beginning', async () => {
    const shop = await openShop(shelf(), 3, { archive: { count: 0 } });
    const limit = { limit: { count: 0, percent: null }, written: 0, movedPercent: null };
    const others = [write('P-2'), write('P-3')];
    const state = { pass: limit, day: limit, others, of: 3, isUnlinked: false, holdingAll: null, item: null };
    const policy = { dryRun: false, paused: null, brake: state };
    const action = { ...write('P-1'), brake: 'archive' } as const;
    const why = cause('links-unknown');
    const verdict = { allowed: false, cause: why, hold: 'all', waits: false, exceeds: causeOf('too many') } as const;
    await holdInPlan(shop.context, { flow: 'product', key: 'P-1' }, action, verdict, policy);
    expect((await thePlan()).items.map(({ key }) => key)).toEqual(['P-1', 'P-2', 'P-3']);
  });

  test('an approval is used up by the write that it was given for', async () => {
    const { brakes } = shelf().store;
    const { id } = await brakes.hold(pool, [write('P-1')], holding);
    await brakes.approve({ id }, decision);
    const [item] = await brakes.itemsOf('main', 'product', 'P-1');
    await brakes.used(item?.id ?? 0);
    expect(await brakes.list()).toEqual([]);
  });
});
