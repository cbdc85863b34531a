import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { Superseded } from '../../../src/domain/superseded.ts';
import { assertStillValid } from '../../../src/erp/send-guard.ts';
import { AfterWriteError } from '../../../src/flows/engine/after-write.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { createOnce } from '../../../src/flows/engine/create-once.ts';
import { act, type Planned } from '../../../src/flows/engine/decision.ts';
import type { Flow } from '../../../src/flows/engine/flow.ts';
import { runOf } from '../../../src/flows/engine/run.ts';
import type { FlowName } from '../../../src/flows/flows.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { MappingConflict } from '../../../src/store/links.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

/* A write that was sent, or may have been, stays in the journal, even if something fails after it. */

const shelf = useShelf();
const look = (key: string) => ({ key, lane: 'poll', signal: new AbortController().signal }) as const;
const free = async () => ({ dryRun: false, paused: null, brake: null });
const journal = async (flow: FlowName, key: string) =>
  (await shelf().store.journal.of('main', flow, key, 10)).map(({ action, outcome }) => `${action} ${outcome}`);

const BUSY = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const failure = (kind: CallFailure['kind'], outcome: CallFailure['outcome'], facts = {}) =>
  new CallFailure('it failed', { side: 'erp', kind, outcome, ...facts });

test.each<[string, Error, string[]]>([
  ['with an unknown outcome', failure('unavailable', 'unknown'), ['x.write unknown']],
  ['that was refused', failure('refused', 'not-applied', { status: 422 }), ['x.write refused']],
  ['answered with 429', failure('rate-limited', 'not-applied', { status: 429 }), ['x.write refused']],
  ['that stood although what came after it failed', new AfterWriteError('done', BUSY), ['x.write written']],
  ['around which something of ours failed', BUSY, ['x.write unknown']],
  ['that our own quota had no room for', failure('rate-limited', 'not-applied'), []],
  ['whose connection was refused, or whose host is unknown', failure('unavailable', 'not-applied'), []],
  ['for which no file descriptor was left', failure('rate-limited', 'not-applied', { isOurs: true }), []],
  [
    'answered with 503 before it was applied',
    failure('unavailable', 'not-applied', { status: 503 }),
    ['x.write refused'],
  ],
  ['before which a read failed', failure('unavailable', 'unknown', { ofRead: true }), []],
  [
    'that only links, which it cannot',
    new MappingConflict(cause('ids-linked-otherwise', { kind: 'order', ids: ['o-1', 'E-1'], linked: ['o-1', 'E-2'] })),
    [],
  ],
])('the journal entries of a write that %s', async (_, error, entries) => {
  const flow: Flow<null, Planned> = {
    name: 'product',
    observe: async () => null,
    decide: () => act([{ action: 'x.write', target: 'x', before: null, after: '1', why: 'it differs' }]),
    apply: () => Promise.reject(error),
  };
  const context = accountContext(shelf().store, accountConfig());
  await expect(runOf(flow).reconcile(context, look('P-1'), free)).rejects.toThrow();
  expect(await journal('product', 'P-1')).toEqual(entries);
});

test('a superseded write leaves no entry in the journal, and is decided anew', async () => {
  let tries = 0;
  const flow: Flow<null, Planned> = {
    name: 'product',
    observe: async () => null,
    decide: () =>
      act(tries > 0 ? [] : [{ action: 'x.write', target: 'x', before: null, after: '1', why: 'it differs' }]),
    apply: () => {
      tries += 1;
      return Promise.reject(new Superseded('x.write was not sent'));
    },
  };
  const context = accountContext(shelf().store, accountConfig());
  expect(await runOf(flow).reconcile(context, look('P-1'), free)).toMatchObject({ state: 'in-sync', written: 0 });
  expect(await journal('product', 'P-1')).toEqual([]);
});

test('a write to the ERP that waits for a slot is decided anew if its key has changed, and is sent otherwise', async () => {
  const { store } = shelf();
  const target = { account: 'main', flow: 'product', key: 'P-1' };
  let news = 2;
  let left = 0;
  const flow: Flow<null, Planned> = {
    name: 'product',
    observe: async () => null,
    decide: () =>
      act(left > 0 ? [] : [{ action: 'x.write', target: 'x', before: null, after: '1', why: 'it differs' }]),
    async apply() {
      if (news > 0) await store.work.mark([target], 'poll', 'seen');
      news -= 1;
      await assertStillValid('POST /x');
      left += 1;
      // A further call of the same write leaves whatever comes.
      await store.work.mark([target], 'poll', 'seen');
      await assertStillValid('POST /x/confirm');
      return { outcome: 'written', answer: 'made' };
    },
  };
  const context = accountContext(store, accountConfig());
  expect(await runOf(flow).reconcile(context, look('P-1'), free)).toMatchObject({ state: 'in-sync', written: 1 });
  expect([left, news]).toEqual([1, -1]);
});

async function bothOfProduct(): Promise<void> {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
}

/** A product, and an order of it. */
async function bothSides(): Promise<void> {
  const { store } = shelf();
  await bothOfProduct();
  await store.orders.record(orderBatch([order({ status: 'Accepted' })]));
  await store.erp.recordOrders('main', [erpOrder()], 'poll');
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
}

const answering = (answers: Record<string, unknown> = {}) => {
  const sent: string[] = [];
  const call = async (id: string) => {
    sent.push(id);
    return answers[id] ?? null;
  };
  return { sent, client: { call } as unknown as AccountContext['client'] };
};

test('an archive that the store could not record is not repeated', async () => {
  await bothSides();
  const { store } = shelf();
  const gone = erpProduct({ deleted: true, changedAt: at(1) });
  await store.erp.recordProducts('main', [gone], { listing: null, lane: 'poll' });
  const { sent, client } = answering();
  const products = { ...store.products, record: () => Promise.reject(BUSY) };
  const context = accountContext({ ...store, products }, accountConfig(), { client });
  await expect(FLOW_RUNS.product.reconcile(context, look('P-1'), free)).rejects.toThrow('locked');
  expect([sent, await journal('product', 'P-1')]).toEqual([['products.archive'], ['product.archive:archive written']]);
});

/** The database refuses rows of an order once a write about it was sent. */
async function reconcileOrder(answers: Record<string, unknown>) {
  const { store } = shelf();
  const { sent, client } = answering(answers);
  const raw: Store['orders']['raw'] = (account, number) =>
    sent.some((id) => id !== 'orders.get') ? Promise.reject(BUSY) : store.orders.raw(account, number);
  const base = accountContext({ ...store, orders: { ...store.orders, raw } }, accountConfig(), { client });
  const context = { ...base, now: () => shelf().nowMs };
  return {
    sent,
    result: await FLOW_RUNS['order-in']
      .reconcile(context, { ...look('o-1'), lane: 'follow-up' }, free)
      .catch((error: unknown) => error),
  };
}

test('an order is marked once although the store failed to record the mark', async () => {
  await bothSides();
  const { sent, result } = await reconcileOrder({});
  expect(result).toBe(BUSY);
  expect([sent, await journal('order-in', 'o-1')]).toEqual([['orders.patch'], ['order-in.mark written']]);
});

test('a status step of an order that the store could not record is not repeated', async () => {
  await shippedThere();
  const { sent, result } = await reconcileOrder(ACCEPTED);
  expect(result).toBe(BUSY);
  expect([sent, await journal('order-in', 'o-1')]).toEqual([
    ['orders.get', 'orders.transition'],
    ['order-in.transition written'],
  ]);
});

test('an order does not go on while a stock write of its products with a lost answer may still be applied', async () => {
  await shippedThere();
  const { store } = shelf();
  const write = { account: 'main', flow: 'stock', key: 'P-1', action: 'stock.write', target: 'listing 70' };
  const id = await store.journal.begin({ ...write, before: '100', after: '50', why: 'it differs' });
  await store.journal.end(id, 'unknown', 'the connection broke');
  const first = await reconcileOrder(ACCEPTED);
  expect(first).toMatchObject({ sent: [], result: { state: 'wait', waitMs: 60_000 } });
  // For twice the time that a call may take.
  shelf().nowMs += 60_000;
  expect((await reconcileOrder(ACCEPTED)).sent).toEqual(['orders.get', 'orders.transition']);
});

const ACCEPTED = { 'orders.get': { order_number: 'o-1', status: 'Accepted' } };

/** The ERP has shipped the order. */
async function shippedThere(): Promise<void> {
  await bothSides();
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ status: 'Accepted', externalId: 'E-1', modified: at(1) })]));
  await store.erp.recordOrders('main', [erpOrder({ status: 'shipped', changedAt: at(1) })], 'poll');
}

/**
 * 50 units in the ERP and 100 on the marketplace. Its answer shows three more reserved units than the known orders explain.
 */
async function slipped(reserved: number, requestRead: AccountContext['requestRead']) {
  const { store } = shelf();
  await bothOfProduct();
  await store.erp.recordStock('main', [stockRow({ onHand: d('50'), available: d('50'), asOf: at(11) })], 'poll');
  const figures = { quantity: 50 + reserved, reserved_qty: reserved, available_inventory: 50 };
  const { client } = answering({ 'products.patch': figures });
  const context = { ...accountContext(store, accountConfig(), { client }), requestRead };
  return FLOW_RUNS.stock.reconcile(context, look('P-1'), free);
}

test.each([
  [3, ['orders']],
  [0, []],
])('a stock write that is answered with %i more reserved than known has %j read at once', async (reserved, wanted) => {
  const read: string[] = [];
  await slipped(reserved, async (collection) => void read.push(collection));
  expect(read).toEqual(wanted);
});

test('a stock write is not repeated when the queue refuses jobs after it', async () => {
  const full = async () => Promise.reject(new Error("command not allowed when used memory > 'maxmemory'"));
  await expect(slipped(3, full)).rejects.toThrow('maxmemory');
  expect(await journal('stock', 'P-1')).toEqual(['stock.write written']);
});

test('a created entity is not created again when neither its record nor that failure can be stored', async () => {
  const { store } = shelf();
  const intents = { ...store.intents, taken: () => Promise.reject(new Error('the disk is full')) };
  const made = createOnce<string>(accountContext({ ...store, intents }, accountConfig()), {
    intent: { kind: 'order-in', key: 'o-1' },
    find: async () => [],
    create: async () => 'E-1',
    record: () => Promise.reject(BUSY),
    idOf: (erpId) => erpId,
    alwaysFind: false,
  });
  await expect(made).rejects.toMatchObject({ name: 'AfterWriteError', answer: 'ERP order E-1' });
});
