import { expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import { useShelf } from '../../store/shelf.ts';
import { DAY_MS, openShop, type Shop } from './shop.ts';

const shelf = useShelf();
const ARCHIVE = { archive: { count: 2, percent: 100 } };
const four = [1, 2, 3, 4];

/** A plan: four archives where two are allowed. */
async function withPlan(brakes: Record<string, unknown> = ARCHIVE): Promise<Shop> {
  const shop = await openShop(shelf(), 10, brakes);
  await shop.changeErp(four, { active: false });
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  return shop;
}

test('a plan lists exactly the writes that it holds, and everything else goes on', async () => {
  const shop = await withPlan();
  const { plan, items } = await shop.thePlan();
  expect(plan).toMatchObject({ account: 'main', flow: 'product', kind: 'archive', state: 'open', holdsAll: true });
  expect(plan.expiresAtMs - plan.createdAtMs).toBe(DAY_MS);
  expect(items).toMatchObject(
    four.map((id) => ({ key: `P-${id}`, target: `listing ${id} (SB-${id})`, before: 'listed', after: 'archived' })),
  );
  await shop.stock([7], '0');
  await shop.changeErp([8], { name: 'New', price: '11' });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(3);
});

test('each write of an approved plan is made once, and no other write is made', async () => {
  const shop = await withPlan();
  await shop.approve((await shop.thePlan()).hash);
  await shop.work();
  expect(shop.takeWrites().toSorted()).toEqual(four.map((id) => `archive ${id}`));
  expect(await shop.plans()).toEqual([]);
  // Writes that an operator approved do not use up the limits.
  await shop.changeErp([5, 6], { active: false });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(2);
  await shop.changeErp([7], { active: false });
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
});

test('a write that joins an open plan invalidates an approval of the earlier list', async () => {
  const shop = await withPlan();
  const { hash, plan } = await shop.thePlan();
  await shop.changeErp([5], { active: false });
  await shop.work();
  const joined = await shop.thePlan();
  expect([joined.plan.id, joined.items.length]).toEqual([plan.id, 5]);
  expect(joined.hash).not.toBe(hash);
  await expect(shop.approve(hash)).rejects.toThrow(/it has changed since it was shown/);
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  await shop.approve(joined.hash);
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(5);
});

test('a write that differs from the approved one is held again', async () => {
  const shop = await openShop(shelf(), 10, { increase: { count: 2 } });
  await shop.stock(four, '60');
  await shop.work();
  await shop.approve((await shop.thePlan()).hash);
  await shop.stock([1], '90');
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(3);
  const { items } = await shop.thePlan();
  expect(items).toMatchObject([{ key: 'P-1', after: '90', state: 'held', reason: { code: 'approved-otherwise' } }]);
  // The plan holds no other write of its kind.
  await shop.stock([5], '60');
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(1);
});

test('a write that is no longer wanted leaves the plan', async () => {
  const shop = await withPlan();
  const { hash } = await shop.thePlan();
  await shop.changeErp([1], { active: true });
  await shop.work();
  const left = await shop.thePlan();
  expect(left.items.map(({ key }) => key)).toEqual(['P-2', 'P-3', 'P-4']);
  await expect(shop.approve(hash)).rejects.toThrow(/has changed/);
  // A write that waits for an operator goes on waiting, even within the limit.
  await shop.changeErp([2], { active: true });
  await shop.work();
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  await shop.changeErp([3, 4], { active: true });
  await shop.work();
  expect(await shop.plans()).toEqual([]);
});

test('a veto holds single items until their write changes', async () => {
  const shop = await withPlan();
  const { hash, plan } = await shop.thePlan();
  const { vetoed } = await shop.approve(hash, 2);
  expect(vetoed.map(({ key }) => key)).toEqual(['P-2']);
  await shop.work();
  await shop.lookAgain();
  expect(shop.takeWrites().toSorted()).toEqual(['archive 1', 'archive 3', 'archive 4']);
  expect(await shop.reasons()).toEqual([expect.stringContaining('"state":"vetoed","by":"eve"')]);
  // The product is sold again, and then not: a new write, within the limits.
  await shop.changeErp([2], { active: true });
  await shop.work();
  expect(await shop.plans()).toEqual([]);
  await shop.changeErp([2], { active: false });
  await shop.work();
  expect(shop.takeWrites()).toEqual(['archive 2']);
  expect(plan.id).toBe(1);
});

test('a veto of an item that the plan does not hold has no effect', async () => {
  const shop = await withPlan();
  await expect(shop.approve((await shop.thePlan()).hash, 2, 9)).rejects.toThrow('holds no item product/P-9');
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
});

test('an approval that is not used in time expires, and the write is held again', async () => {
  const shop = await withPlan();
  const { hash } = await shop.thePlan();
  shop.fail(() => new CallFailure('down', { side: 'marketplace', kind: 'refused', outcome: 'not-applied' }));
  await shop.approve(hash);
  await shop.work();
  shop.fail(null);
  shelf().nowMs += DAY_MS;
  for (const { account, flow, key } of await shop.context.store.work.failed()) {
    await shop.context.store.work.mark([{ account, flow, key }], 'operator', 'replayed');
  }
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  const { plan, items } = await shop.thePlan();
  expect([plan.state, plan.id, items.length]).toEqual(['open', 2, 4]);
});

test('a write that was refused or lost keeps its approval until it is made', async () => {
  const shop = await withPlan();
  let lost = true;
  shop.fail(() =>
    lost ? new CallFailure('lost', { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' }) : null,
  );
  await shop.approve((await shop.thePlan()).hash);
  await shop.work();
  lost = false;
  for (const { account, flow, key } of await shop.context.store.work.failed()) {
    await shop.context.store.work.mark([{ account, flow, key }], 'operator', 'replayed');
  }
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(4);
  expect(await shop.plans()).toEqual([]);
});

test('an approved write that succeeds without an effect waits for a change, and then for another approval', async () => {
  const shop = await openShop(shelf(), 10, { zero: { count: 2, percent: 100 } });
  shop.turnDeaf();
  await shop.stock(four, '0');
  await shop.work();
  const { hash, items } = await shop.thePlan();
  await shop.approve(hash);
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(4);
  await shop.lookAgain();
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  expect(await shop.plans()).toEqual([]);
  const targets = items.map(({ account, flow, key }) => ({ account, flow, key }));
  await shop.context.store.work.markAfresh(targets, 'backfill', 'the daily pass');
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  const again = await shop.thePlan();
  expect([again.plan.state, again.items.length]).toEqual(['open', 4]);
});

test('an expired plan cannot be approved; it is opened anew with another hash', async () => {
  const shop = await withPlan();
  const { hash } = await shop.thePlan();
  shelf().nowMs += DAY_MS;
  await expect(shop.approve(hash)).rejects.toThrow('plan 1 has expired');
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  const again = await shop.thePlan();
  expect([again.plan.id, again.items.length, again.plan.state]).toEqual([2, 4, 'open']);
  expect(again.hash).not.toBe(hash);
  await shop.approve(again.hash);
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(4);
});

test('a dropped write is held until it changes, and can still be approved', async () => {
  const shop = await withPlan();
  const { plan } = await shop.thePlan();
  await shop.context.store.brakes.drop({ id: plan.id }, 'eve');
  await shop.work();
  shelf().nowMs += 2 * DAY_MS;
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  expect(await shop.reasons()).toEqual(
    four.map(() => expect.stringContaining('"state":"dropped","by":"eve"') as string),
  );
  // The plan holds no other write.
  await shop.changeErp([5, 6], { active: false });
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(2);
  await shop.approve((await shop.thePlan()).hash);
  await shop.work();
  expect(shop.takeWrites()).toHaveLength(4);
});

test('an approved write that is not made yet can still be dropped', async () => {
  const shop = await withPlan();
  await shop.approve((await shop.thePlan()).hash);
  await shop.context.store.brakes.drop({ id: 1 }, 'eve');
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
});

test('a dry run makes no plan and counts nothing', async () => {
  const shop = await openShop(shelf(), 10, ARCHIVE);
  await shop.changeErp(four, { active: false });
  await shop.work(true);
  expect(await shop.plans()).toEqual([]);
  expect((await shop.reasons())[0]).toMatch(/^dry-run {"action":"product.archive"/);
  await shop.lookAgain();
  expect(shop.takeWrites()).toEqual([]);
  expect((await shop.thePlan()).items).toHaveLength(4);
});

test('the audit log records each decision on a plan and on each of its items, with who made it', async () => {
  const shop = await withPlan();
  const { hash } = await shop.thePlan();
  await shop.approve(hash, 2);
  const acts = (await shop.context.store.journal.after(0, 100)).filter(({ action }) => action.startsWith('brake.'));
  expect(acts.map(({ key, action, why }) => [key, action, why])).toEqual([
    ['*', 'brake.approve', 'by eve'],
    ['P-1', 'brake.approve', 'by eve'],
    ['P-3', 'brake.approve', 'by eve'],
    ['P-4', 'brake.approve', 'by eve'],
    ['P-2', 'brake.veto', 'by eve'],
  ]);
  expect(acts[0]).toMatchObject({ after: `plan ${hash}: 3 approved, 1 excepted` });
  await shop.work();
  const [write] = await shop.context.store.journal.of('main', 'product', 'P-1', 1);
  expect(write).toMatchObject({ action: 'product.archive:archive:approved', outcome: 'written' });
});

test("an empty or shrunk list of the ERP's stock zeroes nothing", async () => {
  const shop = await openShop(shelf(), 10, {});
  await shop.stock([], '0');
  await shop.stock([1], '49');
  await shop.work();
  expect(shop.takeWrites()).toEqual(['1 {"available_inventory":49}']);
});

test('changes that are read while a braked write waits for the end of the read are judged with it', async () => {
  const shop = await openShop(shelf(), 10, { zero: { count: 2, percent: 100 } });
  const { promise: rest, resolve: readOn } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const read = shop.context.exclusively(['read:erp-stock'], async () => {
    await shop.stock([1], '0');
    begin();
    await rest;
    await shop.stock([2, 3], '0');
  });
  await begun;
  const state = { hasEnded: false };
  const working = shop.work().finally(() => {
    state.hasEnded = true;
  });
  for (let turn = 0; turn < 2_000 && !state.hasEnded; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([shop.takeWrites(), state.hasEnded]).toEqual([[], false]);
  readOn();
  await read;
  await working;
  await shop.work();
  expect(shop.takeWrites()).toEqual([]);
  expect((await shop.thePlan()).items).toHaveLength(3);
});
