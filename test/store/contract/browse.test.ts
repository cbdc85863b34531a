import { beforeEach, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import type { OrderChoice, OrderRow, PageKey, ProductChoice } from '../../../src/store/browse.ts';
import type { Store } from '../../../src/store/store.ts';
import { browseOrders, keyText, parseKey, type TablePage } from '../../../src/use/browse.ts';
import {
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
} from '../shelf.ts';

const shelf = useShelf();
let store: Store;

const ORDERS: OrderChoice = {
  search: '',
  states: [],
  flows: { marketplace: ['order-in'], erp: ['order-out'] },
  after: null,
  status: null,
  sort: 'newest',
};
const PRODUCTS: ProductChoice = {
  search: '',
  states: [],
  flows: { marketplace: [], erp: ['product', 'stock'] },
  after: null,
  linked: null,
  sort: 'sku',
};
const HELD = cause('paused', { reason: 'x' });

const orders = async (changes: Partial<OrderChoice> = {}, limit = 10, account = 'main') =>
  (await store.browse.orders(account, { ...ORDERS, ...changes }, limit)).rows;
const products = async (changes: Partial<ProductChoice> = {}, limit = 10) =>
  (await store.browse.products('main', { ...PRODUCTS, ...changes }, limit)).rows;
const numbers = async (changes: Partial<OrderChoice>) => (await orders(changes)).map(({ number }) => number);
const skus = async (changes: Partial<ProductChoice>) => (await products(changes)).map(({ sku }) => sku);

async function hold(flow: string, key: string): Promise<void> {
  const target = { account: 'main', flow, key };
  await store.work.mark([target], 'poll', 'changed');
  await store.work.hold(target, (await store.work.get(target))?.version ?? 0, [HELD]);
}

beforeEach(async () => {
  ({ store } = shelf());
  const ordered = (number: string, minute: number, name: string) =>
    order({
      number,
      modified: `2026-11-02T09:0${minute}:00Z`,
      customer: { id: minute, name },
      total: d(`${minute}.5`),
      lines: [line({ id: minute, productId: 70 + minute })],
    });
  await store.products.record(
    productBatch([
      product({ id: 71, sku: 'SB-1', externalId: null }),
      product({ id: 72, sku: 'SB-2', externalId: null }),
    ]),
  );
  await store.orders.record(
    orderBatch([ordered('aaaa-1', 1, 'Green Leaf'), ordered('aabb-2', 2, 'Blue'), ordered('cccc-3', 2, 'green point')]),
  );
  await store.erp.recordProducts(
    'main',
    [
      erpProduct({ id: 'P-1', sku: 'SB-1', name: 'Soap' }),
      erpProduct({ id: 'P-2', sku: 'SB-2', name: 'balm', active: false }),
      erpProduct({ id: 'P-3', sku: 'XX-3', name: 'Cream' }),
    ],
    { listing: null, lane: 'poll' },
  );
  await store.erp.recordOrders('main', [erpOrder({ id: 'SO-17', reference: 'aabb-2' })], 'poll');
  await store.links.link(
    { account: 'main', kind: 'order', marketplaceId: 'aabb-2', erpId: 'SO-17', how: 'operator' },
    true,
    'eve',
  );
  await store.links.link(
    { account: 'main', kind: 'product', marketplaceId: '71', erpId: 'P-1', how: 'operator' },
    true,
    'eve',
  );
});

test('browsed orders are sorted, and paged by key without a gap where several changed at once', async () => {
  expect(await numbers({})).toEqual(['cccc-3', 'aabb-2', 'aaaa-1']);
  expect(await numbers({ sort: 'oldest' })).toEqual(['aaaa-1', 'aabb-2', 'cccc-3']);
  expect(await numbers({ sort: 'number', after: { sorted: 'aaaa-1', id: 'aaaa-1' } })).toEqual(['aabb-2', 'cccc-3']);
  const paged: string[] = [];
  for (let after: PageKey | null = null; ; ) {
    const [row] = await orders({ after }, 1);
    if (row === undefined) break;
    paged.push(row.number);
    after = { sorted: row.modified, id: row.number };
  }
  expect(paged).toEqual(['cccc-3', 'aabb-2', 'aaaa-1']);
  expect(await orders({}, 10, 'other')).toEqual([]);
});

test.each<[OrderChoice['sort'], string[]]>([
  ['newest', ['no-name', 'cccc-3', 'aabb-2', 'aaaa-1']],
  ['oldest', ['aaaa-1', 'aabb-2', 'cccc-3', 'no-name']],
  ['number', ['aaaa-1', 'aabb-2', 'cccc-3', 'no-name']],
  ['number-down', ['no-name', 'cccc-3', 'aabb-2', 'aaaa-1']],
  ['customer', ['no-name', 'aabb-2', 'aaaa-1', 'cccc-3']],
  ['customer-down', ['cccc-3', 'aaaa-1', 'aabb-2', 'no-name']],
  ['status', ['no-name', 'aaaa-1', 'aabb-2', 'cccc-3']],
  ['status-down', ['cccc-3', 'aabb-2', 'aaaa-1', 'no-name']],
  ['total', ['no-name', 'aaaa-1', 'aabb-2', 'cccc-3']],
  ['total-down', ['cccc-3', 'aabb-2', 'aaaa-1', 'no-name']],
  ['erp-status', ['aaaa-1', 'cccc-3', 'no-name', 'aabb-2']],
  ['erp-status-down', ['aabb-2', 'no-name', 'cccc-3', 'aaaa-1']],
])('orders browsed by %s are each on one page, also those without a customer', async (sort, expected) => {
  await store.orders.record(
    orderBatch([
      order({
        number: 'no-name',
        status: 'Accepted',
        modified: '2026-11-02T09:09:00Z',
        customer: { id: null, name: null },
        total: null,
      }),
    ]),
  );
  for (const search of ['', 'n', 'a']) {
    const paged: string[] = [];
    for (let after: PageKey | null = null; ; ) {
      const chosen = { search, states: [], after, status: null, sort };
      const { rows, next }: TablePage<OrderRow> = await browseOrders(store, 'main', chosen, 1);
      paged.push(...rows.map(({ number }) => number));
      if (next === null) break;
      after = parseKey(keyText(next));
    }
    expect(paged, search).toEqual(expected.filter((number) => number.startsWith(search)));
  }
});

test('orders are found by the beginning of their number, customer, ERP id and SKU', async () => {
  expect(await numbers({ search: 'aa' })).toEqual(['aabb-2', 'aaaa-1']);
  expect(await numbers({ search: 'GREEN' })).toEqual(['cccc-3', 'aaaa-1']);
  expect(await numbers({ search: 'SO-1' })).toEqual(['aabb-2']);
  expect(await numbers({ search: 'sb-1' })).toEqual(['aaaa-1']);
  for (const search of ['%', "' or 1=1 --", '\u0000', 'zzz']) expect(await numbers({ search })).toEqual([]);
});

test('orders are found by a customer whose name begins with a letter beyond A to Z', async () => {
  await store.orders.record(orderBatch([order({ number: 'oest-1', customer: { id: 9, name: 'Österreich GmbH' } })]));
  expect([await numbers({ search: 'Öst' }), await numbers({ search: 'ÖSTERREICH' })]).toEqual([['oest-1'], ['oest-1']]);
});

test('browsed orders list both sides, their money and why they are held', async () => {
  await hold('order-in', 'aabb-2');
  const [held] = await orders({ states: ['held', 'failed'] });
  expect(held).toMatchObject({
    number: 'aabb-2',
    customer: 'Blue',
    total: d('2.5'),
    currency: 'USD',
    lines: 1,
    erpId: 'SO-17',
    erpStatus: 'reserved',
    state: 'held',
    heldFor: [HELD],
  });
  expect(await numbers({ status: 'Nothing' })).toEqual([]);
  expect(await store.browse.atStake('main', ['order-in'], 10)).toEqual([
    { flow: 'order-in', codes: ['paused'], total: d('2.5'), currency: 'USD' },
  ]);
  expect(await store.browse.atStake('other', ['order-in'], 10)).toEqual([]);
});

test('browsed products are sorted and paged by SKU or by name, in any letter case', async () => {
  expect(await skus({})).toEqual(['SB-1', 'SB-2', 'XX-3']);
  expect(await skus({ sort: 'name' })).toEqual(['SB-2', 'XX-3', 'SB-1']);
  expect(await skus({ sort: 'sku-down' })).toEqual(['XX-3', 'SB-2', 'SB-1']);
  expect(await skus({ sort: 'name-down' })).toEqual(['SB-1', 'XX-3', 'SB-2']);
  expect(await skus({ sort: 'name-down', after: { sorted: 'Soap', id: 'P-1' } })).toEqual(['XX-3', 'SB-2']);
  expect(await skus({ after: { sorted: 'SB-1', id: 'P-1' } })).toEqual(['SB-2', 'XX-3']);
  expect(await skus({ sort: 'name', after: { sorted: 'BALM', id: 'P-2' } })).toEqual(['XX-3', 'SB-1']);
});

test('orders and products are sorted by their money as numbers, and not as texts', async () => {
  const totals = { 'big-1': '1000.00', 'big-2': '999.5', 'big-3': '12' };
  await store.orders.record(
    orderBatch(Object.entries(totals).map(([number, total]) => order({ number, total: d(total) }))),
  );
  expect(await numbers({ search: 'big', sort: 'total' })).toEqual(['big-3', 'big-2', 'big-1']);
  const priced = (id: string, amount: string) =>
    erpProduct({ id, sku: id, price: { ...erpProduct().price, amount: d(amount) } });
  await store.erp.recordProducts('main', [priced('Z-1', '1000'), priced('Z-2', '999.5'), priced('Z-3', '12')], {
    listing: null,
    lane: 'poll',
  });
  expect(await skus({ search: 'Z-', sort: 'price' })).toEqual(['Z-3', 'Z-2', 'Z-1']);
  expect(await skus({ search: 'Z-', sort: 'price-down' })).toEqual(['Z-1', 'Z-2', 'Z-3']);
  const after = { sorted: '999.5', id: 'Z-2' };
  expect(await skus({ search: 'Z-', sort: 'price', after })).toEqual(['Z-1']);
  // An address with another text than an amount shows the first page.
  const odd = { sorted: 'abc', id: 'Z-1' };
  expect(await skus({ search: 'Z-', sort: 'price', after: odd })).toEqual(['Z-3', 'Z-2', 'Z-1']);
});

test('products are found by the beginning of their SKU, name, id and listing', async () => {
  for (const search of ['SB-1', 'sb-1', 'soap', 'P-1', '71']) expect(await skus({ search })).toEqual(['SB-1']);
  expect(await skus({ search: 'P-' })).toEqual(['SB-1', 'SB-2', 'XX-3']);
  expect(await skus({ search: 'P-', sort: 'name' })).toEqual(['SB-2', 'XX-3', 'SB-1']);
});

test('a search that matches very many products reads up to a limit, and says so', async () => {
  const many = Array.from({ length: 2_001 }, (_, at) => erpProduct({ id: `Q-${at}`, sku: `Q-${at}`, name: 'Many' }));
  await store.erp.recordProducts('main', many, { listing: null, lane: 'poll' });
  expect(await store.browse.products('main', { ...PRODUCTS, search: 'q-' }, 5)).toMatchObject({ isPartly: true });
  expect(await store.browse.products('main', { ...PRODUCTS, search: 'q-1' }, 5)).toMatchObject({ isPartly: false });
});

test('browsed products list both sides, and whether they are linked', async () => {
  await store.erp.recordStock('main', [stockRow({ productId: 'P-1', sku: 'SB-1', available: d('4.5') })], 'poll');
  await hold('stock', 'P-1');
  const [linked] = await products({ linked: true });
  expect(linked).toMatchObject({
    sku: 'SB-1',
    sold: true,
    erpAvailable: d('4.5'),
    listing: '71',
    archived: false,
    state: 'held',
  });
  expect(await products({ linked: false })).toMatchObject([
    { sku: 'SB-2', sold: false, erpAvailable: null, listing: null, available: null },
    { sku: 'XX-3', sold: true },
  ]);
  expect(await skus({ states: ['held'] })).toEqual(['SB-1']);
});
