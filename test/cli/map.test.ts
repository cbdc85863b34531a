import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { erpProduct, line, order, orderBatch } from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';
import { openStage, until } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

vi.mock('../../src/use/mapping/afresh.ts', () => import('./both-sides-know.ts'));

const here = { account: 'main' };
const ofProduct = { ...here, kind: 'product' as const };
const HEADER = 'account,kind,marketplace_id,erp_id,how,created_at';

let site: ReturnType<typeof installation>;
let store: Store;

async function openSite(accounts?: string): Promise<void> {
  site = installation(accounts);
  ({ store } = await site.open());
}
beforeEach(() => openSite());

/** The keys that are to be looked at, as flow/key. */
async function pending(): Promise<string[]> {
  return (await store.work.due('main', 100)).map(({ flow, key }) => `${flow}/${key}`).toSorted();
}

async function settleAll(): Promise<void> {
  for (const row of await store.work.due('main', 100)) await store.work.settle(row, row.version);
}

const links = async () =>
  ((await site.json('map', 'list')) as { kind: string; marketplace_id: string; erp_id: string; how: string }[]).map(
    ({ kind, marketplace_id, erp_id, how }) => `${kind} ${marketplace_id} ${erp_id} ${how}`,
  );

test('map link links two entities, marks both sides, and records who did it', async () => {
  expect(await site.run('map', 'link', 'product', '7', 'P-1')).toMatchObject({
    exitCode: 0,
    stdout: 'product 7 of the marketplace and P-1 of the ERP are linked\n',
  });
  expect([await links(), await pending()]).toEqual([['product 7 P-1 operator'], ['product/P-1', 'stock/P-1']]);
  expect(await store.journal.of('main', 'product', 'P-1', 1)).toMatchObject([
    { action: 'map.link', outcome: 'noted', after: 'marketplace 7 - ERP P-1', why: `by ${userInfo().username}` },
  ]);
});

test('map link says when no daemon runs', async () => {
  const { stderr } = await site.run('map', 'link', 'product', '7', 'P-1');
  expect(stderr.split('\n')).toEqual([expect.stringContaining('No daemon is running'), '']);
});

test('map link takes a SKU, when one ERP product has it', async () => {
  const found = [
    erpProduct({ id: 'P-1', sku: 'SB-1' }),
    erpProduct({ id: 'P-2', sku: 'SB-2' }),
    erpProduct({ id: 'P-3', sku: 'SB-2' }),
  ];
  await store.erp.recordProducts('main', found, { listing: null, lane: 'poll' });
  expect((await site.run('map', 'link', 'product', '7', '--sku', 'SB-1')).exitCode).toBe(0);
  expect(await links()).toEqual(['product 7 P-1 operator']);
  const twins = await site.run('map', 'link', 'product', '8', '--sku', 'SB-2');
  expect([twins.exitCode, twins.stderr]).toEqual([1, expect.stringContaining('name the ERP id of one (P-2, P-3)')]);
  const none = await site.run('map', 'link', 'product', '8', '--sku', 'SB-9');
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('no product of the ERP has SKU SB-9')]);
  expect((await site.run('map', 'link', 'customer', '8', '--sku', 'SB-1')).exitCode).toBe(64);
  expect((await site.run('map', 'link', 'product', '8', 'P-2', '--sku', 'SB-2')).exitCode).toBe(64);
});

test('map link names a conflicting link, and replaces it only with --replace', async () => {
  await site.run('map', 'link', 'product', '7', 'P-1');
  await site.run('map', 'link', 'product', '8', 'P-2');
  expect(await site.run('map', 'link', 'product', '7', 'P-1')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('were linked already: nothing to do') as string,
  });
  const refused = await site.run('map', 'link', 'product', '7', 'P-2');
  expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('7 is linked to P-1 already');
  expect(await links()).toHaveLength(2);
  expect((await site.run('map', 'link', 'product', '7', 'P-2', '--replace')).exitCode).toBe(0);
  expect(await links()).toEqual(['product 7 P-2 operator']);
});

test('map link releases the orders that waited for the product or the customer, and no others', async () => {
  const placed = (number: string, customerId: number, productId: number) =>
    order({ number, customer: { id: customerId, name: null }, lines: [line({ productId })] });
  await store.orders.record(orderBatch([placed('N-1', 12, 7), placed('N-2', 13, 8), placed('N-3', 12, 8)]));
  await settleAll();
  await store.work.mark([{ ...here, flow: 'order-out', key: 'E-1' }], 'poll', 'made in the ERP');
  await store.work.hold({ ...here, flow: 'order-out', key: 'E-1' }, 1, [causeOf('it is not listed')]);
  await site.run('map', 'link', 'product', '7', 'P-1');
  expect(await pending()).toEqual(['order-in/N-1', 'order-out/E-1', 'product/P-1', 'stock/P-1']);
  await settleAll();
  await site.run('map', 'link', 'customer', '12', 'C-1');
  expect(await pending()).toEqual(['order-in/N-1', 'order-in/N-3']);
  await settleAll();
  await site.run('map', 'link', 'order', 'N-1', 'E-7');
  expect(await pending()).toEqual(['order-in/N-1', 'stock/P-1']);
});

test('map link settles a create that was in doubt', async () => {
  const id = await store.intents.open({ ...here, kind: 'product', key: 'P-1', externalId: 'P-1' });
  await store.intents.inDoubt(id, causeOf('2 match: listing 7, listing 8'));
  expect((await site.run('map', 'link', 'product', '8', 'P-1')).exitCode).toBe(0);
  expect(await store.intents.unsettled({ ...ofProduct, key: 'P-1' })).toBeNull();
  expect(await store.mappings.byErpId('main', 'product', 'P-1')).toMatchObject({
    marketplaceId: '8',
    state: 'linked',
  });
});

test.each([
  [['prodct', '7', 'P-1'], 'did you mean "product"?'],
  [['product', 'seven', 'P-1'], 'the marketplace id "seven" of a product is not a whole number'],
  [['product', '7'], 'name the ERP id, or for a product its SKU instead'],
  [['product', '7', ' '], 'the ERP id " " has blanks around it'],
  [['order', '', 'E-1'], 'the marketplace id is missing'],
])('map link %j exits 64', async (args, message) => {
  const { exitCode, stdout, stderr } = await site.run('map', 'link', ...args);
  expect([exitCode, stdout]).toEqual([64, '']);
  expect(stderr).toContain(message);
  expect(await links()).toEqual([]);
});

test('with several accounts, map link requires the name of one', async () => {
  await openSite(TWO_ACCOUNTS);
  const { exitCode, stderr } = await site.run('map', 'link', 'product', '7', 'P-1');
  expect([exitCode, stderr]).toEqual([64, expect.stringContaining('name the account with --account: main, other')]);
  await site.run('map', 'link', 'product', '7', 'P-1', '--account', 'other');
  expect(await site.json('map', 'list', '--account', 'main')).toEqual([]);
  expect(await site.json('map', 'list', 'product')).toMatchObject([{ account: 'other', erp_id: 'P-1' }]);
});

test('map unlinked says that products which were not reconciled yet may still be linked automatically', async () => {
  const waits = 'Some products have not been processed yet';
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  expect((await site.run('map', 'unlinked')).stderr).toContain(waits);
  await settleAll();
  const { stdout, stderr } = await site.run('map', 'unlinked');
  expect(stdout).toContain('1 sold in the ERP, without a listing');
  expect(stderr).not.toContain(waits);
});

test('map suggest --refuse does not take a linked pair, and names how to unlink it', async () => {
  await site.run('map', 'link', 'product', '7', 'P-1');
  for (const pair of ['7=P-1', '7']) {
    const { exitCode, stderr } = await site.run('map', 'suggest', '--refuse', pair);
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining('map unlink product --marketplace 7')]);
  }
  expect(await site.run('map', 'suggest', '--refuse', '7=P-2', '8')).toMatchObject({
    exitCode: 0,
    stdout: 'noted: listing 7 is not ERP product P-2\nnoted: listing 8 is no product of the ERP\n',
  });
});

test('map suggest --refuse names every linked pair, and then refuses none', async () => {
  await site.run('map', 'link', 'product', '7', 'P-1');
  await site.run('map', 'link', 'product', '8', 'P-2');
  const { exitCode, stdout, stderr } = await site.run('map', 'suggest', '--refuse', '9', '7', '8');
  expect([exitCode, stdout]).toEqual([64, '']);
  expect(stderr).toMatch(/listing 7 is linked.*listing 8 is linked/s);
});

test('map unlink takes either id, and marks both sides', async () => {
  await site.run('map', 'link', 'product', '7', 'P-1');
  await site.run('map', 'link', 'customer', '12', 'C-1');
  await settleAll();
  expect((await site.run('map', 'unlink', 'product', 'P-1')).exitCode).toBe(0);
  expect([await links(), await pending()]).toEqual([['customer 12 C-1 operator'], ['product/P-1', 'stock/P-1']]);
  expect((await site.run('map', 'unlink', 'customer', '--marketplace', '12')).exitCode).toBe(0);
  expect(await links()).toEqual([]);
  expect(await store.journal.of('main', 'product', 'P-1', 1)).toMatchObject([
    { action: 'map.unlink', before: 'marketplace 7 - ERP P-1' },
  ]);
});

test('map unlink of an entity without a link exits 1, and does not remove an unsettled create', async () => {
  const nothing = await site.run('map', 'unlink', 'product', 'P-1');
  expect([nothing.exitCode, nothing.stderr]).toEqual([
    1,
    expect.stringContaining('product P-1 of the ERP is not linked'),
  ]);
  await store.intents.open({ ...here, kind: 'product', key: 'P-1', externalId: 'P-1' });
  const begun = await site.run('map', 'unlink', 'product', 'P-1');
  expect([begun.exitCode, begun.stderr]).toEqual([1, expect.stringContaining('is not settled')]);
  expect(await store.mappings.byErpId('main', 'product', 'P-1')).not.toBeNull();
  expect((await site.run('map', 'unlink', 'product')).exitCode).toBe(64);
  expect((await site.run('map', 'unlink', 'product', 'P-1', '--marketplace', '7')).exitCode).toBe(64);
});

test('map list prints the SKU of products, and what is being created', async () => {
  expect(await site.run('map', 'list')).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing is linked yet.\n' });
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await site.run('map', 'link', 'product', '7', 'P-1');
  await store.intents.open({ ...here, kind: 'product', key: 'P-2', externalId: 'P-2' });
  const { stdout } = await site.run('map', 'list', 'product');
  expect(stdout.replaceAll(/\d{4}-\S+ \S+Z/g, 'WHEN')).toBe(
    [
      'KIND     MARKETPLACE  ERP  SKU   HOW            SINCE',
      'product  7            P-1  SB-1  operator       WHEN',
      'product  -            P-2        being created  WHEN',
      '',
    ].join('\n'),
  );
});

describe('map export and import', () => {
  const file = (text: string): string => {
    const path = site.path('links.csv');
    writeFileSync(path, text);
    return path;
  };

  test('map import reads the links that another installation exports, and exports the same', async () => {
    for (const [kind, ...ids] of [
      ['product', '7', 'P-1'],
      ['product', '8', 'P,"2"'],
      ['order', '9f1c', 'E-1'],
      ['customer', '12', 'C-1'],
    ] as const) {
      await site.run('map', 'link', kind, ...ids);
    }
    await store.intents.open({ ...here, kind: 'product', key: 'P-3', externalId: 'P-3' });
    const { stdout } = await site.run('map', 'export');
    expect(stdout).toMatch(new RegExp(`^${HEADER}\nmain,product,7,P-1,operator,\\d{4}-`));
    expect(stdout.split('\n')).toHaveLength(6);
    expect(((await site.json('map', 'export')) as unknown[]).length).toBe(4);
    expect((await site.run('map', 'export', '--kind', 'order')).stdout).toContain('9f1c,E-1');
    const path = file(stdout);

    await openSite();
    expect(await site.run('map', 'import', path)).toMatchObject({
      exitCode: 0,
      stdout: '4 linked, 0 were so already\n',
    });
    expect((await site.run('map', 'export')).stdout).toBe(stdout);
    expect(await pending()).toEqual(['order-in/9f1c', 'product/P,"2"', 'product/P-1', 'stock/P,"2"', 'stock/P-1']);
    expect(await site.run('map', 'import', path)).toMatchObject({
      exitCode: 0,
      stdout: '0 linked, 4 were so already\n',
    });
  });

  test('map import prints every invalid line, and then imports nothing', async () => {
    await site.run('map', 'link', 'product', '1', 'P-1');
    const path = file(
      [
        'kind,marketplace_id,erp_id,account,created_at',
        'product,2,P-2,main,2026-01-01T00:00:00Z',
        'product,1,P-9,main,',
        'prodct,3,P-3,main,',
        'product,x,,mian,yesterday',
        'product,4,P-4',
        'product,2,P-5,,',
        'customer,2,P-2,,',
        'product,6,P-2,,',
      ].join('\n'),
    );
    const { exitCode, stdout, stderr } = await site.run('map', 'import', path);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr.replaceAll(path, 'FILE').split('\n')).toEqual([
      expect.stringMatching(
        /^FILE:3: Marketplace product 1 cannot be linked to ERP product P-9, because 1 is linked to P-1 already/,
      ),
      'FILE:4: kind "prodct" is none of product, order, customer, payment, batch',
      'FILE:5: "mian" is not the account: main',
      'FILE:5: the marketplace id "x" of a product is not a whole number',
      'FILE:5: the ERP id is missing',
      'FILE:5: created_at "yesterday" is not an instant',
      'FILE:6: it has 3 columns, the first line has 5',
      'FILE:7: product 2 of the marketplace stands in line 2 already',
      'FILE:9: product P-2 of the ERP stands in line 2 already',
      'Nothing was imported.',
      '',
    ]);
    expect(await links()).toEqual(['product 1 P-1 operator']);
    const json = (await site.json('map', 'import', path)) as { imported: boolean; errors: { line: number }[] };
    expect([json.imported, json.errors.map((error) => error.line)]).toEqual([false, [3, 4, 5, 5, 5, 5, 6, 7, 9]]);
  });

  test('map import imports nothing because of one conflict; --dry-run changes nothing', async () => {
    await site.run('map', 'link', 'product', '1', 'P-1');
    const head = 'kind,marketplace_id,erp_id\n';
    expect((await site.run('map', 'import', file(`${head}product,2,P-2\nproduct,1,P-9\n`))).exitCode).toBe(1);
    const path = file(`${head}product,2,P-2\nproduct,1,P-1\n`);
    expect(await site.run('map', 'import', path, '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: '1 would be linked, 1 are so already; nothing was changed\n',
    });
    expect(await links()).toEqual(['product 1 P-1 operator']);
    expect((await site.run('map', 'import', path)).exitCode).toBe(0);
    expect(await links()).toEqual(['product 1 P-1 operator', 'product 2 P-2 import']);
  });

  test('an imported link replaces a create that was begun', async () => {
    await store.intents.open({ ...here, kind: 'product', key: 'P-1', externalId: 'P-1' });
    expect((await site.run('map', 'import', file('kind,marketplace_id,erp_id\nproduct,2,P-1\n'))).exitCode).toBe(0);
    expect(await links()).toEqual(['product 2 P-1 import']);
    expect(await store.intents.unsettled({ ...ofProduct, key: 'P-1' })).toBeNull();
  });

  test.each([
    ['', ':1: the file is empty; the first line names the columns'],
    ['kind;erp_id\n', ':1: unknown column "kind;erp_id"'],
    ['kind,erp_id\n', ':1: there is no column marketplace_id'],
    ['kind,kind,erp_id,marketplace_id\n', ':1: the column kind stands there twice'],
    ['kind,marketplace_id,erp_id\nproduct,"1,P-1\n', ':2: a quote is not closed'],
  ])('map import of %j is refused', async (text, message) => {
    const { exitCode, stderr } = await site.run('map', 'import', file(text));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test('map import fails with 1 for a file that does not exist', async () => {
    const { exitCode, stderr } = await site.run('map', 'import', '/nowhere.csv');
    expect([exitCode, stderr]).toEqual([1, 'stockbridge: /nowhere.csv does not exist\n']);
  });

  test('map import links more than a thousand rows at once', async () => {
    const rows = Array.from({ length: 1_201 }, (_, at) => `product,${at + 1},P-${at}`);
    const path = file(['kind,marketplace_id,erp_id', ...rows].join('\n'));
    expect((await site.run('map', 'import', path)).stdout).toBe('1201 linked, 0 were so already\n');
    expect(await store.work.pending('main')).toBe(2_402);
    const conflicting = file(['kind,marketplace_id,erp_id', 'product,9999,P-9999', 'product,1,P-1200'].join('\n'));
    expect((await site.run('map', 'import', conflicting)).exitCode).toBe(1);
    expect(await store.mappings.byErpId('main', 'product', 'P-9999')).toBeNull();
  });
});

test('an order that is held for its customer goes on as soon as the customer is linked', async () => {
  const stage = await openStage({ account: '    orders: { on_unmapped_customer: hold }' });
  const { marketplace, erp, configFile } = stage;
  erp.control.seed(1);
  await stage.start();
  const listing = await until('the listing is there', () => marketplace.products()[0]);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = marketplace.placeOrder({ customer: buyer, items: [{ product: listing.id, quantity: '2' }] });
  const isHeld = async () => (await stage.store().work.held()).some(({ key }) => key === number);
  await until('the order is held', isHeld);
  const { id } = erp.control.addCustomer({ name: 'Corner Shop' });
  const { exitCode, stderr } = await run(['map', 'link', 'customer', String(buyer), id, '--config', configFile]);
  expect([exitCode, stderr]).toEqual([0, `The daemon (process ${process.pid}) processes it now.\n`]);
  const exported = await until('it is exported', () => erp.control.findOrders(number)[0]);
  expect(exported.customer.id).toBe(id);
});
