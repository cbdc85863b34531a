import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { run } from '../../cli/capture.ts';
import { openStage, type Stage } from '../../support/stage.ts';

const SHOP = join(import.meta.dirname, 'shop.ts');

interface Shop extends Stage {
  readonly books: () => { readonly orders: readonly Readonly<Record<string, unknown>>[] };
}

/** A stage whose ERP is the shop in place of the one that listens. */
async function openShop(erp: object = {}, products = 3): Promise<Shop> {
  const stage = await openStage();
  const file = join(stage.dir, 'books.json');
  const skus = Array.from({ length: products }, (_, index) => `SHOP-${index + 1}`);
  const books = {
    products: skus.map((sku, index) => ({
      id: `products-${index + 1}`,
      sku,
      name: `Candle ${index + 1}`,
      description: '',
      active: true,
      deleted: false,
      unit_multiplier: '1',
      price: { amount: '12.50', currency: 'USD' },
      changed_at: '2026-01-01T00:00:00.000Z',
    })),
    stock: skus.map((sku, index) => ({
      sku,
      product_id: `products-${index + 1}`,
      on_hand: '100',
      reserved: '0',
      available: '100',
      changed_at: '2026-01-01T00:00:00.000Z',
    })),
    orders: [],
    customers: [],
    payments: [],
  };
  writeFileSync(file, JSON.stringify(books));
  writeFileSync(join(stage.dir, 'shop.ts'), readFileSync(SHOP));
  const config = parse(readFileSync(stage.configFile, 'utf8')) as { accounts: { main: object } };
  const section = { type: './shop.ts', settings: { file }, poll: '100ms', ...erp };
  const accounts = { main: { ...config.accounts.main, erp: section } };
  writeFileSync(stage.configFile, stringify({ ...config, accounts }));
  return { ...stage, books: () => JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Shop['books']> };
}

const check = async ({ configFile }: Stage, ...args: string[]) =>
  run(['erp', 'check', ...args, '--config', configFile]);

test('the example module is printed in the guide as it is tested here', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../src/guide/module.md'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${readFileSync(SHOP, 'utf8')}\`\`\``);
});

test('a module connects an ERP by its path, and keeps every promise that erp check proves', async () => {
  const shop = await openShop();
  const { exitCode, stdout } = await check(shop, '--write', '--sku', 'SHOP-1', '--sku', 'SHOP-2');
  expect(stdout).not.toContain('FAIL');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ok {4}cut-create: [^]*?broken\s+at 2 places/m);
});

test('a module has its products listed, and gets the orders of buyers', async () => {
  const shop = await openShop();
  const { marketplace } = shop;
  const sync = () => run(['sync', '--config', shop.configFile]);
  expect(await sync()).toMatchObject({ exitCode: 0 });
  expect(marketplace.activeProductIds()).toHaveLength(3);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.productBySku('SHOP-2').id;
  const { number } = marketplace.placeOrder({ customer, items: [{ product, quantity: '7' }] });
  expect(await sync()).toMatchObject({ exitCode: 0 });
  expect(shop.books().orders).toMatchObject([{ reference: number, status: 'reserved', lines: [{ quantity: '7' }] }]);
  expect(marketplace.product(product).available).toBe('93');
  expect(await sync()).toMatchObject({ exitCode: 0 });
  expect(shop.books().orders).toHaveLength(1);
});

test.each([
  ['is not there', './none.ts', null, 78, /erp.*there is no file or folder \/\S+\/none\.ts/],
  ['cannot be read as code', './bad.ts', 'export const = 1;', 69, /the module \S+bad\.ts cannot be used: /],
  ['answers another version', './bad.ts', 'export const contract = 2; export default () => ({})', 69, /has to be 1/],
  ['has no function', './bad.ts', 'export const contract = 1;', 69, /"export default" has to be a function/],
  ['returns nothing', './bad.ts', 'export const contract = 1; export default () => 1;', 69, /a function "handle"/],
])('a module that %s is reported with what is wrong', async (_, type, code, exit, message) => {
  const shop = await openShop({ type });
  if (code !== null) writeFileSync(join(shop.dir, 'bad.ts'), code);
  const { exitCode, stderr, stdout } = await check(shop);
  expect(`${stderr}${stdout}`.replaceAll(/\s+/g, ' ')).toMatch(message);
  expect(exitCode).toBe(exit);
});

test.each([
  [
    'does not open at first',
    "let first = true; const answer = ping; if (first) { first = false; throw new Error('no database yet'); }",
    /no database yet/,
    69,
  ],
  ['answers with a status that is none', 'const answer = () => ({ status: 42 });', /does not fit: status/, 69],
  [
    'answers with headers of another kind',
    'const answer = () => ({ headers: new Headers() });',
    /does not fit: headers/,
    69,
  ],
  ['refuses its secret', 'const answer = () => ({ status: 401 });', /Check erp\.secret\./, 77],
])('a module that %s is reported as such', async (_, code, message, exit) => {
  const shop = await openShop({ type: './odd.ts' });
  writeFileSync(
    join(shop.dir, 'odd.ts'),
    `export const contract = 1;
       const ping = () => ({ body: { name: 'Shop', version: '1', time: new Date().toISOString() } });
       export default () => { ${code} return { handle: answer }; };`,
  );
  const { exitCode, stdout } = await check(shop);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(message);
  expect(exitCode).toBe(exit);
});

test('a module that throws leaves a write in doubt, and the write is looked up before it is repeated', async () => {
  const shop = await openShop();
  const wrapped = `
      import open from './shop.ts';
      export const contract = 1;
      let thrown = false;
      export default (settings) => {
        const shop = open(settings);
        return {
          handle(request) {
            const answer = shop.handle(request);
            if (request.method !== 'POST' || request.path !== '/v1/orders' || thrown) return answer;
            thrown = true;
            throw new Error('the shop has lost its line');
          },
        };
      };`;
  writeFileSync(join(shop.dir, 'index.ts'), wrapped);
  const config = readFileSync(shop.configFile, 'utf8').replace('type: ./shop.ts', 'type: ./');
  writeFileSync(shop.configFile, config);
  const { marketplace, configFile } = shop;
  expect(await run(['sync', '--config', configFile])).toMatchObject({ exitCode: 0 });
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = marketplace.productBySku('SHOP-1').id;
  marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] });
  await run(['sync', '--config', configFile]);
  await run(['sync', '--config', configFile]);
  expect(shop.books().orders).toMatchObject([{ status: 'reserved' }]);
});
