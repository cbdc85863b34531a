import { beforeEach, describe, expect, test } from 'vitest';
import { at, d, erpProduct, line, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const list = (...args: Parameters<typeof productBatch>) => shelf().store.products.record(productBatch(...args));
const orders = (...args: Parameters<typeof orderBatch>) => shelf().store.orders.record(orderBatch(...args));
const link = () =>
  shelf().store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
const figures = (quantity: string, reserved: string) => ({
  quantity: d(quantity),
  reserved: d(reserved),
  available: d(quantity).minus(reserved),
});

async function shown() {
  const stored = await shelf().store.products.get('main', 70);
  const { quantity, reserved, available } = stored?.figures ?? {};
  return [quantity, reserved, available].map((figure) => figure?.toFixed() ?? null);
}
const isCertain = async () => (await shelf().store.products.get('main', 70))?.certain;

test('listings are read back as they were stored, with exact digits, and what was not sent stays unknown', async () => {
  const read = product({ figures: figures('99999999.9999', '0.0001'), unitMultiplier: d('12.5') });
  await list([
    read,
    product({
      id: 71,
      price: undefined,
      name: undefined,
      figures: { quantity: null, reserved: null, available: null },
    }),
  ]);
  const {
    certain,
    unexplained: _,
    observedTick: __,
    releasedTick: ___,
    ...stored
  } = (await shelf().store.products.get('main', 70)) ?? {};
  expect(certain).toBe(true);
  expect({ ...stored, description: undefined }).toEqual(read);
  expect(await shelf().store.products.get('main', 71)).toMatchObject({
    name: undefined,
    price: undefined,
    figures: { quantity: null },
  });
});

test('every listing of a large page is stored, and found at the next read', async () => {
  const ids = Array.from({ length: 600 }, (_, index) => index + 1);
  const page = ids.map((id) => product({ id, sku: `S-${id}` }));
  for (const count of [1, 9, 70, 600]) {
    await list(page.slice(0, count));
    const found = await shelf().store.products.among('main', [...ids, 1]);
    expect(found.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.slice(0, count));
    expect(new Set(found.map(({ observedTick }) => observedTick)).size).toBe(1);
  }
  expect(await list(page)).toEqual([]);
  expect(await shelf().store.products.among('main', [])).toEqual([]);
});

test('a listing that is twice on a page gets the state of the later row', async () => {
  await list([product(), product({ modified: at(1), figures: figures('7', '0') })]);
  expect(await shown()).toEqual(['7', '0', '7']);
  await list([product({ modified: at(3), figures: figures('9', '0') }), product({ modified: at(2) })]);
  expect(await shown()).toEqual(['9', '0', '9']);
});

test('a page of listings read again unchanged changes nothing and marks nothing', async () => {
  await link();
  await list([product()]);
  await shelf().takeWork();
  expect(await list([product()])).toEqual([]);
  expect(await list([product({ modified: at(1) })])).toEqual([]);
  expect(await shelf().takeWork()).toEqual([]);
});

test('a changed listing marks its product and its stock', async () => {
  await link();
  await list([product()]);
  await shelf().takeWork();
  expect(await list([product({ name: 'Haze', modified: at(1) })])).toEqual([70]);
  expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
});

test('changed figures of a listing are a change, also with the same `modified`: a reservation does not move it', async () => {
  await link();
  await list([product()]);
  await shelf().takeWork();
  expect(await list([product({ figures: figures('100', '7') })])).toEqual([70]);
  expect(await shelf().takeWork()).toContain('stock P-1');
  expect(await shown()).toEqual(['100', '7', '93']);
});

test('a listing answer that was overtaken is ignored', async () => {
  await list([product({ figures: figures('93', '0'), name: 'Haze', modified: at(5) })]);
  expect(await list([product({ modified: at(4) })])).toEqual([]);
  expect(await shown()).toEqual(['93', '0', '93']);
  expect((await shelf().store.products.get('main', 70))?.name).toBe('Haze');
});

test('an unlinked listing marks the ERP products that it may belong to', async () => {
  await shelf().store.erp.recordProducts('main', [erpProduct(), erpProduct({ id: 'P-2' })], {
    listing: null,
    lane: 'poll',
  });
  await shelf().takeWork();
  await list([product({ externalId: null })]);
  expect(await shelf().takeWork()).toEqual(['product P-1', 'product P-2']);
  await list([product({ id: 71, externalId: 'P-9', sku: null })]);
  expect(await shelf().takeWork()).toContain('product P-9');
});

test('an invalid listing row, and its later correction, each mark the linked entity', async () => {
  await link();
  await list([product()]);
  await shelf().takeWork();
  await list([], { invalidRows: [{ what: '70', path: 'quantity', message: 'expected a decimal' }] });
  expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
  expect(await list([product()])).toEqual([70]);
  expect(await shelf().takeWork()).toEqual(['product P-1', 'stock P-1']);
  expect(await shelf().store.invalidRows.get('main', 'products', '70')).toBeNull();
});

test('after an order the stored figures of its listings are the moved ones', async () => {
  await list([product(), product({ id: 71 })]);
  await orders([order({ lines: [line(), line({ id: 2, quantity: d('0.5') })] })]);
  expect([await shown(), await isCertain()]).toEqual([['100', '7.5', '92.5'], true]);
  // The line is another listing's now.
  await orders([order({ modified: at(2), lines: [line({ productId: 71, quantity: d('9') })] })]);
  expect(await shown()).toEqual(['100', '0', '100']);
  expect((await shelf().store.products.get('main', 71))?.figures.reserved?.toFixed()).toBe('9');
});

test('a line that was added after Accepted moves no figures', async () => {
  await list([product()]);
  await orders([order({ status: 'Accepted' })]);
  await orders([order({ status: 'Fulfilled', modified: at(1) })]);
  await orders([order({ status: 'Fulfilled', modified: at(2), lines: [line(), line({ id: 2 })] })]);
  expect([await shown(), await isCertain()]).toEqual([['93', '0', '93'], true]);
});

test('an order marks the stock of each of its products, also of a removed line', async () => {
  await link();
  await orders([order()]);
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'product P-1', 'stock P-1']);
  await orders([order({ modified: at(1), lines: [] })]);
  expect(await shelf().takeWork()).toEqual(['order-in o-1', 'stock P-1']);
});

describe('units that an order let go of are counted from', () => {
  const released = async () => (await shelf().store.products.get('main', 70))?.releasedTick;
  const tick = () => shelf().store.cursors.tick('main');

  beforeEach(async () => {
    await list([product()]);
    await orders([order()]);
    expect(await released()).toBe(0);
  });

  test('units that an order released are counted from the read that has the release, and later reads keep that time', async () => {
    const began = await tick();
    await orders([order({ status: 'Rejected', modified: at(1) })], { readTick: began });
    expect(await released()).toBe(began - 1);
    await list([product({ figures: figures('100', '0'), modified: at(2) })]);
    expect(await released()).toBe(began - 1);
  });

  test('units that an order released are counted from the time of an answer outside a read, also without figures', async () => {
    await list([product({ figures: { quantity: null, reserved: null, available: null }, modified: at(1) })]);
    const before = await tick();
    await orders([order({ status: 'Rejected', modified: at(1) })], { readTick: null });
    expect(await released()).toBeGreaterThan(before);
    expect(await released()).toBeLessThan(await tick());
  });
});

describe('figures are not trusted', () => {
  const tickOf = async () => (await shelf().store.products.get('main', 70))?.observedTick ?? 0;

  test('listing figures are uncertain when their read may have counted the event already', async () => {
    await list([product()]);
    await orders([order()], { knownBeforeTick: await tickOf() });
    expect(await isCertain()).toBe(false);
  });

  test('figures are trusted when every order from before their reading was known', async () => {
    await list([product()]);
    await orders([order()], { knownBeforeTick: (await tickOf()) + 1 });
    expect(await isCertain()).toBe(true);
  });

  test.each([
    ['a row that became visible late', order({ modified: at(0) }), at(0)],
    ['one from below the cursor', order({ modified: at(0) }), at(1)],
  ])('listing figures are uncertain after %s', async (_, late, cursorBefore) => {
    await list([product()]);
    await orders([late], { cursorBefore });
    expect(await isCertain()).toBe(false);
  });

  test('uncertain listing figures become certain when they are read again, or when a write of ours is answered with them', async () => {
    await list([product()]);
    await orders([order({ status: 'Fulfilled' })]);
    await list([product({ figures: figures('93', '0') })]);
    expect([await isCertain(), await shown()]).toEqual([true, ['93', '0', '93']]);
    await orders([order({ number: 'o-2', status: 'Fulfilled', modified: at(1) })]);
    expect(await isCertain()).toBe(false);
    await shelf().store.products.observeFigures('main', 70, {
      figures: figures('90', '4'),
      expectedReserved: d('1'),
      observedTick: 0,
    });
    expect([await isCertain(), await shown()]).toEqual([true, ['90', '4', '86']]);
    expect((await shelf().store.products.get('main', 70))?.unexplained.toFixed()).toBe('3');
  });
});

test('units that known orders reserve are explained, whether the listing or the orders are read first', async () => {
  await orders([order(), order({ number: 'o-2', status: 'Accepted', lines: [line({ quantity: d('2') })] })]);
  await orders([order({ number: 'o-3', status: 'Fulfilled' }), order({ number: 'o-4', status: 'Canceled' })]);
  await list([product({ figures: figures('100', '9') })]);
  expect((await shelf().store.products.get('main', 70))?.unexplained.toFixed()).toBe('0');
});

test('listings are found by SKU, by external id, and in order', async () => {
  await list([product(), product({ id: 71, sku: 'SB-2', externalId: null }), product({ id: 72, externalId: 'P-3' })]);
  const { products } = shelf().store;
  await shelf().store.erp.recordProducts('main', [erpProduct({ id: 'P-3' })], { listing: 1, lane: 'poll' });
  const { candidates } = await shelf().store.observe.product('main', 'P-3', []);
  expect(candidates.bySku.map(({ stored }) => stored.id)).toEqual([70, 72]);
  expect(candidates.byExternalId.map(({ stored }) => stored.id)).toEqual([72]);
  expect((await products.list('main', 70, 10)).map(({ id }) => id)).toEqual([71, 72]);
  expect(await products.count('main')).toBe(3);
});

test('the number of listings is exact at every moment, whatever was counted before', async () => {
  const { products } = shelf().store;
  expect(await products.count('main')).toBe(0);
  await list([product(), product({ id: 71, sku: 'SB-2' })]);
  expect(await products.count('main')).toBe(2);
  await list([product({ name: 'Haze', modified: at(1) })]);
  expect(await products.count('main')).toBe(2);
  await list([product({ id: 90 })], { account: 'other' });
  // The second row cannot be stored.
  await list([product({ id: 72 }), product({ id: 73, sku: {} as string })]);
  expect([await products.count('main'), await products.count('other')]).toEqual([3, 1]);
  await list([product({ id: 72 }), product({ id: 73 })]);
  expect(await products.count('main')).toBe(4);
});

test('a listing that gives up its SKU or its id marks the products that shared it', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-3', sku: 'SB-1' }), erpProduct({ id: 'P-9' })], {
    listing: 1,
    lane: 'poll',
  });
  let time = 0;
  const pair = (changes: object) => {
    time += 1;
    return ['71', '72'].map((id) => {
      const changed = id === '72' ? changes : {};
      return product({ id: Number(id), sku: 'SB-1', externalId: null, modified: at(time), ...changed });
    });
  };
  const version = async () => (await store.work.get({ account: 'main', flow: 'product', key: 'P-3' }))?.version;
  const looks = async (changes: object) => {
    await list(pair({}));
    const [, second] = pair(changes);
    const before = await version();
    if (second !== undefined) await list([second]);
    return before !== (await version());
  };
  expect(await looks({ sku: 'SB-2' })).toBe(true);
  expect(await looks({ externalId: 'P-9' })).toBe(true);
  expect(await looks({ archived: true })).toBe(true);
});
