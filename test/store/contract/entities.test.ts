import { expect, test } from 'vitest';
import { erpProduct, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const named = (name: string, beginning = false, limit = 10) =>
  shelf().store.entities.named('main', name, { beginning, kind: null }, limit);

async function given(): Promise<void> {
  const { store } = shelf();
  await store.erp.recordProducts(
    'main',
    [erpProduct({ id: 'P-000001', sku: 'SB-0001' }), erpProduct({ id: 'P-000002', sku: 'SB-0002' })],
    { listing: null, lane: 'poll' },
  );
  await store.orders.record(orderBatch([order({ number: '9f1c0a52-7a51' })]));
  const link = { account: 'main', how: 'operator' };
  await store.links.link({ ...link, kind: 'product', marketplaceId: '4711', erpId: 'P-000001' }, false, 'a test');
  await store.links.link({ ...link, kind: 'order', marketplaceId: '9f1c0a52-7a51', erpId: 'SO-17' }, false, 'a test');
}

const FIRST = { kind: 'product', marketplaceId: '4711', erpId: 'P-000001' };
const ORDER = { kind: 'order', marketplaceId: '9f1c0a52-7a51', erpId: 'SO-17' };

test('an entity has one name on each side, and a product also its SKU', async () => {
  await given();
  for (const name of ['SB-0001', 'P-000001', '4711']) expect([name, await named(name)]).toEqual([name, [FIRST]]);
  for (const name of ['9f1c0a52-7a51', 'SO-17']) expect([name, await named(name)]).toEqual([name, [ORDER]]);
  expect(await named('SB-0002')).toEqual([{ kind: 'product', marketplaceId: null, erpId: 'P-000002' }]);
  expect(await named('SB-00')).toEqual([]);
  expect(await shelf().store.entities.named('other', 'SB-0001', { beginning: false, kind: null }, 10)).toEqual([]);
});

test('a prefix finds the entities that begin with it, up to the requested number', async () => {
  await given();
  expect(await named('9f1c', true)).toEqual([ORDER]);
  expect(await named('SB-000', true)).toHaveLength(2);
  expect(await named('P-000', true, 1)).toHaveLength(1);
  expect(await named('SB_0', true)).toEqual([]);
  const customers = { beginning: true, kind: 'customer' } as const;
  expect(await shelf().store.entities.named('main', 'SB-0001', customers, 10)).toEqual([]);
});

test('the number of a listing has to begin with whole digits, and SKUs match in lower case', async () => {
  await given();
  const { store } = shelf();
  await store.products.record(
    productBatch([
      product({ id: 81_234, sku: 'X-1' }),
      product({ id: 812, sku: 'X-2' }),
      product({ id: 9, sku: 'X-3' }),
    ]),
  );
  const ids = async (name: string, beginning: boolean) =>
    (await named(name, beginning)).map(({ marketplaceId }) => marketplaceId ?? '').toSorted();
  expect(await ids('812', true)).toEqual(['812', '81234']);
  expect(await ids('8123', true)).toEqual(['81234']);
  expect(await ids('0812', true)).toEqual([]);
  expect(await ids('812', false)).toEqual(['812']);
  expect(await ids('x-2', false)).toEqual(['812']);
  expect(await named('sb-0001')).toEqual([FIRST]);
});

test('when no entity has the name itself, entities are found by their name on the other side', async () => {
  await given();
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ number: 'b-1', externalId: 'SO-99' })]));
  await store.products.record(productBatch([product({ id: 5, sku: 'Y', externalId: 'P-77' })]));
  expect(await named('SO-99')).toEqual([{ kind: 'order', marketplaceId: 'b-1', erpId: null }]);
  expect(await named('P-77')).toEqual([{ kind: 'product', marketplaceId: '5', erpId: null }]);
  expect(await named('P-000001')).toEqual([FIRST]);
});
