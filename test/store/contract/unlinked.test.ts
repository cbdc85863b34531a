import { beforeEach, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import type { Store } from '../../../src/store/store.ts';
import { erpProduct, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
let store: Store;

const listed = (id: number, sku: string, changes: Partial<Parameters<typeof product>[0]> = {}) =>
  product({ id, sku, externalId: null, name: `Listing ${id}`, ...changes });
const sold = (id: string, sku: string, changes: Partial<Parameters<typeof erpProduct>[0]> = {}) =>
  erpProduct({ id, sku, name: `Product ${id}`, ...changes });
const read = (...listings: readonly ReturnType<typeof product>[]) => store.products.record(productBatch(listings));
const link = (marketplaceId: string, erpId: string) =>
  store.links.link({ account: 'main', kind: 'product', marketplaceId, erpId, how: 'operator' }, true, 'eve');
const alikeTo = async (id: string) =>
  (await store.observe.product('main', id, [])).alike.map((one) => [one.id, ...one.by]);

beforeEach(async () => {
  ({ store } = shelf());
  await store.erp.recordProducts('main', [sold('P-1', 'SB-0001'), sold('P-2', 'SB-0002')], {
    listing: null,
    lane: 'poll',
  });
});

test('listings and products without a link are counted and listed, page by page', async () => {
  await read(listed(1, 'A'), listed(2, 'B'), listed(3, 'C', { archived: true }), listed(4, 'D'));
  await store.erp.recordProducts('main', [sold('P-3', 'SB-3', { active: false })], { listing: null, lane: 'poll' });
  await link('1', 'P-1');
  expect(await store.unlinked.counts('main')).toEqual({ listings: 2, products: 1 });
  expect(await store.unlinked.counts('other')).toEqual({ listings: 0, products: 0 });
  expect((await store.unlinked.listings('main', 0, 1)).map(({ id }) => id)).toEqual([2]);
  expect((await store.unlinked.listings('main', 2, 10)).map(({ id, isApart }) => [id, isApart])).toEqual([[4, false]]);
  expect((await store.unlinked.products('main', '', 10)).map(({ id }) => id)).toEqual(['P-2']);
  expect(await store.unlinked.products('main', 'P-2', 10)).toEqual([]);
});

test('unlinked listings that may be a product under another SKU are found by their present common values', async () => {
  await read(listed(7, 'JRB-SB-0001'), listed(8, 'X', { name: 'PRODUCT p-1' }), listed(9, 'Y'));
  expect(await alikeTo('P-1')).toEqual([
    [7, 'sku-part'],
    [8, 'name'],
  ]);
  await read(listed(7, 'Z'), listed(9, 'sb 0001'));
  expect(await alikeTo('P-1')).toEqual([
    [9, 'sku-spelling', 'sku-part'],
    [8, 'name'],
  ]);
});

test('archived, linked, named, or rejected listings are no candidates for a product', async () => {
  await read(
    listed(1, 'OLD-SB-0001', { archived: true }),
    listed(2, 'JRB-SB-0001'),
    listed(3, 'SB-0002', { name: 'Product P-1' }),
    listed(4, 'V', { name: 'Product P-1', externalId: 'P-2' }),
    listed(5, 'SB-0001-A'),
    listed(6, 'SB-0001-B'),
  );
  await link('2', 'P-2');
  await store.unlinked.tellApart({ account: 'main', listingId: 5, erpId: 'P-1' }, 'eve');
  expect(await alikeTo('P-1')).toEqual([[6, 'sku-part']]);
  await store.unlinked.tellApart({ account: 'main', listingId: 6, erpId: null }, 'eve');
  expect(await alikeTo('P-1')).toEqual([]);
  expect(await store.unlinked.counts('main')).toMatchObject({ listings: 3 });
  expect(await store.journal.of('main', 'product', 'P-1', 5)).toMatchObject([
    { action: 'map.refuse', target: 'listing 5', after: 'not ERP product P-1', why: 'by eve' },
  ]);
});

test('a rejected listing is a candidate again after the rejection is revoked, and marks the product', async () => {
  await read(listed(5, 'SB-0001-A'));
  const told = { account: 'main', listingId: 5, erpId: 'P-1' };
  await store.unlinked.tellApart(told, 'eve');
  expect(await alikeTo('P-1')).toEqual([]);
  await shelf().takeWork();
  await store.unlinked.forgetApart(told, 'ann');
  expect(await alikeTo('P-1')).toEqual([[5, 'sku-part']]);
  expect(await shelf().takeWork()).toEqual(['product P-1']);
  expect((await store.audit.latest(1))[0]).toMatchObject({ action: 'map.reconsider', who: 'ann', key: 'P-1' });
});

test('a product waits for its candidate listings until a decision or a change', async () => {
  const product2 = { account: 'main', flow: 'product', key: 'P-2' };
  const hold = async () => {
    const listings = [{ id: 7, sku: 'JRB-SB-0001', by: ['sku-part' as const] }];
    for (const row of await store.work.due('main', 100)) await store.work.settle(row, row.version);
    await store.work.mark([product2], 'poll', 'seen');
    const version = (await store.work.get(product2))?.version ?? 0;
    await store.work.hold(product2, version, [cause('could-be-listed', { sku: 'SB-0002', product: 'P-2', listings })]);
  };
  const isFree = async () => (await store.work.get(product2))?.state === 'pending';
  await read(listed(7, 'JRB-SB-0001'), listed(8, 'X'));
  await hold();
  await read(listed(8, 'Y'));
  await link('8', 'P-9');
  await store.unlinked.tellApart({ account: 'main', listingId: 8, erpId: null }, 'eve');
  expect(await isFree()).toBe(false);
  for (const happens of [
    () => read(listed(7, 'Z')),
    () => read(listed(7, 'Z', { archived: true })),
    () => store.unlinked.tellApart({ account: 'main', listingId: 7, erpId: 'P-2' }, 'eve'),
    () => link('7', 'P-1'),
  ]) {
    await hold();
    await happens();
    expect(await isFree()).toBe(true);
  }
});
