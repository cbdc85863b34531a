import { beforeEach, describe, expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import { Superseded } from '../../../src/domain/superseded.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import type { WriteLook } from '../../../src/flows/engine/flow.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { stockFlow } from '../../../src/flows/stock/flow.ts';
import { recordErpStock } from '../../../src/shadow/erp-shadow.ts';
import { recordReadTime } from '../../../src/shadow/last-read.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';
import { told } from '../../support/causes.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const NOW = 1_000_000;
let nowMs = NOW;

/** 93 to sell on both sides: the ERP counts the 7 of the one order. */
beforeEach(async () => {
  nowMs = NOW;
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  const figures = { quantity: d('100'), reserved: d('7'), available: d('93') };
  await store.products.record(productBatch([product({ figures })]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await store.orders.record(orderBatch([order({})]));
  await store.erp.recordOrders('main', [erpOrder({ changedAt: at(1) })], 'poll');
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
  await tellStock('93', 10);
  await readErpOrders(10);
});

/** @param reserved the units that the ERP holds back for the order */
async function tellStock(available: string, minute: number, reserved = '7'): Promise<void> {
  const onHand = d(available).plus(reserved);
  const items = [stockRow({ onHand, reserved: d(reserved), available: d(available), asOf: at(minute) })];
  const page = { items, invalidRows: [], asOf: at(minute), complete: true };
  await recordErpStock(accountContext(shelf().store, accountConfig()), page, 'poll');
}

async function readErpOrders(minute: number): Promise<void> {
  const window = { account: 'main', collection: 'erp-orders', from: null, to: at(minute), rows: 0, finding: null };
  await shelf().store.cursors.record({ ...window, cursor: at(minute) });
}

const cancelInErp = (minute: number) =>
  shelf().store.erp.recordOrders('main', [erpOrder({ status: 'cancelled', changedAt: at(minute) })], 'poll');

async function readOrders(atMs = nowMs): Promise<void> {
  const { store } = shelf();
  await recordReadTime({ account: 'main', store, now: () => 0 }, 'orders', {
    tick: await store.cursors.tick('main'),
    atMs,
  });
}

/** The read takes longer than a read counts as the present state. */
async function readOrdersSlowly(): Promise<void> {
  const beganMs = nowMs;
  nowMs += 60_000;
  await readOrders(beganMs);
}

/** The decision after a look, and the reads of the look. */
async function lookAt(
  read: (collection: string, time: number) => Promise<void>,
  readByOthers: (collection: string) => Promise<void> = async () => {},
  erp: Partial<AccountContext['erp']> = {},
) {
  const reads: string[] = [];
  const readNow: AccountContext['readNow'] = async (collection, _look, stillWanted) => {
    await readByOthers(collection);
    if ((await stillWanted?.()) === false) return;
    reads.push(collection);
    await read(collection, reads.filter((one) => one === collection).length);
  };
  const sides = { ...accountContext(shelf().store, accountConfig()), erp: erp as AccountContext['erp'] };
  const readListing: AccountContext['readListing'] = async (_look, id) => {
    reads.push(`listing ${id}`);
    await read('listing', reads.length);
  };
  const context = { ...sides, readNow, readListing, now: () => nowMs };
  const { actions, holds } = stockFlow.decide(await stockFlow.observeFresh(context, look));
  return { reads, holds: told(holds), writes: actions.map(({ after }) => after) };
}

const failing = (kind: 'forbidden' | 'unavailable') => () =>
  Promise.reject(new CallFailure('the ERP says no', { side: 'erp', kind, outcome: 'not-applied' }));

describe('more is given only when it is known', () => {
  test('an order that the ERP released is not sold again: it may be open on the marketplace', async () => {
    await tellStock('105', 11);
    const found = await lookAt(async (collection) => {
      if (collection === 'orders') return readOrders();
      await cancelInErp(11);
      await readErpOrders(12);
    });
    expect(found).toEqual({ reads: ['erp-orders', 'orders'], holds: '', writes: ['98'] });
  });

  test('stock is not increased when the read of the ERP’s orders was incomplete, and this read is made only once', async () => {
    await tellStock('105', 11);
    const found = await lookAt((collection) => (collection === 'orders' ? readOrders() : Promise.resolve()));
    expect(found).toMatchObject({ reads: ['erp-orders'], writes: [] });
    expect(found.holds).toMatch(/^erp-orders-unread/);
  });

  test('an order that the ERP released while the marketplace’s orders were read is not sold again', async () => {
    await tellStock('98', 11);
    const found = await lookAt(async (collection, time) => {
      if (collection === 'erp-orders') {
        if (time === 2) await cancelInErp(14);
        return readErpOrders(time === 1 ? 12 : 20);
      }
      await readOrders();
      if (time === 1) await tellStock('105', 15);
    });
    // The ERP shows 105, and 7 of them are still wanted.
    expect(found).toMatchObject({ reads: ['erp-orders', 'orders', 'erp-orders', 'orders'], writes: ['98'] });
  });

  test('units that the ERP released unseen are not offered, even where an order of its own takes as many', async () => {
    const own = { reference: '', origin: 'erp' as const, changedAt: at(11) };
    await shelf().store.erp.recordOrders('main', [erpOrder({ id: 'E-9', ...own })], 'poll');
    await tellStock('98', 12);
    const asked: string[] = [];
    const getOrder = async (id: string) => {
      asked.push(id);
      return erpOrder({ status: 'cancelled', changedAt: at(11) });
    };
    const read = (collection: string) => (collection === 'orders' ? readOrders() : readErpOrders(13));
    const found = await lookAt(read, undefined, { getOrder });
    expect(asked).toEqual(['E-1']);
    // The cancelled order may live on the marketplace: its 7 units are not offered.
    expect(found.writes).toEqual(['91']);
  });

  test('a stock figure that changes faster than the orders are read is not raised: the attempt ends, and the product is reconciled again', async () => {
    await tellStock('98', 11);
    const found = await lookAt(async (collection, time) => {
      if (collection === 'erp-orders') return readErpOrders(10 + 2 * time);
      await readOrders();
      await tellStock(String(98 + time), 11 + 2 * time);
    });
    expect(found.reads.length).toBeLessThanOrEqual(6);
    expect(found).toMatchObject({ writes: [], holds: expect.stringMatching(/orders-unread/) });
  });

  test('a stable stock figure is raised, even where the ERP’s stock is polled more often than its orders can be read', async () => {
    await tellStock('98', 11);
    const found = await lookAt(async (collection, time) => {
      await tellStock('98', 12 + time);
      return collection === 'erp-orders' ? readErpOrders(11 + time) : readOrders();
    });
    expect(found).toEqual({ reads: ['erp-orders', 'orders'], holds: '', writes: ['98'] });
  });

  test('stock is raised even when reading the orders took longer than such a read counts as current', async () => {
    await tellStock('98', 11);
    const found = await lookAt((collection) => (collection === 'erp-orders' ? readErpOrders(12) : readOrdersSlowly()));
    expect(found).toEqual({ reads: ['erp-orders', 'orders'], holds: '', writes: ['98'] });
  });

  test('stock is raised after the read of another attempt that this one had to wait for, however long that took', async () => {
    await tellStock('98', 11);
    const found = await lookAt(
      () => readErpOrders(12),
      (collection) => (collection === 'orders' ? readOrdersSlowly() : Promise.resolve()),
    );
    expect(found).toEqual({ reads: ['erp-orders'], holds: '', writes: ['98'] });
  });

  describe('when an order let go of units on the marketplace since the ERP has more,', () => {
    const other = (status: string, readTick: number | null = null) => {
      const seen = order({ number: 'o-2', status, modified: at(12), lines: [line({ quantity: d('5') })] });
      return shelf().store.orders.record(orderBatch([seen], { readTick }));
    };

    beforeEach(async () => {
      await other('Submitted');
      const figures = { quantity: d('100'), reserved: d('12'), available: d('88') };
      await shelf().store.products.record(productBatch([product({ figures, modified: at(12) })]));
      await tellStock('98', 11);
      await readErpOrders(12);
      await readOrders();
      expect(await lookAt(async () => {})).toEqual({ reads: [], holds: '', writes: ['93'] });
    });

    test('after an order released units on the marketplace, its orders are read before an increase: another order may be new', async () => {
      await other('Rejected');
      expect(await lookAt(() => readOrders())).toEqual({ reads: ['orders'], holds: '', writes: ['98'] });
    });

    test('after an order released units on the marketplace, its list has to be read to its end before an increase', async () => {
      const { store } = shelf();
      const tick = await store.cursors.tick('main');
      await other('Rejected', tick);
      expect(await lookAt(async () => {})).toMatchObject({ reads: ['orders'], writes: [] });
      await recordReadTime({ account: 'main', store, now: () => 0 }, 'orders', { tick, atMs: nowMs });
      expect(await lookAt(async () => {})).toEqual({ reads: [], holds: '', writes: ['98'] });
    });
  });

  describe('a figure that is not sure may be less than buyers see, so that writing it again would be more:', () => {
    beforeEach(async () => {
      const { store } = shelf();
      const figures = { quantity: d('100'), reserved: d('7'), available: d('93') };
      await store.products.record(productBatch([product({ figures, modified: at(9) })], { expected: false }));
      shelf().nowMs = NOW - 600_000;
      const figure = { target: 'listing 70', before: '93', after: '93', why: '' };
      const lost = { account: 'main', flow: 'stock', key: 'P-1', action: 'stock.write', ...figure };
      await store.journal.add({ ...lost, outcome: 'unknown', answer: 'no answer' });
    });

    test('before an uncertain figure is written again, the orders are read', async () => {
      const found = await lookAt(() => readOrders());
      expect(found).toEqual({ reads: ['orders'], holds: '', writes: ['93'] });
    });

    test('before an uncertain figure is written again, the orders are read even if they were read just before the attempt', async () => {
      await readOrders();
      const found = await lookAt(() => readOrders());
      expect(found).toEqual({ reads: ['orders'], holds: '', writes: ['93'] });
    });

    test('an uncertain stock figure is written although the orders cannot be read, since it may be a decrease', async () => {
      const found = await lookAt(failing('forbidden'));
      expect(found).toEqual({ reads: ['orders'], holds: '', writes: ['93'] });
    });
  });

  describe('while no list shows the lines of an order that a webhook named,', () => {
    const unread = () =>
      shelf().store.orders.record(orderBatch([order({ number: 'o-2', modified: at(12), lines: null })]));
    const figures = { quantity: d('100'), reserved: d('16'), available: d('84') };

    beforeEach(async () => {
      await unread();
      await tellStock('98', 11);
      await readErpOrders(12);
      await readOrders();
    });

    test('while no list has the lines of an order of a webhook, the listing is read, and its reserved units are not offered', async () => {
      const found = await lookAt(async () => {
        await shelf().store.products.record(productBatch([product({ figures, modified: at(12) })]));
      });
      expect(found).toEqual({ reads: ['listing 70'], holds: '', writes: ['89'] });
    });

    test('stock is not increased where the listing cannot be read', async () => {
      const found = await lookAt(failing('forbidden'));
      expect(found).toMatchObject({ reads: ['listing 70'], writes: [] });
      expect(found.holds).toMatch(/^orders-unread/);
    });

    test('an order of a webhook that has ended reserves no units', async () => {
      const ended = order({ number: 'o-2', status: 'Rejected', modified: at(13), lines: null });
      await shelf().store.orders.record(orderBatch([ended]));
      expect(await lookAt(async () => {})).toEqual({ reads: [], holds: '', writes: ['98'] });
    });
  });

  test('a decrease of stock is written without a read', async () => {
    await tellStock('80', 11);
    expect(await lookAt(async () => {})).toEqual({ reads: [], holds: '', writes: ['80'] });
  });
});

test('a failed read that somebody has to fix holds the product with the reason', async () => {
  await tellStock('98', 11);
  const { holds, writes } = await lookAt(failing('forbidden'));
  expect([writes, holds]).toEqual([[], 'erp-orders-unread {"problem":"the ERP says no"}']);
});

test('a failed read of another attempt is left to that attempt', async () => {
  await tellStock('98', 11);
  await expect(lookAt(failing('unavailable'))).rejects.toThrow('the ERP says no');
});

test('a waiting write is decided again when the ERP has reported the same figure again: it may count other orders', async () => {
  await tellStock('98', 11);
  await readErpOrders(12);
  const sent: string[] = [];
  const call = async (
    _: string,
    { body }: { body: { available_inventory: { rawJSON: string } } },
    asked: WriteLook,
  ) => {
    if (sent.length === 0 && reads.length === 1) await tellStock('98', 15);
    if ((await asked.revalidate()) === false) throw new Superseded('not any more');
    sent.push(body.available_inventory.rawJSON);
    const available = Number(body.available_inventory.rawJSON);
    return { quantity: available + 7, reserved_qty: 7, available_inventory: available };
  };
  const reads: string[] = [];
  const readNow: AccountContext['readNow'] = async (collection, _look, stillWanted) => {
    if ((await stillWanted?.()) === false) return;
    reads.push(collection);
    if (collection === 'orders') return readOrders();
    await cancelInErp(14);
    return readErpOrders(20);
  };
  const client = { call } as unknown as AccountContext['client'];
  const context = { ...accountContext(shelf().store, accountConfig(), { client }), readNow };
  const free = async () => ({ dryRun: false, paused: null, brake: null });
  expect(await FLOW_RUNS.stock.reconcile(context, look, free)).toMatchObject({ state: 'in-sync' });
  // The ERP's figure of 98 no longer counts the order of 7.
  expect([reads.slice(0, 2), sent]).toEqual([['orders', 'erp-orders'], ['91']]);
});

test('a write is sent although the ERP has reported the same figure again a second ago', async () => {
  const { store } = shelf();
  await tellStock('98', 11);
  await readErpOrders(11);
  const sent: string[] = [];
  const againAt = '2030-01-01T12:11:01.000Z';
  const items = [stockRow({ onHand: d('105'), reserved: d('7'), available: d('98'), asOf: againAt })];
  const call = async (
    _: string,
    { body }: { body: { available_inventory: { rawJSON: string } } },
    asked: WriteLook,
  ) => {
    const page = { items, invalidRows: [], asOf: againAt, complete: true };
    await recordErpStock(accountContext(shelf().store, accountConfig()), page, 'poll');
    expect(await asked.revalidate()).toBe(true);
    sent.push(body.available_inventory.rawJSON);
    return { quantity: 105, reserved_qty: 7, available_inventory: 98 };
  };
  const readNow: AccountContext['readNow'] = () => readOrders();
  const context = {
    ...accountContext(store, accountConfig(), { client: { call } as unknown as AccountContext['client'] }),
    readNow,
  };
  await FLOW_RUNS.stock.reconcile(context, look, async () => ({ dryRun: false, paused: null, brake: null }));
  expect(sent).toEqual(['98']);
});

test('a waiting write is decided again when a webhook named an order whose lines are not known', async () => {
  const { store } = shelf();
  await tellStock('98', 11);
  await readErpOrders(12);
  await readOrders();
  const sent: string[] = [];
  const reads: string[] = [];
  const call = async (
    _: string,
    { body }: { body: { available_inventory: { rawJSON: string } } },
    asked: WriteLook,
  ) => {
    if (reads.length === 0) {
      await store.orders.record(orderBatch([order({ number: 'o-2', modified: at(12), lines: null })]));
    }
    if ((await asked.revalidate()) === false) throw new Superseded('not any more');
    sent.push(body.available_inventory.rawJSON);
    const available = Number(body.available_inventory.rawJSON);
    return { quantity: available + 16, reserved_qty: 16, available_inventory: available };
  };
  const readListing: AccountContext['readListing'] = async (_look, id) => {
    reads.push(`listing ${id}`);
    const figures = { quantity: d('100'), reserved: d('16'), available: d('84') };
    await store.products.record(productBatch([product({ figures, modified: at(12) })]));
  };
  const client = { call } as unknown as AccountContext['client'];
  const readNow = async () => readOrders();
  const context = { ...accountContext(store, accountConfig(), { client }), readNow, readListing };
  const free = async () => ({ dryRun: false, paused: null, brake: null });
  expect(await FLOW_RUNS.stock.reconcile(context, look, free)).toMatchObject({ state: 'in-sync' });
  expect([reads, sent]).toEqual([['listing 70'], ['89']]);
});
