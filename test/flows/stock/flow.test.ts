import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { observePolicy } from '../../../src/flows/engine/observe-policy.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { stockFlow } from '../../../src/flows/stock/flow.ts';
import { recordErpStock } from '../../../src/shadow/erp-shadow.ts';
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

/** 100 on both sides, linked. */
beforeEach(async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await readStock('100', at(10));
});

/** The figures of the listing after the order was rejected. */
const RELEASED = { quantity: d('100'), reserved: d('0'), available: d('100') };

const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const plan = (settings: Record<string, unknown> = {}) =>
  FLOW_RUNS.stock.plan(accountContext(shelf().store, accountConfig(settings)), 'P-1');
const written = async (settings?: Record<string, unknown>) => (await plan(settings)).actions.map(({ after }) => after);
const readOrders = (...given: Parameters<typeof order>[0][]) =>
  shelf().store.orders.record(orderBatch(given.map((each, i) => order({ number: `o-${i + 1}`, ...each }))));
const tellErp = (...given: Parameters<typeof erpOrder>[0][]) =>
  shelf().store.erp.recordOrders('main', given.map(erpOrder), 'poll');
const readStock = (available: string, asOf: string, listAsOf = asOf) =>
  recordErpStock(
    accountContext(shelf().store, accountConfig({})),
    {
      items: [stockRow({ onHand: d(available), available: d(available), asOf })],
      invalidRows: [],
      asOf: listAsOf,
      complete: true,
    },
    'poll',
  );
const link = () =>
  shelf().store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });

test('stock on which both sides agree needs no write', async () => expect(await written()).toEqual([]));

describe('an order is subtracted until the ERP’s figure counts it', () => {
  test("an order that the ERP does not have yet is subtracted, and the stored listing counts the marketplace's own subtraction", async () => {
    await readOrders({});
    expect(await written()).toEqual([]);
    await readStock('90', at(11));
    expect(await written()).toEqual(['83']);
  });

  test('an order that the ERP has is still subtracted from a figure of before, and the ERP is asked again', async () => {
    await readOrders({});
    await tellErp({ changedAt: at(11) });
    expect((await plan()).lookAgainMs).toBeGreaterThan(0);
    await readStock('93', at(11));
    expect(await written()).toEqual(['86']);
    await readStock('93', at(12));
    expect(await written()).toEqual([]);
    expect((await plan()).lookAgainMs).toBeNull();
  });

  test('an order that the ERP has is still subtracted from an older figure that the ERP keeps for a while in its lists', async () => {
    await readOrders({});
    await tellErp({ changedAt: at(11) });
    await readStock('100', at(10), at(12));
    expect(await written()).toEqual([]);
    expect((await plan()).lookAgainMs).toBeGreaterThan(0);
  });

  test.each(['draft', 'cancelled', 'packed'])('an order that is %s in the ERP is not counted there', async (status) => {
    await readOrders({});
    await tellErp({ status, changedAt: at(1) });
    await readStock('90', at(11));
    expect(await written()).toEqual(['83']);
  });

  test('an order that has shipped in the ERP is counted there', async () => {
    await readOrders({});
    await tellErp({ status: 'shipped', changedAt: at(1) });
    await readStock('90', at(11));
    expect(await written()).toEqual(['90']);
  });

  test('when an order grows after the ERP counted it, only the difference is subtracted', async () => {
    await readOrders({});
    await tellErp({ changedAt: at(1) });
    await readOrders({ modified: at(2), lines: [line({ quantity: d('10') })] });
    await readStock('90', at(11));
    expect(await written()).toEqual(['87']);
  });

  test('if an order shrank after the ERP counted it, nothing is released before the ERP releases it', async () => {
    await readOrders({});
    await tellErp({ changedAt: at(1) });
    await readOrders({ modified: at(2), lines: [line({ quantity: d('1') })] });
    await readStock('90', at(11));
    expect(await written()).toEqual(['90']);
  });

  test('a closed order that the ERP still holds adds no stock', async () => {
    await readOrders({ status: 'Canceled' });
    await tellErp({ changedAt: at(1) });
    await readStock('93', at(11));
    expect(await written()).toEqual(['93']);
  });

  test('an ERP order is found by its link, whatever its reference', async () => {
    await readOrders({});
    await tellErp({ reference: 'by hand', changedAt: at(1) });
    await link();
    await readStock('93', at(11));
    expect(await written()).toEqual([]);
  });

  test('two order lines of one SKU count once each', async () => {
    await readOrders({ lines: [line(), line({ id: 2, quantity: d('3') })] });
    await tellErp({ lines: [{ sku: 'SB-1', quantity: d('8'), unitPrice: d('1') }], changedAt: at(1) });
    await readStock('90', at(11));
    expect(await written()).toEqual(['88']);
  });

  test('an ERP order counts only for the SKUs of its lines', async () => {
    await readOrders({});
    await tellErp({ lines: [{ sku: 'SB-2', quantity: d('7'), unitPrice: d('1') }], changedAt: at(1) });
    await readStock('90', at(11));
    expect(await written()).toEqual(['83']);
  });
});

describe('orders from before what is exported', () => {
  const from = (instant: string) => ({ orders: { export_from: instant } });
  test('an ERP order from before the start date that was shipped is not subtracted for ever', async () => {
    await readOrders({ status: 'Complete', modified: at(1) }, { status: 'Fulfilled', modified: at(20) });
    await readStock('90', at(11));
    expect(await written(from(at(10)))).toEqual(['83']);
    expect(await written()).toEqual(['76']);
  });

  test('the units of a reserved ERP order from before the start date are not sold', async () => {
    await readOrders({ status: 'Accepted', modified: at(1) });
    await readStock('90', at(11));
    expect(await plan(from(at(10)))).toMatchObject({ actions: [{ after: '83' }], alerts: [] });
  });
});

describe('lines counted in cases', () => {
  const cases = { inventory: { strategy: 'b', line_quantity_in: 'cases', stock_in: 'units' } };
  test('the case size of an order line comes from the line, else from the listing, else from the ERP', async () => {
    await readOrders({
      lines: [line({ quantity: d('2'), unitMultiplier: d('10') }), line({ id: 2, quantity: d('3') })],
    });
    await readStock('99', at(11));
    expect(await written(cases)).toEqual(['76']);
    await shelf().store.products.record(productBatch([product({ unitMultiplier: d('6'), modified: at(2) })]));
    expect(await written(cases)).toEqual(['61']);
    const [write] = (await plan({ inventory: { strategy: 'b', line_quantity_in: 'cases' } })).actions;
    expect(write?.after).toBe('10');
    expect(write?.why).toContain('60 units are 10 cases of 6');
  });
});

test('a zeroing that an operator refused stays refused, also in an earlier version or with another case size', async () => {
  const { store } = shelf();
  const context = accountContext(store, accountConfig());
  const judge = () =>
    FLOW_RUNS.stock.reconcile(context, look, (action) =>
      observePolicy(context, { flow: 'stock', key: 'P-1' }, false, action),
    );
  await store.facts.set('main', 'first-linked', 'yes');
  const target = 'listing 70 (SB-1) available_inventory';
  const recorded = { key: 'P-1', action: 'stock.write', target, before: '100', after: '0', why: 'the ERP has none' };
  const reason = cause('too-many-writes', { count: 2, span: 'pass', most: 1 });
  const limit = { holdsAll: false, reason, expiryMs: 60_000 };
  await store.brakes.hold({ account: 'main', flow: 'stock', kind: 'zero' }, [recorded], limit);
  const [open] = await store.brakes.list();
  await store.brakes.drop({ hash: open?.hash ?? '' }, 'Ann');
  await readStock('0', at(11));
  for (const [minute, multiplier] of [
    [2, '6'],
    [3, '12'],
  ] as const) {
    await store.products.record(productBatch([product({ unitMultiplier: d(multiplier), modified: at(minute) })]));
    expect(await judge()).toMatchObject({ written: 0, causes: [{ code: 'fall-refused', params: { by: 'Ann' } }] });
  }
});

/** Lines that cannot be counted. A line in cases of an unknown size has the same cause in `decide.test.ts`. */
const BAD_LINES = {
  negative: { quantity: d('-3') },
  'with five decimals': { quantity: d('1.00001') },
  huge: { quantity: d('100000000') },
  infinite: { quantity: d('Infinity') },
} as const;
const SETTINGS = [
  { strategy: 'a' },
  { strategy: 'b', write: 'quantity' },
  { strategy: 'b', write: 'available_inventory' },
  { strategy: 'c' },
];

describe.each(SETTINGS)('beside a line that cannot be counted, strategy $strategy, write $write', (inventory) => {
  const writesQuantity = inventory.write !== 'available_inventory';
  describe.each(Object.entries(BAD_LINES))('%s', (_, bad) => {
    const settings = { inventory };
    const good = line({ id: 2, quantity: d('7') });
    beforeEach(async () => {
      // The marketplace counts the good line as reserved, and may count the bad line as anything.
      await readOrders({ status: 'Submitted', lines: [line(bad), good] });
      const figures = { quantity: d('100'), reserved: d('7'), available: d('93') };
      await shelf().store.products.record(productBatch([product({ modified: at(3), figures })]));
    });

    test('with an order line that cannot be counted, the stock falls with the ERP, as if the line were zero', async () => {
      await readStock('20', at(11));
      const { actions, holds } = await plan(settings);
      expect(actions.map(({ after }) => after)).toEqual([writesQuantity ? '20' : '13']);
      expect(holds).toMatchObject([{ params: { order: 'o-1', line: '1' } }]);
    });

    test('with an order line that cannot be counted, the stock falls to zero', async () => {
      await readStock('3', at(11));
      const { actions } = await plan(settings);
      // 7 units are reserved there, so buyers can take none of 7.
      expect(actions.map(({ after }) => after)).toEqual([writesQuantity ? '3' : '0']);
    });

    test('with an order line that cannot be counted, the stock does not rise, and the line raises an alert', async () => {
      await readStock('500', at(11));
      const { actions, holds } = await plan(settings);
      expect([actions, holds.length]).toEqual([[], 1]);
    });

    test('with an order line that cannot be counted, a correct figure stays, and the line raises an alert', async () => {
      await readStock('100', at(11));
      const { actions, holds } = await plan(settings);
      expect([actions, holds.length]).toEqual([[], 1]);
    });

    test('the stock rises again once the order line can be counted', async () => {
      await readStock('500', at(11));
      await readOrders({
        status: 'Submitted',
        modified: at(4),
        lines: [line({ quantity: d('1') }), good],
      });
      await shelf().store.products.record(
        productBatch([
          product({ modified: at(5), figures: { quantity: d('100'), reserved: d('8'), available: d('92') } }),
        ]),
      );
      const { actions, holds } = await plan(settings);
      expect(holds).toEqual([]);
      expect(actions.map(({ after }) => after)).toEqual([writesQuantity ? '500' : '492']);
    });
  });
});

test.each([
  ['a negative quantity', '-1', 'is negative'],
  ['five decimals', '1.00001', 'fractional digits'],
  ['huge', '100000000', 'is not below'],
])('stock is held for a line that cannot be counted: %s', async (_, quantity, reason) => {
  await readOrders({ lines: [line({ quantity: d(quantity) })] });
  await readStock('900', at(11));
  const { actions, holds } = await plan();
  expect(actions).toEqual([]);
  expect(told(holds)).toMatch(new RegExp(`^line-quantity {"order":"o-1","line":"1",.*${reason}`));
});

test('stock is held where the ERP states none', async () => {
  await shelf().store.erp.recordProducts('main', [erpProduct({ id: 'P-2', sku: 'SB-2' })], {
    listing: null,
    lane: 'poll',
  });
  await shelf().store.products.record(productBatch([product({ id: 71, sku: 'SB-2' })]));
  const other = { account: 'main', kind: 'product', marketplaceId: '71', erpId: 'P-2', how: 'sku' } as const;
  await shelf().store.mappings.link(other);
  const context = accountContext(shelf().store, accountConfig());
  const { actions, holds } = await FLOW_RUNS.stock.plan(context, 'P-2');
  expect([actions, holds]).toEqual([[], [cause('stock-unknown', { sku: 'SB-2' })]]);
});

test('stock is held where two ERP products have the SKU, unless the stock of the linked product falls', async () => {
  await shelf().store.erp.recordProducts('main', [erpProduct({ id: 'P-2' })], { listing: null, lane: 'poll' });
  await readStock('110', at(11));
  expect(await plan()).toMatchObject({ actions: [], holds: [{ code: 'sku-twice' }] });
  await readStock('90', at(12));
  expect(await plan()).toMatchObject({ actions: [{ before: '100', after: '90' }], holds: [{ code: 'sku-twice' }] });
});

describe('a reservation that no known order explains', () => {
  const reserved = (unknown: string) =>
    shelf().store.products.record(
      productBatch([
        product({ figures: { quantity: d('100'), reserved: d(unknown), available: d('100').minus(unknown) } }),
      ]),
    );

  test.each(['available_inventory', 'quantity'])(
    'a reservation that no known order explains is kept back, and raises an alert: writing %s',
    async (write) => {
      await reserved('7');
      const settings = { inventory: { strategy: 'b', write } };
      const still = await plan(settings);
      expect(still.actions).toEqual([]);
      expect(still.alerts).toEqual([cause('reserved-unexplained', { listing: 70, sku: 'SB-1', quantity: '7' })]);
      await readStock('90', at(11));
      expect(await written(settings)).toEqual([write === 'quantity' ? '90' : '83']);
    },
  );

  test('a reservation that the orders explain raises no alert', async () => {
    await readOrders({});
    await reserved('7');
    expect(await plan()).toMatchObject({ actions: [], alerts: [] });
  });

  test('a reservation is counted again once its order is known', async () => {
    await reserved('7');
    await readOrders({});
    await reserved('7');
    expect(await plan()).toMatchObject({ actions: [], alerts: [] });
  });
});

test('a write whose answer has the reservations agrees afterwards, including the unexplained ones', async () => {
  const figures = { quantity: d('100'), reserved: d('9'), available: d('91') };
  await readOrders({});
  await shelf().store.products.record(productBatch([product({ figures })]));
  await readStock('50', at(11));
  const sent: unknown[] = [];
  const call = async (_: string, { body }: { body: { available_inventory: { rawJSON: string } } }) => {
    sent.push(body.available_inventory.rawJSON);
    return { quantity: 50, reserved_qty: 9, available_inventory: 41 };
  };
  const client = { call } as unknown as AccountContext['client'];
  const context = accountContext(shelf().store, accountConfig(), { client });
  const brakeless = () => Promise.resolve({ dryRun: false, paused: null, brake: null });
  expect(await FLOW_RUNS.stock.reconcile(context, look, brakeless)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(sent).toEqual(['41']);
  expect((await shelf().store.products.get('main', 70))?.unexplained.toFixed()).toBe('2');
});

describe('a look decides on what was read last', () => {
  const decide = async (given: Partial<AccountContext>) => {
    const context = accountContext(shelf().store, accountConfig(), given);
    const { actions } = stockFlow.decide(await stockFlow.observeFresh(context, look));
    return actions.map(({ after }) => after);
  };

  test("a stock write is decided from the ERP's stock that the same attempt has read", async () => {
    await readOrders({});
    await tellErp({ changedAt: at(11) });
    const row = stockRow({ onHand: d('80'), available: d('80'), asOf: at(12) });
    const readStockNow = async () => ({ items: [row], invalidRows: [], asOf: at(12), complete: true });
    expect(await decide({ erp: { readStock: readStockNow } as unknown as AccountContext['erp'] })).toEqual(['80']);
  });

  test('an increase is decided from the ERP’s orders that the same attempt has read', async () => {
    await readOrders({});
    await tellErp({ changedAt: at(1) });
    await readStock('100', at(11));
    const due: unknown[] = [];
    const readNow: AccountContext['readNow'] = async (_collection, _look, isDue) => {
      due.push(await isDue?.());
      await tellErp({ status: 'cancelled', changedAt: at(11) });
      due.push(await isDue?.());
    };
    expect(await decide({ readNow })).toEqual([]);
    expect(due).toEqual([true, false]);
  });

  test('a repeated stock write is decided from the listing that the same attempt has read', async () => {
    const { store } = shelf();
    await readOrders({});
    await store.products.record(productBatch([product({ figures: RELEASED, modified: at(2) })]));
    await readOrders({ status: 'Rejected', modified: at(2) });
    await readStock('107', at(11));
    expect(await written()).toEqual(['107']);
    const list = async () => {
      await store.products.record(productBatch([product({ figures: RELEASED, modified: at(2) })]));
      return { rows: [], invalidRows: [], raw: [] };
    };
    const { actions } = stockFlow.decide(
      await stockFlow.observeFresh(
        accountContext(store, accountConfig(), { client: { list } as unknown as AccountContext['client'] }),
        look,
      ),
    );
    expect(actions).toMatchObject([{ before: '100', after: '107', brake: 'increase' }]);
  });

  test('a stock write is decided only once when no read is needed', async () => {
    await readStock('90', at(11));
    const looked = vi.spyOn(shelf().store.observe, 'stock');
    expect(await decide({})).toEqual(['90']);
    expect(looked).toHaveBeenCalledTimes(1);
  });
});
