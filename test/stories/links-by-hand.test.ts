import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

/** Runs a verb. There is no terminal unless an answer is given. */
const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);
const asked = (answer: boolean, ...args: string[]) =>
  run([...args, '--config', stage.configFile], {}, { confirm: () => Promise.resolve(answer) });
const listings = () => stage.marketplace.products();
const idOf = (sku: string) => String(listings().find((listing) => listing.sku === sku)?.id);
const productOf = (sku: string) => stage.erp.control.state().products.find((product) => product.sku === sku);
const erpId = (sku: string) => productOf(sku)?.id ?? '';
const linked = () => stage.store().mappings.list('main', 'product', 0, 100);
const PRICE = { amount: '12', currency: 'USD' };
const list = (sku: string, name: string) =>
  stage.marketplace.createProducts([{ sku, name, wholesale_price: PRICE, quantity: '5' }]);

/** Three products, the third of which is listed as JRB-SB-0003, and a listing of something else. */
beforeEach(async () => {
  stage = await openStage();
  const product = (sku: string, name: string) => ({ sku, name, price: PRICE, unit_multiplier: '1', on_hand: '9' });
  stage.erp.control.addProducts([
    product('SB-0001', 'Mint'),
    product('SB-0002', 'Peach'),
    product('SB-0003', 'Ginger'),
  ]);
  list('JRB-SB-0003', 'Ginger');
  list('OTHER', 'Sampler');
  await stage.sync();
});

test('unlinked entities are listed, and similar ones are proposed with the reason', async () => {
  const alone = await cli('map', 'unlinked');
  expect(alone.stdout).toMatch(/2 on sale on the marketplace, not linked\n.*\n1 +JRB-SB-0003 +Ginger +5/);
  expect(alone.stdout).toMatch(/1 sold in the ERP, without a listing\n.*\nP-000003 +SB-0003 +Ginger/);
  const { stdout, stderr } = await cli('map', 'suggest');
  expect(stdout).toMatch(/^1 +JRB-SB-0003 +P-000003 +SB-0003 +Ginger +the same name, one SKU is a part of the other$/m);
  expect(stderr).toContain('stockbridge map suggest --take 1=P-000003');
  expect((await cli('status')).stdout).toContain(
    'unlinked   2 listings are linked to nothing: stockbridge map unlinked',
  );
});

test('one proposal can be accepted or rejected alone; an unknown listing is an error', async () => {
  expect((await cli('map', 'suggest', '--take', '1=P-000003', '--refuse', '2')).stdout).toContain(
    'product 1 of the marketplace and P-000003 of the ERP are linked',
  );
  await stage.sync();
  // The two creates run at the same time, so their order varies.
  expect(new Set(listings().map(({ sku }) => sku))).toEqual(new Set(['SB-0003', 'OTHER', 'SB-0001', 'SB-0002']));
  expect(listings()).toHaveLength(4);
  expect((await cli('map', 'suggest')).stderr).toContain('No listing');
  expect((await cli('map', 'unlinked')).stdout).toContain('no product of the ERP');
  expect(await stage.store().unlinked.counts('main')).toEqual({ listings: 0, products: 0 });
});

test('proposals can be exported to a file, which accepts only ids that both sides have', async () => {
  const file = join(stage.dir, 'pairs.csv');
  const { stdout } = await cli('map', 'suggest', '--csv');
  writeFileSync(file, `${stdout}main,product,77,SB-0001,,,,,\n`);
  const wrong = await cli('map', 'import', file);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain('pairs.csv:3: the marketplace shows no listing 77');
  expect(wrong.stderr).toContain('the ERP shows no product SB-0001; it is the SKU of product P-000001');
  writeFileSync(file, stdout);
  expect((await cli('map', 'import', file)).stdout).toBe('1 linked, 0 were so already\n');
});

test('a file with a contradicting line is imported only when it is forced, and then completely', async () => {
  const file = join(stage.dir, 'links.csv');
  stage.erp.control.setProduct('SB-0003', { active: false });
  await stage.sync();
  await cli('map', 'unlink', 'product', 'P-000002');
  const swapped = ['kind,marketplace_id,erp_id', 'product,1,P-000003', `product,${idOf('SB-0002')},P-000002`, ''];
  writeFileSync(file, swapped.join('\n'));
  const before = await linked();
  for (const flags of [[], ['--dry-run']]) {
    const refused = await cli('map', 'import', file, ...flags);
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(
      'links.csv:2: ERP product P-000003 (SKU SB-0003) is not sold: the listing would be',
    );
    expect(refused.stderr).toContain('Nothing was imported. Add --yes if all of it is meant.');
  }
  expect((await asked(false, 'map', 'import', file)).exitCode).toBe(1);
  expect(await linked()).toEqual(before);
  expect((await cli('map', 'import', file, '--yes')).stdout).toBe('2 linked, 0 were so already\n');
  expect((await cli('map', 'import', file)).stdout).toBe('0 linked, 2 were so already\n');
});

test('a file that gives a listing to the product of another SKU is not imported without confirmation', async () => {
  const file = join(stage.dir, 'links.csv');
  await cli('map', 'unlink', 'product', 'P-000002');
  writeFileSync(file, `kind,marketplace_id,erp_id\nproduct,${idOf('SB-0002')},P-000003\n`);
  const { exitCode, stderr } = await cli('map', 'import', file);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('has the SKU of ERP product P-000002')]);
});

test.each([
  [['99', 'P-000003'], 1, 'the marketplace has no listing 99'],
  [['1', 'P-9'], 1, 'the ERP has no product P-9'],
  [['1', 'SB-0003'], 64, 'SB-0003 is a SKU, that of ERP product P-000003: name P-000003 instead'],
  [['JRB-SB-0003', 'P-000003'], 64, 'it is the SKU of listing 1: name 1'],
])('map link product %j is refused: it needs ids that both sides have', async (ids, exitCode, message) => {
  const before = (await linked()).length;
  const refused = await cli('map', 'link', 'product', ...ids);
  expect([refused.exitCode, refused.stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(await linked()).toHaveLength(before);
});

test('a name that several products have is no clear proposal, whether they are sold or not', async () => {
  stage.erp.control.addProducts([
    { sku: 'OLD-9', name: 'Ginger', price: PRICE, unit_multiplier: '1', on_hand: '0', active: false },
  ]);
  const { id } = stage.marketplace.products()[0] ?? { id: 0 };
  stage.marketplace.setProduct(id, { sku: 'GINGER-OLD' });
  await stage.sync();
  expect((await cli('map', 'suggest')).stdout).toContain('the same name; not the only one');
  expect((await cli('map', 'suggest', '--csv')).stdout.trim().split('\n')).toHaveLength(1);
});

test('a listing that was created just now is read before it is linked', async () => {
  list('NEW', 'Ginger');
  expect((await cli('map', 'link', 'product', idOf('NEW'), 'P-000003')).exitCode).toBe(0);
});

test('a link that contradicts another needs a confirmation', async () => {
  const contradicts = ['map', 'link', 'product', idOf('OTHER'), erpId('SB-0003')];
  const refused = await cli(...contradicts);
  expect([refused.exitCode, refused.stderr]).toEqual([
    64,
    expect.stringContaining('has neither SKU, barcode nor name'),
  ]);
  expect((await asked(false, ...contradicts)).stdout).toBe('Nothing was linked.\n');
  expect((await asked(true, ...contradicts)).stdout).toContain('are linked\n');
  stage.erp.control.setProduct('SB-0003', { active: false });
  await cli('map', 'unlink', 'product', 'P-000003');
  const inactive = await cli('map', 'link', 'product', '1', 'P-000003');
  expect([inactive.exitCode, inactive.stderr]).toEqual([
    64,
    expect.stringContaining('is not sold: the listing would be'),
  ]);
  expect((await cli('map', 'link', 'product', '1', 'P-000003', '--yes')).exitCode).toBe(0);
});

test('a listing with the SKU of another product is not linked without confirmation', async () => {
  const wrong = await cli('map', 'link', 'product', idOf('SB-0002'), 'P-000001', '--replace');
  expect([wrong.exitCode, wrong.stderr]).toEqual([64, expect.stringContaining('has the SKU of ERP product P-000002')]);
});

test('replacing a link reports the listing that is left on sale', async () => {
  await cli('map', 'link', 'product', '2', 'P-000003', '--yes');
  const { stdout } = await cli('map', 'link', 'product', '1', 'P-000003', '--replace');
  expect(stdout).toMatch(
    /^Listing 2 \((OTHER|SB-0003)\) stays on sale with its price and stock, and nothing keeps them right/m,
  );
});

test('unlinking a listing says what will happen to it', async () => {
  const again = await cli('map', 'unlink', 'product', 'P-000001');
  expect(again.stderr).toContain('carries the external id of P-000001, so it is linked again at the next look');
  await cli('map', 'link', 'product', '2', 'P-000003', '--yes');
  const { stderr } = await cli('map', 'unlink', 'product', 'P-000003');
  expect(stderr).toContain('Listing 2 stays on sale with its price and stock');
});
