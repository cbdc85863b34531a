import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { readNames } from '../../../src/shadow/read-names.ts';
import { erpProduct, useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = (key = 'P-1') => ({ key, lane: 'poll', signal: new AbortController().signal }) as const;
const goAhead = async () => ({ dryRun: false, paused: null, brake: null });

type Row = { readonly id: number; readonly name: string } & Record<string, unknown>;

/** The lists of names, product lines that can be made, and a product create that remembers its requests. */
function marketplace(lists: Record<string, Row[]> = {}) {
  const calls: string[] = [];
  const created: Record<string, unknown>[] = [];
  const lines = lists['product-lines.list'] ?? [];
  let losesAnswers = false;
  const client = {
    list: async (id: string, { query }: { query: { page: number; brand?: number } }) => {
      calls.push(id);
      const all = id === 'product-lines.list' ? lines : (lists[id] ?? []);
      // Two on a page, and page 2 is there.
      const rows = all.slice(2 * (query.page - 1), 2 * query.page);
      return { count: all.length, more: 2 * query.page < all.length, rows, invalidRows: [], raw: rows };
    },
    call: async (id: string, { body }: { body: Record<string, unknown> }) => {
      calls.push(id);
      if (id === 'product-lines.create') {
        const line = { id: 900 + lines.length, name: String(body['name']), brand: { id: body['brand_id'] } };
        lines.push(line);
        if (losesAnswers) {
          throw new CallFailure('no answer', { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' });
        }
        return line;
      }
      created.push(body);
      return { ...body, id: 70 + created.length, quantity: 0 };
    },
  };
  const loseAnswers = (lose: boolean) => {
    losesAnswers = lose;
  };
  return { client: client as unknown as AccountContext['client'], calls, created, lines, loseAnswers };
}

const LISTS = {
  'product-categories.list': [
    { id: 1, name: 'Flower' },
    { id: 2, name: 'Edibles' },
    { id: 3, name: 'Vapes' },
  ],
  'product-subcategories.list': [
    { id: 11, name: 'Other', category: { id: 1 } },
    { id: 12, name: 'Other', category: 2 },
  ],
  'brands.list': [{ id: 301, name: 'Juniper Ridge' }],
};

const NAMES = {
  category: 'attributes.category',
  sub_category: 'attributes.sub',
  brand: '"juniper  ridge"',
  product_line: 'attributes.line',
  create_product_lines: true,
};

async function given(products: Record<string, unknown>, side = marketplace(LISTS)) {
  const { store } = shelf();
  const context = {
    ...accountContext(store, accountConfig({ products }), { client: side.client }),
    now: () => shelf().nowMs,
  };
  await store.facts.set('main', 'listings-known', 'yes');
  await readNames(context, look('all'));
  return { ...side, context, store };
}
const sell = (attributes: Record<string, unknown>, id = 'P-1') =>
  shelf().store.erp.recordProducts('main', [erpProduct({ id, sku: `SB-${id}`, attributes })], {
    listing: null,
    lane: 'poll',
  });
const run = (context: AccountContext, key = 'P-1') => FLOW_RUNS.product.reconcile(context, look(key), goAhead);

test('a create carries what the mapping makes, without what the configuration excludes', async () => {
  const { context, created } = await given({
    fields: {
      minimum_order: 'attributes.min_order',
      net_weight: 'attributes.weight',
      sale_price: { amount: 'attributes.sale', currency: 'price.currency' },
      retail_price: { amount: 'attributes.retail', currency: 'price.currency' },
      license: 812,
      seller: false,
      unit_multiplier: null,
      external_ids: false,
    },
    attributes: ['weight'],
  });
  // The number as it came from the ERP. A float would change it.
  const weight = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('3.5000000000000000001');
  await sell({ min_order: '24', sale: '2.10', weight });
  expect(await run(context)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(JSON.parse(JSON.stringify(created[0]))).toEqual({
    sku: 'SB-P-1',
    name: expect.any(String),
    description: expect.any(String),
    wholesale_price: expect.any(Object),
    minimum_order: '24',
    net_weight: '3.5000000000000000001',
    sale_price: { amount: '2.10', currency: 'USD' },
    license: 812,
    weight: 3.5,
  });
  expect(JSON.stringify(created[0])).toContain('"weight":3.5000000000000000001');
});

test('names become ids: a sub-category within its category, however they are spelled', async () => {
  const { context, created } = await given({ ...NAMES, product_line: undefined, create_product_lines: false });
  await sell({ category: ' EDIBLES', sub: 'other' });
  await run(context);
  expect(created[0]).toMatchObject({ category: 2, sub_category: 12, brand: 301 });
});

test('ids are sent as objects where that is configured', async () => {
  const { context, created } = await given({ category: 'attributes.category', references_as: 'object' });
  await sell({ category: 'Flower' });
  await run(context);
  expect(created[0]).toMatchObject({ category: { id: 1 } });
});

test.each<[Record<string, unknown>, Record<string, unknown>, string]>([
  [{ category: 'Flowr' }, {}, 'products.category: the marketplace has no category "Flowr"; the nearest is "Flower"'],
  [{ category: 7 }, {}, 'products.category: expected a name and got 7'],
  [
    { sub: 'Other' },
    {},
    'products.sub_category: 2 records on the marketplace have the name of this sub-category: "Other" (11), "Other" (12); rename all but one',
  ],
  [
    { line: 'Reserve' },
    { create_product_lines: false },
    'products.product_line: the marketplace has no product line "Reserve"; it has none at all',
  ],
  [{ line: 'x'.repeat(101) }, {}, 'has more than 100 characters'],
  [
    {},
    { fields: { tax: 'attributes.rate * 2', rate: '1 / 3' } },
    'products.fields.rate: its result is the number 0.333',
  ],
])('the product is held for the mapped value %j', async (attributes, products, reason) => {
  const { context, created } = await given({ ...NAMES, ...products });
  await sell(attributes);
  expect(await run(context)).toEqual({
    state: 'held',
    written: 0,
    causes: [{ code: 'field-problem', params: { sku: 'SB-P-1', problem: expect.stringContaining(reason) } }],
  });
  expect(created).toEqual([]);
});

test('name lists are read completely, at most once in their interval, and products that wait for a name are then reconciled', async () => {
  const { context, calls, store } = await given(NAMES);
  const reads = [
    'product-categories.list',
    'product-categories.list',
    'product-subcategories.list',
    'brands.list',
    'product-lines.list',
  ];
  expect(calls).toEqual(reads);
  shelf().nowMs += 3_599_999;
  await readNames(context, look('all'));
  expect(calls).toEqual(reads);
  await sell({ category: 'Tinctures' });
  for (const row of await store.work.due('main', 10)) await store.work.hold(row, row.version, [cause('names-unread')]);
  LISTS['product-categories.list'].push({ id: 4, name: 'Tinctures' });
  shelf().nowMs += 1;
  await readNames(context, look('all'));
  LISTS['product-categories.list'].pop();
  expect((await store.work.due('main', 10)).map(({ flow, key }) => `${flow} ${key}`)).toEqual(['product P-1']);
});

test('a product waits before the name lists are read', async () => {
  const { context } = await given({});
  const config = accountConfig({ products: NAMES });
  await sell({ category: 'Flower' });
  expect(await run({ ...context, config })).toMatchObject({
    state: 'held',
    causes: [{ code: 'names-unread' }],
  });
});

test('a missing product line is created once, for all products that wait for it', async () => {
  const { context, calls, created, lines } = await given(NAMES);
  for (const id of ['P-1', 'P-2', 'P-3']) await sell({ line: id === 'P-2' ? ' reserve' : 'Reserve' }, id);
  await Promise.all(['P-1', 'P-2', 'P-3'].map((id) => run(context, id)));
  expect(lines).toEqual([{ id: 900, name: expect.stringMatching(/^reserve$/i), brand: { id: 301 } }]);
  expect(created.map((body) => body['product_line'])).toEqual([900, 900, 900]);
  expect(calls.filter((id) => id.startsWith('product-lines.'))).toEqual([
    'product-lines.list',
    'product-lines.list',
    'product-lines.create',
  ]);
});

test('a product line that was created since the list was read is adopted', async () => {
  const { context, created, lines } = await given(NAMES);
  await sell({ line: 'Reserve' });
  lines.push({ id: 77, name: 'RESERVE', brand: { id: 301 } });
  await run(context);
  expect(lines).toHaveLength(1);
  expect(created[0]).toMatchObject({ product_line: 77 });
});

test('two product lines of one name are for a person to tell apart', async () => {
  const { context, lines } = await given(NAMES);
  await sell({ line: 'Reserve' });
  for (const id of [77, 78]) lines.push({ id, name: 'Reserve', brand: { id: 301 } });
  expect(await run(context)).toMatchObject({
    state: 'held',
    causes: [{ code: 'field-problem', params: { problem: expect.stringContaining('"Reserve" (77), "Reserve" (78)') } }],
  });
  expect(lines).toHaveLength(2);
});

test('a product line whose create was not answered is found again', async () => {
  const { context, created, lines, loseAnswers } = await given(NAMES);
  await sell({ line: 'Reserve' });
  loseAnswers(true);
  await expect(run(context)).rejects.toThrow('no answer');
  loseAnswers(false);
  expect(await run(context)).toMatchObject({ state: 'in-sync' });
  expect(lines).toHaveLength(1);
  expect(created[0]).toMatchObject({ product_line: 900 });
});

test('a plan lists the product line and the listing, and creates neither', async () => {
  const { context, calls } = await given(NAMES);
  await sell({ line: 'Reserve' });
  const before = calls.length;
  const { actions } = await FLOW_RUNS.product.plan(context, 'P-1');
  expect(actions.map(({ action }) => action)).toEqual(['product-line.create', 'product.create']);
  expect(calls).toHaveLength(before);
});

test('a field that the marketplace formats its own way is sent once', async () => {
  const { context, store } = await given({ fields: { minimum_order: 'attributes.min_order' } });
  await sell({ min_order: '24' });
  await run(context);
  const mapping = await store.mappings.byErpId('main', 'product', 'P-1');
  expect(mapping?.echoes).toMatchObject({ minimum_order: { sent: '"24"', echo: '"24"' } });
  expect((await FLOW_RUNS.product.plan(context, 'P-1')).actions).toEqual([]);
  await sell({ min_order: '36' });
  expect((await FLOW_RUNS.product.plan(context, 'P-1')).actions).toMatchObject([
    { action: 'product.patch', after: 'minimum_order "36"' },
  ]);
});

test('a field that is sent only with the create is left unchanged afterwards', async () => {
  const { context, created } = await given({
    fields: { minimum_order: 'attributes.min_order' },
    create_only: ['minimum_order'],
  });
  await sell({ min_order: '24' });
  await run(context);
  expect(created[0]).toMatchObject({ minimum_order: '24' });
  await sell({ min_order: '36' });
  expect((await FLOW_RUNS.product.plan(context, 'P-1')).actions).toEqual([]);
});
