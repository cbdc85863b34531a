import { beforeEach, expect, test } from 'vitest';
import { lostWriteOf } from '../../../src/flows/stock/observe.ts';
import { accountConfig } from '../../flows/account.ts';
import { causeOf } from '../../support/causes.ts';
import { d, useShelf } from '../shelf.ts';

const shelf = useShelf();
const DAY_MS = 86_400_000;
const KEY = { account: 'main', flow: 'stock', key: 'P-1' };
const ORDER = { account: 'main', kind: 'order-in', key: 'o-1' } as const;

let reconcileId = 0;

/** Makes entries that are dated as they happen. Then the clock is set back by a day. */
beforeEach(async () => {
  const { store } = shelf();
  shelf().nowMs = 100 * DAY_MS;
  await store.work.mark([KEY], 'poll', 'it changed');
  await store.work.postpone(KEY, 1, shelf().nowMs + 500, []);
  await store.intents.open({ ...ORDER, externalId: 'o-1' });
  const place = { listingId: 70, facilityId: 1, batchId: 1 };
  const wanted = { toQuantity: d('5'), reserved: d('0') };
  reconcileId = await store.reconciles.open({ account: 'main', key: 'P-1', ...place, ...wanted });
  await store.reconciles.settle(reconcileId, 'refused', { evidence: causeOf('it failed'), failure: 'it failed' });
  const image = { account: 'main', productId: 'P-1', url: 'https://img.test/a', etag: null };
  await store.images.recordErpImage({ ...image, hash: null, failure: 'it could not be fetched' });
  const measured = { rows: [], unread: new Set<number>(), absenceCounts: true, lane: 'poll', tick: 7 } as const;
  const askedAtMs = shelf().nowMs;
  const row = { ...place, onHand: d('5'), reserved: d('0'), available: d('5') };
  await store.measurements.record({ ...measured, account: 'main', asked: [70], askedAtMs, rows: [row] });
  await store.measurements.record({ ...measured, account: 'main', asked: null, askedAtMs, rows: [row] });
  const write = { ...KEY, action: 'stock.write', target: 'listing 70', before: '1', after: '2', why: 'it differs' };
  await store.journal.end(await store.journal.begin(write), 'written', '');
  await store.journal.end(await store.journal.begin(write), 'unknown', '');
  shelf().nowMs -= DAY_MS;
});

const lostWrite = () =>
  lostWriteOf({ account: 'main', config: accountConfig(), store: shelf().store, now: () => shelf().nowMs }, 'P-1');

test('an entry that is dated later than now counts as of now: nothing waits until the clock has caught up', async () => {
  const { store, nowMs } = shelf();
  await store.restampFuture('main');
  expect((await store.work.due('main', 10)).map(({ key }) => key)).toEqual(['P-1']);
  expect(await store.intents.unsettled(ORDER)).toMatchObject({ sentAtMs: nowMs });
  expect(await store.reconciles.latest('main', 'P-1')).toMatchObject([
    { intentId: reconcileId, sentAtMs: nowMs, settledAtMs: nowMs, lookedAtMs: nowMs },
  ]);
  expect(await store.images.ofErpProduct('main', 'P-1')).toMatchObject([{ checkedAtMs: nowMs }]);
  expect(await lostWrite()).toEqual({ mayComeIn: 60_000 });
  shelf().nowMs += 60_000;
  expect(await lostWrite()).toEqual({ mayComeIn: 0 });
});

test('a measurement dated later than now does not count as the present state', async () => {
  const { store } = shelf();
  await store.restampFuture('main');
  expect(await store.measurements.get('main', 70)).toMatchObject({ askedAtMs: 0 });
  expect(await store.measurements.get('main', 71)).toBeNull();
});

test('a write dated later than now stays in the journal with its own date', async () => {
  const { store, nowMs } = shelf();
  await store.restampFuture('main');
  const entries = await store.journal.of('main', 'stock', 'P-1', 10);
  expect(entries.map(({ outcome, atMs }) => [outcome, atMs - nowMs])).toEqual([
    ['unknown', 0],
    ['written', DAY_MS],
  ]);
});

test('an entry that is dated earlier stays unchanged', async () => {
  const { store } = shelf();
  shelf().nowMs += 2 * DAY_MS;
  const everything = () =>
    Promise.all([
      store.intents.unsettled(ORDER),
      store.reconciles.latest('main', 'P-1'),
      store.images.ofErpProduct('main', 'P-1'),
      store.measurements.get('main', 70),
      store.journal.of('main', 'stock', 'P-1', 10),
      store.work.get(KEY),
    ]);
  const before = await everything();
  await store.restampFuture('main');
  expect(await everything()).toEqual(before);
});

test('after a machine crash all open creates count as sent just now, since the last record of a request may be lost', async () => {
  const { store } = shelf();
  await store.machineIs('main', 'one start of the machine');
  const { id = 0 } = (await store.intents.unsettled(ORDER)) ?? {};
  await store.intents.sending(id);
  shelf().nowMs += DAY_MS;
  await store.machineIs('main', 'one start of the machine');
  expect(await store.intents.unsettled(ORDER)).toMatchObject({ leftAtMs: shelf().nowMs - DAY_MS });
  await store.machineIs('main', 'the next');
  expect(await store.intents.unsettled(ORDER)).toMatchObject({ leftAtMs: shelf().nowMs });
});

test('correcting future dates of one account leaves the dates of another account unchanged', async () => {
  const { store, nowMs } = shelf();
  await store.restampFuture('other');
  await store.machineIs('other', null);
  expect(await store.work.due('main', 10)).toEqual([]);
  expect(await store.intents.unsettled(ORDER)).toMatchObject({ sentAtMs: nowMs + DAY_MS });
});
