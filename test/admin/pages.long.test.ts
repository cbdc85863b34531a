import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Cause, exampleOf } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import type { Store } from '../../src/store/store.ts';
import { fillLarge, orderKey, productKey } from '../bench/support/large-state.ts';
import { needing } from '../support/needing.ts';
import { at, findingsOn, HOSTILE, openScreen, TOKENS, useChromium } from '../support/screen.ts';
import { type Stage, until } from '../support/stage.ts';
import { openTrouble } from '../support/trouble.ts';

/** The folder for a picture of each page; no pictures are made when it is left out. */
const PICTURES = process.env['STOCKBRIDGE_PICTURES'];

const PAGES = [
  '',
  'needs',
  'needs?state=held',
  'needs?state=failed',
  'brakes',
  'orders',
  'orders?state=held',
  'products',
  'entity?key=SB-0001&kind=product',
  'entity?key=P-000003&kind=product',
  'plans',
  'plans/1',
  'plans/1?kind=stock.write',
  'mappings',
  'activity',
  'activity?flow=stock',
  'events',
  'events/1',
  'audit',
  'guide',
  'guide/screen',
  'find?q=nothing-like-this',
];

/** The name of a kind of write, or of an act, as the records have it. */
const RAW = /\b(?:product|stock|images|order-in|customer-in|job|map|brake|plan)\.[a-z-]+\b|\border-in\b/;

const logIn = useChromium();

async function open(): Promise<Stage> {
  const stage = await openScreen({
    account: '    brakes: { create: { count: 100, percent: 1000 }, zero: { count: 0, percent: 0 } }',
  });
  stage.erp.control.seed(3);
  stage.erp.control.setProduct('SB-0002', { name: HOSTILE });
  await stage.start();
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: HOSTILE, state: 'NV' });
  const listing = stage.marketplace.productBySku('SB-0001');
  stage.marketplace.placeOrder({ customer, items: [{ product: listing.id, quantity: '1' }] });
  stage.erp.control.setStock('SB-0003', '0');
  await stage.sync();
  const store = stage.store();
  await store.inbox.store([{ account: 'main', kind: 'orders', body: Buffer.from(HOSTILE), receivedAtMs: Date.now() }]);
  await store.pauses.pause('main', 'stock', HOSTILE, 'maria');
  await store.audit.noteSetting('main', 'note', HOSTILE, HOSTILE);
  await fail(store, 'P-000002', HOSTILE);
  stage.erp.control.setStock('SB-0001', '777');
  await stage.sync();
  const answer = await fetch(`${stage.app().adminUrl}/api/v1/accounts/main/plans`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKENS.operator}`, 'content-type': 'application/json' },
    body: '{"lift_pauses":true}',
  });
  expect(answer.status).toBe(200);
  await until('the plan is made', async () => {
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const list = await fetch(`${stage.app().adminUrl}/api/v1/accounts/main/plans`, { headers });
    return ((await list.json()) as { items: object[] }).items.length > 0;
  });
  return stage;
}

const MANY = 3_000;
const PAGES_OF_MANY = [
  '',
  'needs',
  'needs?state=failed',
  'needs?state=in-doubt',
  'needs?state=held',
  'needs?state=alert',
  'brakes',
  'orders',
  'orders?state=held',
  'products',
  'products?state=stopped',
  `entity?kind=order&key=${orderKey(7)}`,
  `entity?kind=product&key=${productKey(8)}`,
  'mappings',
  'activity',
  'events',
  'audit',
];

/** Three thousand products and orders, none of which goes on, with as many stopped writes, alerts, entries, webhooks and acts. */
async function openMany(): Promise<Stage> {
  const stage = await openScreen();
  await fillLarge(join(stage.dir, 'data'), { products: MANY, orders: MANY, stopped: MANY });
  await stage.start(['admin']);
  const { brakes, journal, inbox, audit } = stage.store();
  const places = Array.from({ length: MANY }, (_, place) => place + 1);
  const write = { action: 'stock.write', before: '100', after: '0', why: 'ERP available 0, buffer 0' };
  const limit = { holdsAll: true, reason: exampleOf('too-large-a-share'), expiryMs: 3_600_000 };
  await brakes.hold(
    { account: 'main', flow: 'stock', kind: 'zero' },
    places.map((place) => ({ ...write, key: productKey(place), target: `listing ${place}` })),
    limit,
  );
  for (const place of places.slice(0, 200)) {
    const key = productKey(place);
    await setAlert(stage.context(), `stock:${key}`, [exampleOf('oversold') as Cause]);
    const made = { ...write, account: 'main', flow: 'stock', key, target: `listing ${place}` };
    await journal.add({ ...made, answer: '', outcome: place % 9 === 0 ? 'refused' : 'written' });
    await audit.add({ ...made, who: 'maria', outcome: 'done', resultOf: null });
    const body = Buffer.from(JSON.stringify({ data: { id: place } }));
    await inbox.store([{ account: 'main', kind: 'products', body, receivedAtMs: Date.now() - place * 1_000 }]);
  }
  return stage;
}

async function fail({ work }: Store, key: string, message: string): Promise<void> {
  const target = { account: 'main', flow: 'images', key };
  await work.mark([target], 'poll', 'a test');
  await work.fail(target, (await work.get(target))?.version ?? 0, 'marketplace-unavailable', message, 5);
}

const WAYS = [
  ['operator', { width: 360, colorScheme: 'dark' }],
  ['operator', { width: 1440, colorScheme: 'light' }],
  ['viewer', { width: 360, colorScheme: 'light' }],
  ['viewer', { width: 1440, colorScheme: 'dark' }],
] as const;

/** @param name of the pictures */
async function seeAll(stage: Stage, paths: readonly string[], limitKb: number, name: string): Promise<void> {
  for (const [role, how] of WAYS) {
    const { page, told } = await logIn(stage, role, how);
    for (const path of paths) {
      const what = `${path} as ${role} at ${how.width}`;
      const answer = await page.goto(at(stage, path));
      expect(answer?.status(), what).toBe(200);
      expect((await answer?.body())?.length, what).toBeLessThan(limitKb * 1024);
      // A viewer sees the operator's page without its forms.
      if (role === 'operator') expect.soft(await findingsOn(page), what).toEqual([]);
      expect.soft(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what).toBe(true);
      const forms = await page.locator('form[method=post]:not([action=logout])').count();
      if (role === 'viewer') expect(forms, what).toBe(0);
      if (PICTURES !== undefined) {
        const shown = `${name}-${path.replaceAll(/\W+/g, '-') || 'overview'}-${how.width}-${how.colorScheme}`;
        await page.screenshot({ path: `${PICTURES}/${shown}.png`, fullPage: false });
      }
    }
    expect(told).toEqual([]);
  }
}

/** On a phone, 20 of 40 products are shown at first, each as a card of at most three lines. */
async function fewRows(stage: Stage, page: Page): Promise<void> {
  const rows = page.locator('tbody tr:visible');
  await page.goto(at(stage, 'products'));
  expect(await rows.count()).toBe(20);
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThan(100);
  await page.getByRole('button', { name: 'Show 20 more of 20' }).click();
  expect(await rows.count()).toBe(40);
}

needing('chromium').describe('the pages in Chromium, behind a path of a proxy', () => {
  test('the pages of the screen are accessible, fit the window, log no error, and have no act for a viewer', async () => {
    await seeAll(await open(), PAGES, 400, 'few');
  });

  test('the pages of the screen work with 3,000 of everything, and none is above 100 KB', async () => {
    const stage = await openMany();
    await seeAll(stage, PAGES_OF_MANY, 100, 'many');
    // Only the screen runs here.
    const { page } = await logIn(stage, 'operator', { width: 1280, colorScheme: 'light' });
    await page.goto(at(stage, ''));
    expect(await page.locator('h1').innerText()).toMatch(
      /No daemon is running: orders and stock are not synchronized\.$/,
    );
    expect(await page.locator('main').innerText()).not.toContain('stockbridge ');
    await page.getByRole('link', { name: 'how it is started' }).click();
    await page.waitForURL('**/guide/running');
  });

  test('the overview of a bad day is one screen high, the worst harm first, each with its act', async () => {
    const stage = await openTrouble();
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1280, 'dark'],
      [390, 'light'],
    ] as const) {
      const { page } = await logIn(stage, 'operator', { width, colorScheme });
      await page.goto(at(stage, ''));
      expect(await page.locator('h1').innerText()).toMatch(/Buyers have ordered what is not there\.$/);
      const rows = page.locator('.harm');
      expect(await rows.locator('h2').allInnerTexts()).toEqual([
        expect.stringMatching(/^1 stock figure needs a look: buyers have ordered 2 units more of /),
        '1 order is in doubt: it may be SO-000001 or SO-000002',
        '3 orders wait: Hand-dipped candle is not linked to a product of yours',
        expect.stringMatching(/^1 price waits for an approval: .* from \d+\.\d\d USD to 999\.00 USD$/),
        '18 archives wait for an approval: so many at once exceed the limit of the brake',
        '1 listing with other images has failed: The marketplace refused the image: too large',
        expect.stringMatching(/^1 listing waits: somebody archived /),
      ]);
      expect(await rows.locator('.holding li').allInnerTexts()).toEqual([
        expect.stringMatching(/^SO-\d+ Harbor Supplies 3 units Submitted, since /),
      ]);
      for (const act of ['approve', 'drop', 'resolve', 'replay'])
        expect(await rows.locator(`form[action="act/${act}"]`).count(), act).toBeGreaterThan(0);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), String(width)).toBe(true);
      if (width > 390) expect(await page.evaluate('document.documentElement.scrollHeight'), String(width)).toBe(900);
      else await fewRows(stage, page);
    }
  });

  test('a list is sorted by its column heads, filtered while typing, and sorted without JavaScript too', async () => {
    const stage = await openMany();
    for (const javaScriptEnabled of [true, false]) {
      const { page, told } = await logIn(stage, 'operator', { width: 1280, colorScheme: 'light', javaScriptEnabled });
      const first = () => page.locator('tbody tr td a').first().innerText();
      await page.goto(at(stage, 'products'));
      expect(await first()).toBe('SKU-000001');
      expect(await page.locator('[aria-sort]').allInnerTexts()).toEqual(['SKU ▲']);
      await page.getByRole('link', { name: 'SKU', exact: true }).click();
      await page.waitForURL('**sort=sku-down**');
      expect(await first()).toBe('SKU-003000');
      expect(await page.locator('[aria-sort]').getAttribute('aria-sort')).toBe('descending');
      await page.getByLabel('SKU, name, ERP id, listing').fill('sku-00012');
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL('**search=sku-00012**');
      await page.locator('tbody tr').nth(9).waitFor();
      expect(await page.locator('tbody tr td a').allInnerTexts()).toEqual(
        Array.from({ length: 10 }, (_, place) => `SKU-00012${9 - place}`),
      );
      await page.goto(at(stage, 'orders?sort=customer'));
      const isWithin =
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.scroll'))";
      expect(await page.evaluate(isWithin)).toBe(true);
      expect(told).toEqual([]);
    }
  });

  test('one box selects every row of a list, and the Shift key all rows between two', async () => {
    const stage = await openMany();
    const { page } = await logIn(stage, 'operator', { width: 1280, colorScheme: 'light' });
    await page.goto(at(stage, 'orders?state=stopped'));
    const boxes = page.locator('tbody input[type=checkbox]');
    const ticked = page.locator('tbody input:checked');
    await boxes.nth(2).click();
    await boxes.nth(5).click({ modifiers: ['Shift'] });
    expect(await ticked.count()).toBe(4);
    await page.getByLabel('Choose: all rows').check();
    expect(await ticked.count()).toBe(50);
    await page.getByRole('button', { name: 'Look at the chosen afresh' }).click();
    await page.getByText('50 orders are looked at afresh').waitFor();
  });

  test('an order no longer waits once its listing is linked from the overview, to a product that was searched for', async () => {
    const stage = await openTrouble();
    const { page } = await logIn(stage, 'operator', { width: 1440, colorScheme: 'light' });
    await stage.store().pauses.pause('main', 'product', 'no listing is made for it', 'a test');
    stage.erp.control.addProducts([
      { sku: 'WAX-9', name: 'Candle', price: { amount: '2.00', currency: 'USD' }, unit_multiplier: '1', on_hand: '80' },
    ]);
    await until('the ERP shows it', async () => (await stage.store().unlinked.products('main', '', 50)).length > 0);
    await page.goto(at(stage, ''));
    await page.getByLabel('Your product: SKU, name or id').fill('wax');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.found').getByRole('button', { name: 'Link', exact: true }).click();
    const sure = page.getByRole('button', { name: 'Link them all the same' });
    if ((await sure.count()) > 0) await sure.click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const { work } = stage.store();
    await until('the orders go on', async () => (await work.countFor('main', 'held', ['product-unlinked'])) === 0);
  });

  test('every page and the log-out work without JavaScript', async () => {
    const stage = await open();
    const { page, told } = await logIn(stage, 'operator', {
      width: 1440,
      colorScheme: 'light',
      javaScriptEnabled: false,
    });
    for (const path of PAGES) {
      await page.goto(at(stage, path));
      expect(await page.locator('h1').count(), path).toBe(1);
      if (!path.startsWith('guide')) expect(await page.locator('main').innerText(), path).not.toMatch(RAW);
    }
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(page.url()).toBe(at(stage, 'login'));
    expect(told).toEqual([]);
  });

  test('the screen works by keyboard alone: find, go through rows, open, pause, and list or switch off the keys', async () => {
    const stage = await open();
    const { page, told } = await logIn(stage, 'operator', { width: 1440, colorScheme: 'light' });
    const focused = () => page.evaluate('document.activeElement?.textContent ?? ""');
    await page.goto(at(stage, 'products'));
    await page.keyboard.press('j');
    const first = await focused();
    await page.keyboard.press('j');
    expect(await focused()).not.toBe(first);
    await page.keyboard.press('k');
    expect(await focused()).toBe(first);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/entity?**');
    await page.keyboard.press('/');
    await page.keyboard.type('SB-0003');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/find?**');
    await page.goto(at(stage, 'activity'));
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Go on showing what comes' }).waitFor();
    await page.keyboard.press('?');
    expect(await page.locator('dialog').innerText()).toContain('next and previous row');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Keyboard: on/ }).click();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    expect(await page.locator('[data-at]').count()).toBe(0);
    expect(told).toEqual([]);
  });

  test('a new write appears on the page of activity by itself, and not while the page is paused', async () => {
    const stage = await open();
    await stage.store().pauses.resume('main', 'all', 'a test');
    const { page } = await logIn(stage, 'viewer', { width: 1440, colorScheme: 'light' });
    await page.goto(at(stage, 'activity'));
    stage.erp.control.setStock('SB-0001', '778');
    await page.getByText('778').first().waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Pause' }).click();
    const { available } = stage.marketplace.productBySku('SB-0001');
    stage.erp.control.setStock('SB-0001', '779');
    await until('it is written', () => stage.marketplace.productBySku('SB-0001').available !== available);
    expect(await page.getByText('779').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on showing what comes' }).click();
    await page.getByText('779').first().waitFor({ timeout: 60_000 });
  });
});
