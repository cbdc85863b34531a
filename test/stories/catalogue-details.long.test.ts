import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';
import { type Door, openDoor, retold } from '../support/twisted.ts';

const MAPPING = `
    products:
      fields:
        minimum_order: attributes.min_order
        unit_of_measure: '$lookup({"EA": "Unit", "GRM": "Gram"}, attributes.uom)'
        sale_price: { amount: attributes.sale_price, currency: price.currency }
      category: attributes.category
      sub_category: attributes.sub_category
      brand: '"juniper ridge botanicals"'
      product_line: attributes.line
      create_product_lines: true
      references_as: object
      images: { from: attributes.images, hosts: ["HOST"], remove: true, recheck: 1s }
`;
const REQUIRED = ['sku', 'name', 'minimum_order', 'unit_of_measure', 'category', 'sub_category', 'brand'];

let stage: Stage;
let images: ImageHost;

beforeEach(async () => {
  images = await openImageHost();
});

interface ImageHost {
  readonly host: string;
  /** The content at each path. */
  readonly contents: Map<string, string>;
}

/** The host is closed at the end of the test that opens it. */
async function openImageHost(): Promise<ImageHost> {
  const contents = new Map<string, string>();
  const server: Server = createServer((request, response) => {
    const content = contents.get(request.url ?? '');
    if (content === undefined) response.writeHead(404).end();
    else if (request.headers['if-none-match'] === `"${content}"`) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'image/png', etag: `"${content}"` }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, contents };
}

async function open(mapping: string, options: StageOptions = {}): Promise<void> {
  stage = await openStage({
    account: mapping.replace('HOST', images.host),
    sandbox: { settings: { requiredProductFields: REQUIRED } },
    ...options,
  });
  // Each category has a sub-category of this name.
  for (const { id } of stage.marketplace.records('product-categories')) {
    stage.marketplace.addRecord('product-subcategories', { name: 'Other', category: id });
  }
}

function sell(count: number): void {
  const { erp } = stage;
  erp.control.seed(count);
  for (const { sku } of erp.control.state().products) erp.control.setProduct(sku, { attributes: attributes(sku) });
}

function attributes(sku: string, changes: Record<string, unknown> = {}) {
  const of = (name: string) => `http://${images.host}/${sku}/${name}.png`;
  for (const name of ['front', 'back']) images.contents.set(`/${sku}/${name}.png`, `${sku} ${name}`);
  return {
    min_order: '24',
    uom: 'EA',
    sale_price: '2.10',
    category: ' EDIBLES',
    sub_category: 'other',
    line: 'Reserve',
    images: [of('front'), of('back')],
    ...changes,
  };
}

const store = () => stage.store();
const held = async () => (await store().work.held()).map(({ heldFor }) => told(heldFor));
const shownImages = () => stage.marketplace.records('product-images');
const reserve = () => stage.marketplace.records('product-lines').filter(({ name }) => name === 'Reserve');
const DONE = { held: 0, failed: 0, pending: 0 };

async function listing(sku: string): Promise<Record<string, unknown>> {
  const raw = await store().products.raw('main', stage.marketplace.productBySku(sku).id);
  return JSON.parse(raw ?? '{}') as Record<string, unknown>;
}

test('without a mapping the marketplace refuses a listing for its missing fields', async () => {
  await open('');
  sell(1);
  expect(await stage.sync()).toMatchObject({ failed: 1 });
  expect(stage.marketplace.products()).toEqual([]);
  const [failed] = await store().work.failed({ account: 'main' });
  expect(failed?.message).toContain('minimum_order');
});

test('a listing has all its mapped fields; a further pass, also of another process, writes nothing', async () => {
  await open(MAPPING);
  sell(3);
  expect(await stage.sync()).toMatchObject(DONE);
  const edibles = stage.marketplace.records('product-categories').find(({ name }) => name === 'Edibles')?.['id'];
  const others = stage.marketplace.records('product-subcategories').filter(({ name }) => name === 'Other');
  const other = others.find(({ category }) => category === edibles)?.['id'];
  expect(others.length).toBeGreaterThan(1);
  for (const sku of ['SB-0001', 'SB-0002', 'SB-0003']) {
    expect(await listing(sku)).toMatchObject({
      minimum_order: '24',
      unit_of_measure: 'Unit',
      sale_price: { currency: 'USD' },
      category: { id: edibles },
      sub_category: { id: other },
      product_line: { id: reserve()[0]?.['id'] },
    });
  }
  expect(reserve()).toHaveLength(1);
  expect(shownImages()).toHaveLength(6);
  expect(await stage.sync()).toMatchObject({ ...DONE, written: 0 });
  await stage.stop();
  expect(await stage.sync()).toMatchObject({ ...DONE, written: 0 });
  expect(shownImages()).toHaveLength(6);
});

test('a change in the ERP is followed, and an unreadable value holds only its product', async () => {
  await open(MAPPING);
  sell(2);
  await stage.sync();
  stage.erp.control.setProduct('SB-0001', {
    attributes: attributes('SB-0001', { min_order: '36', category: 'Flower' }),
  });
  stage.erp.control.setProduct('SB-0002', {
    attributes: attributes('SB-0002', { category: 'Flowr', min_order: '48' }),
  });
  expect(await stage.sync()).toMatchObject({ held: 1, failed: 0, written: 1 });
  expect(await listing('SB-0001')).toMatchObject({ minimum_order: '36' });
  expect(await listing('SB-0002')).toMatchObject({ minimum_order: '24' });
  expect(await held()).toEqual([
    told([
      cause('field-problem', {
        sku: 'SB-0002',
        problem: 'products.category: the marketplace has no category "Flowr"; the nearest is "Flower"',
      }),
    ]),
  ]);
  stage.erp.control.setProduct('SB-0002', { attributes: attributes('SB-0002', { category: 'Flower' }) });
  expect(await stage.sync()).toMatchObject({ ...DONE, written: 1 });
});

test.each([
  ['a field', { minimum_order: '99' }],
  ['the sale price', { sale_price: { amount: '0.01', currency: 'USD' } }],
  ['the category', { category: 'Flower' }],
  ['the sub-category', { sub_category: 'Other' }],
])('%s that somebody changes by hand is overwritten at the next poll', async (_, change) => {
  await open(MAPPING);
  sell(1);
  const context = await standStill(stage);
  const before = await listing('SB-0001');
  const idOf = (kind: string, name: unknown) =>
    stage.marketplace.records(kind).findLast((record) => record['name'] === name)?.['id'];
  const kinds: Record<string, string> = { category: 'product-categories', sub_category: 'product-subcategories' };
  const [[field, value]] = Object.entries(change) as [[string, unknown]];
  const kind = kinds[field];
  const { id } = stage.marketplace.productBySku('SB-0001');
  stage.marketplace.setProduct(id, { [field]: kind === undefined ? value : idOf(kind, value) });
  await read(context, 'read:products');
  expect((await store().work.due('main', 10)).map(({ flow }) => flow)).toContain('product');
  const [erpId = ''] = stage.erp.control.state().products.map((product) => product.id);
  expect(await reconcile(context, 'product', erpId)).toMatchObject({ state: 'in-sync', written: 1 });
  expect((await listing('SB-0001'))[field]).toEqual(before[field]);
});

test('lost answers create nothing twice', async () => {
  await open(MAPPING);
  sell(2);
  for (const operation of ['product-lines.create', 'product-images.create', 'products.create']) {
    stage.marketplace.faults.set({ kind: 'reset-after', operation, times: 1 });
  }
  expect(await stage.sync()).toMatchObject(DONE);
  expect(reserve()).toHaveLength(1);
  expect(shownImages()).toHaveLength(4);
  expect(stage.marketplace.products()).toHaveLength(2);
});

test("an image is replaced when its content changes, removed with the ERP's, and never holds its product", async () => {
  await open(MAPPING);
  sell(1);
  await stage.sync();
  const [first] = shownImages();
  images.contents.set('/SB-0001/front.png', 'another front');
  await until('the new content is there alone', async () => {
    await stage.sync();
    return shownImages().length === 2 && !shownImages().some(({ id }) => id === first?.['id']);
  });
  images.contents.delete('/SB-0001/missing.png');
  const missing = `http://${images.host}/SB-0001/missing.png`;
  const back = `http://${images.host}/SB-0001/back.png`;
  const changed = attributes('SB-0001', { min_order: '12', images: [missing, back, 'https://elsewhere.test/a.png'] });
  images.contents.set('/SB-0001/front.png', 'another front');
  stage.erp.control.setProduct('SB-0001', { attributes: changed });
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(await listing('SB-0001')).toMatchObject({ minimum_order: '12' });
  const [erpId = ''] = stage.erp.control.state().products.map(({ id }) => id);
  const elsewhere = 'https://elsewhere.test/a.png';
  const notNamed = 'is at elsewhere.test, which products.images.hosts does not name';
  expect(await alertOf({ account: 'main', store: store() }, `images:${erpId}`)).toEqual([
    cause('image-unfetched', { image: missing, failure: 'is answered with 404' }),
    cause('image-unfetched', { image: elsewhere, failure: notNamed }),
  ]);
  stage.erp.control.setProduct('SB-0001', { attributes: attributes('SB-0001', { images: [back] }) });
  await stage.sync();
  expect(shownImages().map(({ position }) => position)).toEqual([0]);
});

test.each([
  ['has a row that cannot be read', (row: object): object[] => [{ ...row, id: 'odd' }]],
  ['is short of a row', (): object[] => []],
])('while the list of product lines %s, no product line is created again', async (_, show) => {
  let door: Door | null = null;
  const through: StageOptions['through'] = async (side, url) => {
    const opened = await openDoor(url);
    if (side === 'marketplace') door = opened;
    return opened;
  };
  await open(MAPPING, { timeout: '2s', through });
  const [brand] = stage.marketplace.records('brands');
  stage.marketplace.addRecord('product-lines', { name: 'Reserve', brand: brand?.['id'] });
  sell(1);
  (door as unknown as Door).twist = (answer) =>
    answer.method === 'GET' && answer.target.startsWith('/api/v2/product-lines/') && answer.status === 200
      ? retold(answer, (page: { results: object[] }) => ({ ...page, results: page.results.flatMap(show) }))
      : answer;
  await stage.sync().catch(() => null);
  expect(reserve()).toHaveLength(1);
  (door as unknown as Door).twist = null;
  await stage.sync();
  expect(reserve()).toHaveLength(1);
});
