import { beforeEach, describe, expect, test } from 'vitest';
import { CallFailure } from '../../../../src/domain/failure.ts';
import { Superseded } from '../../../../src/domain/superseded.ts';
import type { AccountContext } from '../../../../src/flows/engine/context.ts';
import type { WriteLook } from '../../../../src/flows/engine/flow.ts';
import { observePolicy } from '../../../../src/flows/engine/observe-policy.ts';
import { FLOW_RUNS } from '../../../../src/flows/runs.ts';
import { recordReadTime } from '../../../../src/shadow/last-read.ts';
import { readMeasurements } from '../../../../src/shadow/read-measurements.ts';
import {
  at,
  d,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';
import { FACILITIES, row } from './two-facilities.ts';

/* The reads that are needed before a facility is given more, and the holds when a read fails. */

const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const shelf = useShelf();

let rows: Record<string, unknown>[];
/** The quantities that were set, each with its facility. */
let sent: [number, string][];
let patched: number;
let reads: string[];
/** Called in place of a read: brings the new orders. */
let onRead: (collection: string) => Promise<void>;
/** Called while a command waits for the quota. */
let onWait: () => Promise<void>;
let context: AccountContext;

const stock = (location: string, available: string, minute = 1) =>
  shelf().store.erp.recordStock(
    'main',
    [stockRow({ location, onHand: d(available), available: d(available), asOf: at(minute) })],
    'poll',
  );

async function readNothing(collection: string): Promise<void> {
  const { store } = shelf();
  const began = { tick: await store.cursors.tick('main'), atMs: shelf().nowMs };
  if (collection === 'orders') return recordReadTime({ account: 'main', store, now: () => 0 }, 'orders', began);
  const window = { account: 'main', collection, from: null, to: at(50), rows: 0, finding: null };
  await store.cursors.record({ ...window, cursor: at(50) });
}

const client = {
  async call(id: string, { body }: { body?: { facility_id: number; to_quantity: string } }, asked: WriteLook) {
    if (id === 'products.patch') patched += 1;
    if (id !== 'inventory.reconcile' || body === undefined) return null;
    await onWait();
    if ((await asked.revalidate()) === false) throw new Superseded('not any more');
    sent.push([body.facility_id, body.to_quantity]);
    return { command_id: 17 };
  },
  list: async () => ({ count: rows.length, more: false, rows, invalidRows: [], raw: rows }),
  close: async () => {},
} as unknown as AccountContext['client'];

async function open(
  settings: Record<string, unknown> = {},
  listing: Parameters<typeof product>[0] = {},
): Promise<void> {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product(listing)]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  for (const fact of ['listings-known', 'first-linked']) await store.facts.set('main', fact, 'yes');
  await stock('EAST', '40');
  await stock('WEST', '50');
  const readNow: AccountContext['readNow'] = async (collection, _look, stillWanted) => {
    if ((await stillWanted?.()) === false) return;
    reads.push(collection);
    await onRead(collection);
  };
  const config = accountConfig({ facilities: FACILITIES, ...settings });
  const erp = {
    async readStock() {
      reads.push('erp-stock');
      return { items: [], invalidRows: [], asOf: at(50), complete: true };
    },
  } as unknown as AccountContext['erp'];
  context = { ...accountContext(store, config, { client, erp }), now: () => shelf().nowMs, readNow };
  await readMeasurements(context, look);
}

beforeEach(() => {
  rows = [row(1, '40'), row(2, '50')];
  [sent, reads, patched] = [[], [], 0];
  onRead = readNothing;
  onWait = async () => {};
});

const reconcile = () =>
  FLOW_RUNS['facility-stock'].reconcile(context, look, (action) =>
    observePolicy(context, { flow: 'facility-stock', key: 'P-1' }, false, action),
  );

test('the orders of both sides are read before an increase at a facility', async () => {
  await open();
  await stock('EAST', '44', 2);
  expect(await reconcile()).toMatchObject({ state: 'in-sync', written: 1 });
  expect([reads, sent]).toEqual([['erp-orders', 'orders'], [[1, '44']]]);
});

test('before an increase at a facility, the ERP’s orders are read up to the newest stock row of the product', async () => {
  await open();
  await stock('EAST', '44', 2);
  await stock('WEST', '51', 20);
  onRead = async (collection) => {
    if (collection === 'orders') return readNothing(collection);
    const window = { account: 'main', collection, from: null, to: at(10), rows: 0, finding: null };
    await shelf().store.cursors.record({ ...window, cursor: at(10) });
  };
  expect(await reconcile()).toMatchObject({ state: 'held', causes: [{ code: 'erp-orders-unread' }] });
  expect(sent).toEqual([]);
});

test('a unit whose order was placed and fulfilled before any list had it is not sold again', async () => {
  await open();
  await readNothing('orders');
  rows[1] = row(2, '47');
  await readMeasurements(context, look);
  onRead = async (collection) => {
    if (collection === 'orders') {
      const lines = [line({ quantity: d('3') })];
      await shelf().store.orders.record(orderBatch([order({ status: 'Fulfilled', lines })]));
    }
    await readNothing(collection);
  };
  await reconcile();
  expect(reads).toContain('orders');
  // The place that the order takes from is unknown, so its units are kept back at each place.
  expect(sent).toEqual([[1, '37']]);
});

test('a decrease at a facility is set without a read', async () => {
  await open();
  await stock('EAST', '30', 2);
  await reconcile();
  expect([reads, sent]).toEqual([[], [[1, '30']]]);
});

test('a decrease at another facility is set although the ERP’s orders cannot be read', async () => {
  await open();
  await stock('EAST', '44', 2);
  await stock('WEST', '5', 2);
  const refused = { side: 'erp', kind: 'unavailable', outcome: 'not-applied' } as const;
  onRead = () => Promise.reject(new CallFailure('the ERP does not answer', refused));
  await expect(reconcile()).rejects.toThrow('the ERP does not answer');
  expect(sent).toEqual([[2, '5']]);
});

describe('a listing that comes back', () => {
  const archived = { archived: true } as const;
  const products = { archived_by_hand: 'restore' };

  test('a listing leaves the archive after the orders of both sides were read, also with less stock', async () => {
    await open({ products }, archived);
    await stock('EAST', '30', 2);
    await reconcile();
    expect([reads, sent]).toEqual([['erp-orders', 'orders'], [[1, '30']]]);
  });

  test('a listing stays archived until the ERP states its stock again', async () => {
    await open({ products }, archived);
    for (const [active, changedAt] of [
      [false, at(20)],
      [true, at(30)],
    ] as const) {
      await shelf().store.erp.recordProducts('main', [erpProduct({ active, changedAt })], {
        listing: null,
        lane: 'poll',
      });
    }
    expect(await reconcile()).toMatchObject({
      state: 'held',
      causes: [{ code: 'erp-stock-unread' }],
    });
    expect([reads, patched]).toEqual([['erp-stock'], 0]);
  });

  test('the brake of increases judges a listing that leaves the archive', async () => {
    await open({ products, brakes: { increase: { count: 0 } } }, archived);
    expect(await reconcile()).toMatchObject({
      state: 'held',
      causes: [{ code: 'brake-plan', params: { target: 'listing 70 (SB-1)', after: 'listed, 90 available' } }],
    });
    expect(patched).toBe(0);
  });

  test('a listing that leaves the archive counts for the brake of increases', async () => {
    await open({ brakes: { increase: { count: 1 } } });
    const { journal } = shelf().store;
    const before = { target: 'listing 71 (SB-2)', before: 'archived', after: 'listed, 1 available', why: '' };
    const entry = {
      account: 'main',
      flow: 'facility-stock',
      key: 'P-2',
      action: 'product.restore:increase',
      ...before,
    };
    await journal.end(await journal.begin(entry), 'written', '');
    await stock('EAST', '44', 2);
    expect(await reconcile()).toMatchObject({
      causes: [{ params: { exceeds: { params: { count: 2, span: 'pass' } } } }],
    });
    expect(sent).toEqual([]);
  });
});

test('orders are read where the marketplace reserves more than the stored orders do, whatever figure is to be set', async () => {
  await open();
  rows[1] = row(2, '50', '3');
  await readMeasurements(context, look);
  await stock('EAST', '30', 2);
  await reconcile();
  expect(reads).toEqual(['orders']);
});

test('a command is not sent when the figure has changed while the command waited', async () => {
  await open();
  await stock('EAST', '30', 2);
  let waits = 0;
  onWait = async () => {
    waits += 1;
    if (waits === 1) await stock('EAST', '20', 3);
  };
  await reconcile();
  expect(sent).toEqual([[1, '20']]);
});

test('a command that gives buyers more is not sent when the ERP has reported the same figure again meanwhile', async () => {
  await open();
  await stock('EAST', '44', 2);
  let waits = 0;
  onWait = async () => {
    waits += 1;
    if (waits === 1) await stock('EAST', '44', 55);
  };
  onRead = async (collection) => {
    await readNothing(collection);
    if (collection === 'orders' || waits === 0) return;
    const window = { account: 'main', collection, from: null, to: at(56), rows: 0, finding: null };
    await shelf().store.cursors.record({ ...window, cursor: at(56) });
  };
  await reconcile();
  expect(reads.filter((collection) => collection === 'erp-orders')).toHaveLength(2);
  expect(sent).toEqual([[1, '44']]);
});

describe('a write that a brake holds at one facility', () => {
  test.each([
    ['an increase', 'increase', '60'],
    ['a zeroing', 'zero', '0'],
  ])('a facility write that is held by %s delays no other facility', async (_, kind, east) => {
    await open({ brakes: { [kind]: { count: 0 } } });
    await stock('EAST', east, 2);
    await stock('WEST', '5', 2);
    expect(await reconcile()).toMatchObject({
      state: 'held',
      written: 1,
      causes: [{ code: 'brake-plan', params: { brake: kind } }],
    });
    expect(sent).toEqual([[2, '5']]);
  });

  test('a held zeroing does not hold an increase at another facility', async () => {
    await open({ brakes: { zero: { count: 0 } } });
    await stock('EAST', '0', 2);
    await stock('WEST', '60', 2);
    expect(await reconcile()).toMatchObject({
      state: 'held',
      written: 1,
      causes: [{ code: 'brake-plan', params: { brake: 'zero' } }],
    });
    expect(sent).toEqual([[2, '60']]);
  });

  test('a zeroing that an operator refused does not hold an increase at another facility', async () => {
    await open({ brakes: { zero: { count: 0 } } });
    await stock('EAST', '0', 2);
    await reconcile();
    const [plan] = await shelf().store.brakes.list();
    await shelf().store.brakes.drop({ hash: plan?.hash ?? '' }, 'Ann');
    await stock('WEST', '60', 2);
    const result = await reconcile();
    expect(result).toMatchObject({
      state: 'held',
      written: 1,
      causes: [{ code: 'fall-refused', params: { state: 'dropped', by: 'Ann', offered: '40', place: 'EAST' } }],
    });
    expect(sent).toEqual([[2, '60']]);
  });

  test('a held zeroing and a held increase have a plan each', async () => {
    await open({ brakes: { zero: { count: 0 }, increase: { count: 0 } } });
    await stock('EAST', '0', 2);
    await stock('WEST', '60', 2);
    const result = await reconcile();
    const causes = [{ params: { brake: 'zero' } }, { params: { brake: 'increase' } }];
    expect(result).toMatchObject({ state: 'held', written: 0, causes });
    expect(await shelf().store.brakes.list()).toHaveLength(2);
  });

  test('a held facility write stays in its plan while a running command and unread orders prevent a decision', async () => {
    await open({ brakes: { increase: { count: 0 } } });
    await stock('EAST', '60', 2);
    await reconcile();
    const plans = await shelf().store.brakes.list();
    expect(plans).toHaveLength(1);
    await stock('EAST', '60', 55);
    await stock('WEST', '5', 55);
    onRead = async () => {};
    expect(await reconcile()).toMatchObject({ state: 'in-sync', written: 1, lookAgainMs: 1_000 });
    expect(await shelf().store.brakes.list()).toEqual(plans);
  });
});
