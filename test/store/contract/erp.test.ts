import { describe, expect, test } from 'vitest';
import { type Cause, exampleOf } from '../../../src/domain/causes/cause.ts';
import { at, d, erpOrder, erpProduct, order, orderBatch, stockRow, useShelf } from '../shelf.ts';

const shelf = useShelf();
const erp = () => shelf().store.erp;
const products = (items: Parameters<typeof erpProduct>[0][], listing: number | null = null) =>
  erp()
    .recordProducts('main', items.map(erpProduct), { listing, lane: 'poll' })
    .then(({ length }) => length);
const stock = (changes: Parameters<typeof stockRow>[0] = {}, asOf = at(0)) =>
  erp().recordStock('main', [stockRow({ asOf, ...changes })], 'poll');
const orders = (...items: Parameters<typeof erpOrder>[0][]) => erp().recordOrders('main', items.map(erpOrder), 'poll');
const link = (kind: 'product' | 'order', marketplaceId: string, erpId: string) =>
  shelf().store.mappings.link({ account: 'main', kind, marketplaceId, erpId, how: 'test' });

test('ERP products are read back as they were stored', async () => {
  const read = erpProduct({ unitMultiplier: d('12.5'), attributes: { strain: 'x', tags: ['a'] }, active: false });
  await products([read]);
  const { attributes, ...same } = read;
  const attributesText = JSON.stringify(attributes);
  expect(await erp().product('main', 'P-1')).toEqual({ ...same, attributesText, absences: 0 });
});

test('ERP products that share the SKU of a held product are found, without deleted ones', async () => {
  await products([{}, { id: 'P-2' }, { id: 'P-3', deleted: true }, { id: 'P-4', sku: 'SB-4' }]);
  expect(await erp().heldTwins('main')).toEqual([]);
  const { work } = shelf().store;
  const hold = async (key: string, ...why: Parameters<typeof work.hold>[2]) => {
    const held = { account: 'main', flow: 'product', key };
    await work.hold(held, (await work.get(held))?.version ?? 0, why);
  };
  await hold('P-1', exampleOf('sku-twice') as Cause);
  await hold('P-4', exampleOf('listing-invalid') as Cause);
  expect(await erp().heldTwins('main')).toEqual(['P-1', 'P-2']);
  await shelf().store.facts.set('main', 'alert:stock:P-1', JSON.stringify([exampleOf('oversold')]));
  const counted = [
    await work.countFor('main', 'held', ['sku-twice']),
    await work.countFor('main', 'alert', ['oversold']),
  ];
  expect(counted).toEqual([1, 1]);
});

test('an ERP product read again unchanged changes nothing and marks nothing', async () => {
  await products([{}]);
  expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
  expect(await products([{}])).toBe(0);
  expect(await products([{ changedAt: at(3) }])).toBe(0);
  expect(await shelf().takeWork()).toEqual([]);
});

test('a changed ERP product marks what depends on it', async () => {
  await products([{}]);
  await shelf().takeWork();
  await products([{ name: 'Haze', changedAt: at(1) }]);
  expect(await shelf().takeWork()).toEqual(['product P-1']);
  await products([{ name: 'Haze', active: false, changedAt: at(2) }]);
  expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
});

test('ERP products that begin or cease to share a SKU are all marked', async () => {
  await products([{}, { id: 'P-2', sku: 'SB-2' }]);
  await shelf().takeWork();
  await products([{ id: 'P-2', sku: 'SB-1', changedAt: at(1) }]);
  const both = ['product P-1', 'product P-2', 'stock P-1', 'stock P-2'];
  expect(await shelf().takeWork()).toEqual(both);
  expect((await erp().productsBySku('main', 'SB-1')).map((each) => each.id)).toEqual(['P-1', 'P-2']);
  await products([{ id: 'P-2', sku: 'SB-2', changedAt: at(2) }]);
  expect(await shelf().takeWork()).toEqual(both);
  await products([{ id: 'P-2', sku: 'SB-1', deleted: true, changedAt: at(3) }]);
  expect((await erp().productsBySku('main', 'SB-1')).map((each) => each.id)).toEqual(['P-1']);
});

test('an ERP product answer that was overtaken is ignored; a full list is accepted', async () => {
  await products([{ name: 'Haze', changedAt: at(5) }]);
  expect(await products([{ changedAt: at(4) }])).toBe(0);
  expect((await erp().product('main', 'P-1'))?.name).toBe('Haze');
  expect(await products([{ changedAt: at(4) }], 1)).toBe(1);
  expect((await erp().product('main', 'P-1'))?.name).toBe('Kush');
});

test('rows of the ERP are accepted after its clock was set back by an hour', async () => {
  await products([{ changedAt: '2030-01-01T12:00:00Z' }]);
  expect(await products([{ name: 'Haze', changedAt: '2030-01-01T11:00:00Z' }])).toBe(1);
});

describe('absent from complete listings', () => {
  const absences = async (id: string) => (await erp().product('main', id))?.absences;

  test('an ERP product missing from full lists is counted until its absence is confirmed, and marked each time', async () => {
    await products([{}, { id: 'P-2', sku: 'SB-2' }], 1);
    expect(await erp().closeListing('main', 1)).toBe(0);
    await shelf().takeWork();
    for (const [listing, expected] of [
      [2, 1],
      [3, 2],
    ] as const) {
      await products([{}], listing);
      expect(await erp().closeListing('main', listing)).toBe(1);
      expect(await shelf().takeWork()).toEqual(['product P-2', 'stock P-2']);
      expect([await absences('P-1'), await absences('P-2')]).toEqual([0, expected]);
    }
    expect(await erp().missingFrom('main', 3)).toEqual({ sold: 1, missing: 0 });
    expect(await erp().missingFrom('main', 4)).toEqual({ sold: 1, missing: 1 });
  });

  test('a product that the list has under another id is not missing, and its SKU is free once it is gone', async () => {
    await products([{}, { id: 'P-2', sku: 'SB-2' }], 1);
    for (const listing of [2, 3]) {
      await products([{ id: 'P-9' }, { id: 'P-2', sku: 'SB-2' }], listing);
      expect((await erp().missingFrom('main', listing)).missing).toBe(0);
      await erp().closeListing('main', listing);
    }
    expect((await erp().productsBySku('main', 'SB-1')).map(({ id }) => id)).toEqual(['P-9']);
  });

  test('a confirmed-absent product is not counted again in later lists', async () => {
    await products([{}], 1);
    await erp().closeListing('main', 2);
    await erp().closeListing('main', 3);
    await shelf().takeWork();
    expect(await erp().closeListing('main', 4)).toBe(0);
    expect(await shelf().takeWork()).toEqual([]);
  });

  test('a product that is back in the list was never gone', async () => {
    await products([{}], 1);
    await erp().closeListing('main', 2);
    await shelf().takeWork();
    await products([{}]);
    expect(await absences('P-1')).toBe(0);
    expect(await shelf().takeWork()).toEqual(['product P-1']);
  });

  test('a product that is back after it was gone has its stock looked at, though nothing else of it changed', async () => {
    await products([{}], 1);
    for (const listing of [2, 3]) await erp().closeListing('main', listing);
    await shelf().takeWork();
    await products([{}]);
    expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
  });

  test('a product in an unreadable row is not missing', async () => {
    await products([{}], 1);
    await erp().seenInListing('main', ['P-1', 'P-unknown'], 2);
    expect(await erp().closeListing('main', 2)).toBe(0);
    expect(await absences('P-1')).toBe(0);
  });

  test('a deleted product is not counted as missing', async () => {
    await products([{ deleted: true }], 1);
    expect(await erp().closeListing('main', 2)).toBe(0);
  });
});

test('ERP stock is read back with its exact digits', async () => {
  await stock({ onHand: d('99999999.9999'), reserved: d('100000000.0001'), available: d('-0.0002') }, at(3));
  const read = await erp().stock('main', 'P-1');
  expect([read?.onHand, read?.reserved, read?.available].map((figure) => figure?.toFixed())).toEqual([
    '99999999.9999',
    '100000000.0001',
    '-0.0002',
  ]);
  expect(read?.asOf).toBe(at(3));
  expect(await erp().stock('main', 'P-2')).toBeNull();
});

test('ERP stock marks its product when a figure changed, and not when only time passed', async () => {
  await stock();
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
  await stock({}, at(1));
  expect(await shelf().takeWork()).toEqual([]);
  expect((await erp().stock('main', 'P-1'))?.asOf).toBe(at(1));
  await stock({ available: d('99') }, at(2));
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
  await stock({ available: d('99'), problem: 'available 41 is not on hand' }, at(3));
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
});

test('an ERP stock row that was overtaken is ignored', async () => {
  await stock({ available: d('50') }, at(5));
  expect(await stock({ available: d('100') }, at(4))).toBe(0);
  expect((await erp().stock('main', 'P-1'))?.available.toFixed()).toBe('50');
});

describe('stock by location', () => {
  const east = { location: 'EAST', available: d('4') };
  const lot = { location: 'EAST', batch: 'LOT-7', available: d('3') };

  test('stock by location is stored by row: a location that a read lacks stays unchanged', async () => {
    await stock(east);
    await stock(lot);
    await stock({ ...lot, available: d('2') }, at(1));
    const { stock: rows } = await shelf().store.observe.facilityStock('main', 'P-1', []);
    expect(rows.map(({ location, batch, available }) => [location, batch, available.toFixed()])).toEqual([
      ['EAST', undefined, '4'],
      ['EAST', 'LOT-7', '2'],
    ]);
    expect(await shelf().takeWork()).toEqual(['stock P-1']);
  });

  test('a stock row without a location is the total, unless the ERP has reported newer rows by location', async () => {
    await stock(east);
    await stock(lot);
    await stock({ available: d('7') }, at(1));
    expect((await erp().stock('main', 'P-1'))?.available.toFixed()).toBe('7');
    await stock(lot, at(2));
    expect((await erp().stock('main', 'P-1'))?.problem).not.toBeNull();
  });
});

test('ERP orders are read back as they were stored', async () => {
  const read = erpOrder({
    customer: { id: 'C-1', marketplaceId: 5, name: 'Corner Shop' },
    lines: [{ sku: 'SB-1', quantity: d('0.0001'), unitPrice: d('1.4285714286'), description: 'x' }],
    discount: d('1.50'),
    note: 'by hand',
  });
  await orders(read);
  expect(await erp().order('main', 'E-1')).toEqual({ ...read, countedSince: at(0), changedTick: expect.any(Number) });
  expect((await erp().ordersByReference('main', 'o-1')).map((each) => each.id)).toEqual(['E-1']);
});

test('an ERP order read again unchanged changes nothing and marks nothing', async () => {
  await products([{}]);
  await orders({});
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'product P-1', 'stock P-1']);
  expect(await orders({}, { changedAt: at(3) })).toBe(0);
  expect(await shelf().takeWork()).toEqual([]);
});

test('an order made in the ERP marks itself and its marketplace order', async () => {
  await orders({ origin: 'erp', reference: 'E-1' });
  expect(await shelf().takeWork()).toEqual(['order-out E-1']);
  await link('order', 'o-7', 'E-1');
  await shelf().takeWork();
  await orders({ origin: 'erp', reference: 'E-1', status: 'shipped', changedAt: at(1) });
  expect(await shelf().takeWork()).toEqual(['order-in o-7', 'order-out E-1']);
});

test('an ERP order created by a reconcile attempt of the marketplace order does not interrupt that attempt', async () => {
  await products([{}]);
  await shelf().takeWork();
  await erp().recordOrders('main', [erpOrder({ reference: 'o-1' })], 'poll', 'o-1');
  shelf().nowMs += 1_000;
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
});

test('many new ERP orders mark the stock of their product once, a second after the first of them', async () => {
  await products([{}]);
  await shelf().takeWork();
  await orders({ id: 'E-1', reference: 'o-1' });
  shelf().nowMs += 999;
  await orders({ id: 'E-2', reference: 'o-2' });
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'order-in o-2']);
  shelf().nowMs += 1;
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
  shelf().nowMs += 10_000;
  expect(await shelf().takeWork()).toEqual([]);
});

test('an ERP order that begins to reserve postpones no attempt that is due', async () => {
  await products([{}]);
  await orders({ reference: 'o-1' });
  expect(await shelf().takeWork()).toContain('stock P-1');
});

test('an ERP order that releases its units marks the stock of its product once', async () => {
  await products([{}]);
  await orders({ reference: 'o-1' });
  await shelf().takeWork();
  await orders({ reference: 'o-1', status: 'cancelled', changedAt: at(1) });
  expect(await shelf().takeWork()).toContain('stock P-1');
});

test('a line that the ERP removed marks the stock of its product as well', async () => {
  await products([{}, { id: 'P-2', sku: 'SB-2' }]);
  const two = { sku: 'SB-2', quantity: d('1'), unitPrice: d('1') };
  await orders({ lines: [...erpOrder().lines, two] });
  await shelf().takeWork();
  await orders({ lines: [two], changedAt: at(1) });
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'stock P-1', 'stock P-2']);
});

test('a page of ERP orders that was overtaken is ignored', async () => {
  await orders({ status: 'reserved', changedAt: at(5) });
  expect(await orders({ status: 'draft', changedAt: at(4) })).toBe(0);
  expect(await erp().order('main', 'E-1')).toMatchObject({ status: 'reserved', countedSince: at(5) });
});

test('the time since when an order is counted is that of the first read with the same quantities', async () => {
  const since = async () => (await erp().order('main', 'E-1'))?.countedSince;
  await orders({ status: 'draft' });
  expect(await since()).toBeNull();
  await orders({ changedAt: at(2) });
  await orders({ note: 'x', changedAt: at(3) });
  expect(await since()).toBe(at(2));
  await orders({ lines: [{ sku: 'SB-1', quantity: d('9'), unitPrice: d('12.50') }], changedAt: at(4) });
  expect(await since()).toBe(at(4));
});

test('an iteration over ERP entities goes by id', async () => {
  await products([{}, { id: 'P-3', sku: 'c' }, { id: 'P-2', sku: 'b' }]);
  await orders({ id: 'E-2' }, { id: 'E-1' });
  await shelf().store.orders.record(orderBatch([order()]));
  expect(await erp().productIds('main', 'P-1', 1)).toEqual(['P-2']);
  expect(await erp().productIds('main', 'P-2', 9)).toEqual(['P-3']);
  expect(await erp().orderIds('main', '', 9)).toEqual(['E-1', 'E-2']);
});

test('a list of all ERP orders is accepted whatever its timestamps, where nothing was stored since it began', async () => {
  await orders({ status: 'reserved', changedAt: at(5) });
  const list = (sinceMs: number) => ({ lane: 'poll', sinceMs }) as const;
  const item = erpOrder({ status: 'cancelled', changedAt: at(4) });
  expect(await orders({ status: 'cancelled', changedAt: at(4) })).toBe(0);
  expect(await erp().recordOrderList('main', [item], list(shelf().nowMs))).toEqual([]);
  shelf().nowMs += 1_000;
  expect(await erp().recordOrderList('main', [item], list(shelf().nowMs))).toEqual([item.id]);
  expect((await erp().order('main', item.id))?.status).toBe('cancelled');
  expect(await erp().openOrderIds('main')).toEqual([]);
});

test('ERP orders missing from a list of all are gone: they hold nothing any more, and mark what depends on them', async () => {
  await products([{}]);
  await orders({ id: 'E-1', reference: 'o-1', status: 'reserved' }, { id: 'E-2', reference: 'o-2', status: 'shipped' });
  await link('order', 'o-1', 'E-1');
  await shelf().takeWork();
  expect(await erp().openOrderIds('main')).toEqual(['E-1']);
  await erp().dropOrders('main', ['E-1', 'E-9'], { asOf: at(9), lane: 'poll' });
  expect([await erp().order('main', 'E-1'), await erp().openOrderIds('main')]).toEqual([null, []]);
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'stock P-1']);
});

test('unexplained ERP orders from the marketplace are those without a link and with an unknown number', async () => {
  await shelf().store.orders.record(orderBatch([order({ number: 'o-1' })]));
  await orders(
    { id: 'E-1', reference: 'o-1' },
    { id: 'E-2', reference: 'o-2-cut' },
    { id: 'E-3', reference: 'o-3-cut' },
    { id: 'E-4', reference: 'E-4', origin: 'erp' },
  );
  await link('order', 'o-3', 'E-3');
  expect((await erp().unknownOrders('main', 0)).map(({ id }) => id)).toEqual(['E-2']);
  expect(await erp().unknownOrders('other', 0)).toEqual([]);
  expect(await erp().unknownOrders('main', Number.MAX_SAFE_INTEGER)).toEqual([]);
});

test('a linked ERP order that carries the number of another known order is recognised, unless a person made the link', async () => {
  const { store } = shelf();
  const ofOther = async () => (await store.observe.orderIn('main', 'o-1', [])).ofOther;
  await store.orders.record(orderBatch([order(), order({ number: 'o-2' })]));
  await orders({});
  await link('order', 'o-1', 'E-1');
  expect(await ofOther()).toBeNull();
  await orders({ reference: 'o-3', changedAt: at(1) });
  expect(await ofOther()).toBeNull();
  await orders({ reference: 'o-2', changedAt: at(2) });
  expect(await ofOther()).toBe('o-2');
  await orders({ id: 'E-7', reference: 'o-2', changedAt: at(3) });
  const ids = { marketplaceId: 'o-1', erpId: 'E-7' };
  await store.links.link({ account: 'main', kind: 'order', ...ids, how: 'operator' }, true, 'a person');
  expect(await ofOther()).toBeNull();
});

test('a linked order made in the ERP is recognised as itself, whatever number somebody typed as its reference', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order(), order({ number: 'E-1' })]));
  await orders({ origin: 'erp', reference: 'E-1' });
  await link('order', 'o-1', 'E-1');
  expect((await store.observe.orderIn('main', 'o-1', [])).ofOther).toBeNull();
});

test('transports and verdicts of an ERP order that carries another number are not told to its former order', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order(), order({ number: 'o-2' })]));
  await orders({});
  await link('order', 'o-1', 'E-1');
  const seen = async () => [
    (await store.observe.transportIn('main', 'o-1', [])).erpOrder?.id,
    (await store.observe.approvalOut('main', 'E-1', [])).number,
  ];
  expect(await seen()).toEqual(['E-1', 'o-1']);
  await orders({ reference: 'o-2', changedAt: at(1) });
  expect(await seen()).toEqual([undefined, null]);
});

test('an order made in the ERP whose reference is the number of a linked order marks that order', async () => {
  const { store, takeWork } = shelf();
  const reusing = async () => (await store.observe.orderIn('main', 'o-1', [])).reusing;
  await store.orders.record(orderBatch([order()]));
  await orders({});
  await link('order', 'o-1', 'E-1');
  await takeWork();
  await orders({ id: 'E-8', origin: 'erp', changedAt: at(1) });
  expect(await takeWork()).toEqual(expect.arrayContaining(['order-in o-1', 'order-out E-8']));
  expect(await reusing()).toEqual(['E-8']);
  await orders({ id: 'E-8', origin: 'erp', reference: 'own', changedAt: at(2) });
  expect(await takeWork()).toEqual(expect.arrayContaining(['order-in o-1', 'order-out E-8']));
  expect(await reusing()).toEqual([]);
  await orders({ id: 'E-8', origin: 'erp', reference: 'o-1', status: 'cancelled', changedAt: at(3) });
  expect(await reusing()).toEqual([]);
});
