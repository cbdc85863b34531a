import { expect, test } from 'vitest';
import { cause, sentenceOf } from '../../../src/domain/causes/cause.ts';
import { BrakeDecisionError, type BrakedWrite } from '../../../src/store/record.ts';
import { causeOf } from '../../support/causes.ts';
import { at, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const brakes = () => shelf().store.brakes;
const POOL = { account: 'main', flow: 'product', kind: 'archive' };
const LIMIT = { holdsAll: true, reason: causeOf('more than 1 a day'), expiryMs: 1_000 };

const archive = (key: string, after = 'archived'): BrakedWrite => {
  return {
    key,
    action: 'product.archive',
    target: `listing ${key}`,
    before: 'listed',
    after,
    why: 'deleted in the ERP',
  };
};
const itemsOf = async (key: string) => {
  const items = await brakes().itemsOf('main', 'product', key);
  return items.map(({ state, after, reason }) => `${state} ${after}: ${sentenceOf(reason)}`);
};
const thePlan = async () => {
  const [found] = await brakes().list('main');
  if (found === undefined) throw new Error('there is no plan');
  return found;
};

test('held writes share the open plan of their pool, each once, under the reason it was held for first', async () => {
  const plan = await brakes().hold(POOL, [archive('P-1')], LIMIT);
  expect(await brakes().hold(POOL, [archive('P-1'), archive('P-2')], { ...LIMIT, reason: causeOf('another') })).toEqual(
    plan,
  );
  expect([await itemsOf('P-1'), await itemsOf('P-2')]).toEqual([
    ['held archived: more than 1 a day'],
    ['held archived: another'],
  ]);
  expect(await brakes().holdingAll(POOL)).toEqual(plan);
  expect(await brakes().holdingAll({ ...POOL, kind: 'price' })).toBeNull();
  expect(await brakes().list('other')).toEqual([]);
  expect(await brakes().openPlans()).toEqual([{ account: 'main', kind: POOL.kind, count: 1 }]);
  const { plan: shown, items, hash } = await thePlan();
  expect(await brakes().open('main')).toEqual([{ plan: shown, count: 2, first: items[0], hash }]);
  expect(await brakes().open('other')).toEqual([]);
});

test('an expired plan is opened anew, with its writes', async () => {
  const { id } = await brakes().hold(POOL, [archive('P-1')], LIMIT);
  shelf().nowMs += LIMIT.expiryMs;
  expect((await brakes().hold(POOL, [archive('P-2')], LIMIT)).id).toBeGreaterThan(id);
  const { items } = await thePlan();
  expect(items.map(({ key }) => key)).toEqual(['P-1', 'P-2']);
});

test('a write that is no longer wanted is removed, and so is an empty plan', async () => {
  await brakes().hold(POOL, [archive('P-1')], LIMIT);
  await brakes().keepOnly('main', 'product', 'P-1', [archive('P-1')]);
  expect(await itemsOf('P-1')).toHaveLength(1);
  await brakes().keepOnly('main', 'product', 'P-1', []);
  expect(await brakes().list()).toEqual([]);
});

test('a key that needs no write leaves its plan', async () => {
  await brakes().hold(POOL, [archive('P-1'), archive('P-2')], LIMIT);
  const { work } = shelf().store;
  const key = { account: 'main', flow: 'product', key: 'P-1' };
  await work.mark([key], 'poll', 'it changed');
  const version = (await work.get(key))?.version ?? 0;
  expect(await work.settle(key, version - 1)).toBe(false);
  expect(await itemsOf('P-1')).toHaveLength(1);
  expect(await work.settle(key, version)).toBe(true);
  expect(await itemsOf('P-1')).toEqual([]);
  expect(await itemsOf('P-2')).toHaveLength(1);
});

test('an approval is bound to the listed writes, releases each write once, and marks its keys', async () => {
  await brakes().hold(POOL, [archive('P-1'), archive('P-2')], LIMIT);
  const { plan, hash, items } = await thePlan();
  await brakes().hold(POOL, [archive('P-3')], LIMIT);
  const what = { except: [{ flow: 'product', key: 'P-2' }], expiryMs: { main: 500 }, by: 'Ann' };
  await expect(brakes().approve({ hash }, what)).rejects.toThrow(BrakeDecisionError);
  const { approved, vetoed } = await brakes().approve({ id: plan.id }, what);
  expect([approved.map(({ key }) => key), vetoed.map(({ key }) => key)]).toEqual([['P-1', 'P-3'], ['P-2']]);
  const due = await shelf().store.work.due('main', 10);
  expect(due.map(({ flow, key }) => `${flow} ${key}`).sort()).toEqual(['product P-1', 'product P-2', 'product P-3']);
  expect((await brakes().decided(POOL)).map(({ key }) => key)).toEqual(['P-1', 'P-2', 'P-3']);
  await brakes().used(items[0]?.id ?? 0);
  expect(await itemsOf('P-1')).toEqual([]);
  shelf().nowMs += 500;
  expect((await brakes().decided(POOL)).map(({ key }) => key)).toEqual(['P-2']);
});

test('a write that was decided while it was judged opens no plan', async () => {
  const plan = await brakes().hold(POOL, [archive('P-1'), archive('P-2')], LIMIT);
  await brakes().approve(
    { id: plan.id },
    { except: [{ flow: 'product', key: 'P-2' }], expiryMs: { main: 1_000 }, by: 'maria' },
  );
  await brakes().hold(POOL, [archive('P-1'), archive('P-2')], LIMIT);
  expect(await brakes().open('main')).toEqual([]);
  expect(await itemsOf('P-1')).toEqual(['approved archived: more than 1 a day']);
});

test('a dropped write stays dropped until it changes', async () => {
  await brakes().hold(POOL, [archive('P-1')], LIMIT);
  const { dropped } = await brakes().drop({ hash: (await thePlan()).hash }, 'Ann');
  expect(dropped.map(({ key }) => key)).toEqual(['P-1']);
  await brakes().hold(POOL, [archive('P-1')], LIMIT);
  expect(await itemsOf('P-1')).toEqual(['dropped archived: more than 1 a day']);
  await brakes().keepOnly('main', 'product', 'P-1', [archive('P-1', 'archived for good')]);
  expect(await itemsOf('P-1')).toEqual([]);
  await expect(brakes().drop({ id: 99 }, 'Ann')).rejects.toThrow(/no plan 99/);
});

test('undoing a drop holds its writes again, with those of their kind held since, and marks them', async () => {
  const [, kept] = [await brakes().hold(POOL, [archive('P-1')], LIMIT), (await thePlan()).plan];
  await brakes().drop({ id: kept.id }, 'Ann');
  expect((await brakes().restore(kept.id, 'Ann')).restored.map(({ key }) => key)).toEqual(['P-1']);
  expect((await thePlan()).plan).toMatchObject({ id: kept.id, state: 'open', decidedBy: null });
  expect(await itemsOf('P-1')).toEqual(['held archived: more than 1 a day']);
  expect((await shelf().store.work.due('main', 10)).map(({ key }) => key)).toContain('P-1');
  await brakes().drop({ id: kept.id }, 'Ann');
  const since = await brakes().hold(POOL, [archive('P-2')], LIMIT);
  await brakes().restore(kept.id, 'Ann');
  const plans = await brakes().list();
  expect(plans.map(({ plan, items }) => [plan.id, items.map(({ key, state }) => `${key} ${state}`)])).toEqual([
    [since.id, ['P-1 held', 'P-2 held']],
  ]);
  await expect(brakes().restore(kept.id, 'Ann')).rejects.toThrow(BrakeDecisionError);
});

test('the waiting keys of a brake are those that are due, in the version that they wait in', async () => {
  const key = { account: 'main', flow: 'product', key: 'P-1' };
  await shelf().store.work.mark([key, { ...key, flow: 'stock' }], 'poll', 'it changed');
  const [waiting] = await brakes().waitingKeys('main', ['product']);
  expect(waiting?.key).toBe('P-1');
  await shelf().store.work.mark([key], 'poll', 'it changed again');
  expect(await brakes().waitingKeys('main', ['product'])).not.toEqual([waiting]);
  expect(await brakes().waitingKeys('other', ['product'])).toEqual([]);
});

test('keys that are held until the first links are made count as waiting, and no other held keys', async () => {
  const { work } = shelf().store;
  const [unlinked, other] = ['P-1', 'P-2'].map((key) => ({ account: 'main', flow: 'stock', key }));
  if (unlinked === undefined || other === undefined) throw new Error('no keys');
  await work.mark([unlinked, other], 'poll', 'it changed');
  await work.hold(unlinked, 1, [cause('links-unknown')]);
  await work.hold(other, 1, [cause('listings-unread')]);
  expect((await brakes().waitingKeys('main', ['stock'])).map(({ key }) => key)).toEqual(['P-1']);
});

test('the price brake compares with the price before the first unapproved change', async () => {
  const entry = { account: 'main', flow: 'product', key: 'P-1', target: 'listing 70', why: 'it differs', answer: '' };
  const change = (before: string, after: string, action = 'product.patch:price') =>
    shelf().store.journal.add({ ...entry, action, before, after, outcome: 'written' });
  const priceBefore = (flow = 'product') => brakes().priceBefore('main', flow, 'P-1', 'product.patch:price', 0);
  expect(await priceBefore()).toBeNull();
  await change('10 USD', '11 USD');
  await change('11 USD', '12 USD');
  expect(await priceBefore()).toBe('10 USD');
  expect(await priceBefore('customer-out')).toBeNull();
});

test('a decision on orders of the past is stored with each order', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch(['o-1', 'o-2', 'o-3'].map((number) => order({ number }))));
  const pool = { account: 'main', flow: 'order-in', kind: 'history' };
  const enter = (key: string) => ({ ...archive(key, 'entered in the ERP'), action: 'order-in.enter' });
  await brakes().hold(pool, [enter('o-1'), enter('o-2')], LIMIT);
  const { hash } = await thePlan();
  const except = [{ flow: 'order-in', key: 'o-2' }];
  await brakes().approve({ hash }, { except, expiryMs: { main: 1_000 }, by: 'anna' });
  const { id } = await brakes().hold(pool, [enter('o-3')], LIMIT);
  await brakes().drop({ id }, 'anna');
  const decided = async (number: string) => (await store.orders.get('main', number))?.seen.history;
  expect([await decided('o-1'), await decided('o-2'), await decided('o-3')]).toEqual(['enter', 'leave', 'leave']);
  await store.orders.record(orderBatch([order({ number: 'o-2', status: 'Complete', modified: at(9) })]));
  expect((await store.orders.get('main', 'o-2'))?.seen).toEqual({
    firstModified: order().modified,
    firstStatus: 'Submitted',
    history: 'leave',
  });
});
