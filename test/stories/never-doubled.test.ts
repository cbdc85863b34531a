import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shownCause } from '../../src/domain/causes/cause.ts';
import { casePrice } from '../../src/sandbox/erp/seed.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const PRODUCT = { name: 'Lemon Gummies', price: { amount: '12', currency: 'USD' }, unit_multiplier: '1', on_hand: '9' };

const cli = (...args: string[]) => run([...args, '--config', stage.configFile]);
const listings = () => stage.marketplace.products();
const skus = () => listings().map(({ sku }) => sku);
const idOf = (sku: string) => listings().find((listing) => listing.sku === sku)?.id ?? 0;
const productOf = (sku: string) => stage.erp.control.state().products.find((product) => product.sku === sku);

/** A stage with the default brakes, and products in its ERP. */
async function open(products: number, create = ''): Promise<void> {
  stage = await openStage();
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace(/create: \{[^}]*\},/, create));
  stage.erp.control.seed(products);
}

/** Lists these products of the ERP by hand, under the marketplace's own SKUs. */
function listByHand(named: Readonly<Record<string, string>>, name?: string): void {
  const fields = Object.entries(named).map(([sku, there]) => {
    const product = productOf(sku);
    return {
      sku: there,
      name: name ?? product?.name,
      wholesale_price: product === undefined ? { amount: '1', currency: 'USD' } : casePrice(product),
      unit_multiplier: product?.unit_multiplier ?? '1',
      quantity: '5',
    };
  });
  stage.marketplace.createProducts(fields);
}

const held = async () => (await stage.store().work.held()).map(({ key, heldFor }) => [key, heldFor?.[0]?.code]);

test('listings that somebody renamed are not listed again: each product waits, and names its listing', async () => {
  await open(20, 'create: { count: 50, percent: 100 },');
  listByHand({ 'SB-0001': 'JRB-SB-0001', 'SB-0002': 'sb 0002', 'SB-0003': 'SB-0003-OLD', 'SB-0004': 'SB-0004' });
  listByHand({ 'SB-0005': 'Q-77' });
  await stage.sync();
  expect(skus().toSorted().slice(0, 5)).toEqual(['JRB-SB-0001', 'Q-77', 'SB-0003-OLD', 'SB-0004', 'SB-0006']);
  // A fifth product may have the name of one of the four.
  const waiting = (await held()).filter(([, code]) => code === 'could-be-listed');
  expect(waiting.length).toBeGreaterThanOrEqual(4);
  expect(listings().length + waiting.length).toBe(24);
  const [first] = (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []).map(shownCause);
  expect(first?.text).toMatch(
    /^SKU SB-00\d\d is not listed yet, because it may be on the marketplace already as listing \d+ \(/,
  );
  expect(first?.next).toContain('stockbridge map link product ');
  const { stdout } = await run(['plan', '--summary', '--config', stage.configFile]);
  const words = stdout.replaceAll(/\s+/g, ' ');
  expect(words).toMatch(/ \d+ held for could-be-listed, such as product P-0000\d\d: SKU SB-00\d\d is not listed yet,/);
  expect(words).toContain('"stockbridge map suggest" shows all of them.');
  expect(words).toContain('List them: stockbridge map unlinked. List those that look alike: stockbridge map suggest');
});

test('all listings that may be the product are named, up to a readable number, and counted', async () => {
  await open(1);
  const sku = 'SB-0001';
  for (const more of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) listByHand({ [sku]: `${more}-${sku}` }, `Another ${more}`);
  await stage.sync();
  const [cause] = (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []).map(shownCause);
  expect(cause?.text).toMatch(/already as 7 listings: listing \d \(A-SB-0001: [^)]*\), .* and 2 more$/);
  expect(cause?.next).toMatch(/map link product LISTING P-000001\. .*--refuse( \d=P-000001){5}$/);
});

test('a product goes on when its listing is linked, or declared to be another', async () => {
  await open(2, 'create: { count: 50, percent: 100 },');
  listByHand({ 'SB-0001': 'JRB-SB-0001', 'SB-0002': 'JRB-SB-0002' });
  await stage.sync();
  const [one, two] = [productOf('SB-0001'), productOf('SB-0002')];
  const link = { account: 'main', kind: 'product', how: 'operator', erpId: one?.id ?? '' } as const;
  const [linked, refused] = [idOf('JRB-SB-0001'), idOf('JRB-SB-0002')];
  await stage.store().links.link({ ...link, marketplaceId: String(linked) }, false, 'eve');
  await stage.store().unlinked.tellApart({ account: 'main', listingId: refused, erpId: two?.id ?? '' }, 'eve');
  await stage.sync();
  expect(await held()).toEqual([]);
  expect(listings().find(({ id }) => id === linked)).toMatchObject({ sku: 'SB-0001', name: one?.name });
  expect(skus().toSorted()).toEqual(['JRB-SB-0002', 'SB-0001', 'SB-0002']);
});

test('a SKU that differs by case alone makes no second listing', async () => {
  await open(0);
  stage.erp.control.addProducts([{ ...PRODUCT, sku: 'CASE-1' }]);
  listByHand({ 'CASE-1': 'case-1' }, 'Another name');
  await stage.sync();
  expect(skus()).toEqual(['case-1']);
  expect(await held()).toMatchObject([[expect.anything(), 'could-be-listed']]);
});

test('the catalogue of an empty marketplace is listed once, after an approval, though its stock moved meanwhile', async () => {
  await open(60);
  await stage.sync();
  expect(listings()).toEqual([]);
  const plans = async () => (await stage.store().brakes.list()).filter(({ plan }) => plan.state === 'open');
  const [plan] = await plans();
  expect(plan).toMatchObject({ plan: { kind: 'create' } });
  expect(plan?.items).toHaveLength(60);
  expect(plan?.items[0]).toMatchObject({
    before: 'not listed',
    after: expect.stringMatching(/ at [\d.]+ USD$/) as string,
  });
  stage.erp.control.setStock('SB-0001', '3');
  stage.erp.control.setStock('SB-0060', '0');
  await cli('brakes', 'approve', plan?.hash ?? '');
  await stage.sync();
  expect(skus()).toHaveLength(60);
  expect(new Set(skus()).size).toBe(60);
  expect(await plans()).toEqual([]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
});

test('half of a catalogue under unmatched SKUs: the brake holds every create, and a link withdraws its create', async () => {
  await open(200);
  const half = stage.erp.control.state().products.slice(0, 100);
  listByHand(Object.fromEntries(half.map(({ sku }) => [sku, sku])));
  stage.marketplace.createProducts(
    Array.from({ length: 100 }, (_, at) => {
      return {
        sku: `Z${at}`,
        name: `Nameless ${at}`,
        wholesale_price: { amount: '1', currency: 'USD' },
        quantity: '1',
      };
    }),
  );
  await stage.sync();
  expect(listings()).toHaveLength(200);
  const [plan] = await stage.store().brakes.list();
  expect(plan?.items).toHaveLength(100);
  expect(await stage.store().unlinked.counts('main')).toEqual({ listings: 100, products: 100 });
  const link = { account: 'main', kind: 'product', how: 'operator', marketplaceId: String(idOf('Z0')) } as const;
  await stage.store().links.link({ ...link, erpId: plan?.items[0]?.key ?? '' }, false, 'eve');
  await stage.sync();
  expect(listings()).toHaveLength(200);
  expect((await stage.store().brakes.list())[0]?.items).toHaveLength(99);
});

test('a second listing of a linked product is reported, and so is a listing of a product that is not sold', async () => {
  await open(2, 'create: { count: 50, percent: 100 },');
  await stage.sync();
  listByHand({ 'SB-0001': 'SB-0001', 'SB-0002': 'SB-0002' });
  stage.erp.control.setProduct('SB-0002', { active: false });
  await stage.sync();
  const [one, two] = [productOf('SB-0001'), productOf('SB-0002')];
  const alert = async (id = '') =>
    JSON.parse((await stage.store().facts.get('main', `alert:product:${id}`)) ?? '[]') as unknown;
  expect(await alert(one?.id)).toMatchObject([{ code: 'listed-beside', params: { sku: 'SB-0001', sold: true } }]);
  expect(await alert(two?.id)).toMatchObject([{ code: 'listed-beside', params: { sku: 'SB-0002', sold: false } }]);
});
