import { beforeEach, describe, expect, test } from 'vitest';
import { type Cause, cause } from '../../src/domain/causes/cause.ts';
import { erpProduct, line, order, orderBatch, product, productBatch, useShelf } from '../store/shelf.ts';
import { adminOn } from '../support/admin.ts';
import { needing } from '../support/needing.ts';
import { findingsOn, launchChromium, takePicture } from '../support/screen.ts';

/* Several cases of one cause: each is decided where all of them are shown. */

const OPERATOR = 'an-operator-token';
const VIEWER = 'the-viewer-token';
const HEADERS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
const shelf = useShelf();

let opened: ReturnType<typeof adminOn>;
let cookie = '';
let token = '';

beforeEach(async () => {
  shelf().nowMs = Date.now();
  opened = adminOn(shelf().store, () => ({ operator: OPERATOR, viewer: VIEWER, users: [] }));
  await logIn(OPERATOR);
  token = /name="token" value="([^"]+)"/.exec(await page('/orders'))?.[1] ?? '';
});

const send = (url: string, form: Record<string, string> | [string, string][]) =>
  opened.app.inject({
    method: 'POST',
    url,
    headers: { ...HEADERS, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

async function logIn(password: string): Promise<void> {
  cookie = '';
  cookie = String((await send('/login', { password })).headers['set-cookie']).split(';')[0] ?? '';
}

const page = async (url: string) =>
  (await opened.app.inject({ method: 'GET', url, headers: { ...HEADERS, cookie } })).body;

const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function hold(flow: string, key: string, causes: readonly [Cause, ...Cause[]]): Promise<void> {
  const target = { account: 'main', flow, key };
  const { work } = shelf().store;
  await work.mark([target], 'poll', 'a test');
  await work.hold(target, (await work.get(target))?.version ?? 0, causes);
}

/** Listings from 100 on, each linked to its product, that somebody has archived on the marketplace. */
async function archived(count: number): Promise<number[]> {
  const { store } = shelf();
  const ids = Array.from({ length: count }, (_, at) => 100 + at);
  const products = ids.map((id) => erpProduct({ id: `P-${id}`, sku: `TEA-${id}`, name: `Tea no. ${id}` }));
  await store.erp.recordProducts('main', products, { listing: null, lane: 'poll' });
  await store.products.record(productBatch(ids.map((id) => product({ id, sku: `TEA-${id}`, archived: true }))));
  for (const id of ids) {
    const link = { account: 'main', kind: 'product', marketplaceId: String(id), erpId: `P-${id}`, how: 'sku' } as const;
    await store.links.link(link, false, 'a test');
    await hold('product', `P-${id}`, [cause('archived-by-hand', { listing: id, sku: `TEA-${id}` })]);
  }
  return ids;
}

const saidOf = async (listing: number) => {
  const link = await shelf().store.mappings.byMarketplaceId('main', 'product', String(listing));
  return /asked-back|left/.exec(JSON.stringify(link?.echoes))?.[0] ?? null;
};

const ticked = (said: string, listings: readonly number[], more: Record<string, string> = {}) => {
  const fields = Object.entries({ token, back: './', account: 'main', said, ...more });
  return send('/act/archived', [...fields, ...listings.map((id): [string, string] => ['listing', String(id)])]);
};

/** Two orders: one whose two lines have listings without a link, and one that waits for the first of them. */
async function unlinked(): Promise<void> {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-1', sku: 'TEA-1', name: 'Green tea' })], {
    listing: null,
    lane: 'poll',
  });
  const listings = [
    product({ id: 70, sku: 'JRB-TEA-1', name: 'Green tea' }),
    product({ id: 71, sku: 'WAX', name: 'Wax' }),
  ];
  await store.products.record(productBatch(listings));
  const lines = [line({ id: 1, productId: 70 }), line({ id: 2, productId: 71 })];
  await store.orders.record(orderBatch([order({ number: 'aaaa-1', lines })]));
  await hold('order-in', 'aaaa-1', [waits('aaaa-1', 70), waits('aaaa-1', 71)]);
}

const waits = (number: string, listing: number) =>
  cause('product-unlinked', { order: number, line: String(listing), product: listing, sku: null, elsewhere: null });

async function doubts(count: number): Promise<void> {
  const { intents } = shelf().store;
  for (let at = 0; at < count; at++) {
    const id = await intents.open({ account: 'main', kind: 'order-in', key: `N-${at}`, externalId: `N-${at}` });
    const found = [`SO-${at}`, `SO-9${at}`];
    await intents.inDoubt(id, cause('several-match', { found, sent: true }), found);
  }
}

describe.each(['/', '/needs?state=held'])('archived listings on %s', (url) => {
  test('archived listings are ticked by their names, and left archived or restored together; Undo reverts it for all', async () => {
    const [one = 0, other = 0, third = 0] = await archived(3);
    const body = await page(url);
    for (const id of [one, other, third])
      expect(textOf(body.replaceAll(/<input[^>]*name="listing" value="(\d+)"[^>]*>/g, ' [$1] '))).toContain(
        `[${id}] Tea no. ${id} TEA-${id}`,
      );
    expect((await ticked('left', [one, other])).statusCode).toBe(303);
    expect(await Promise.all([one, other, third].map(saidOf))).toEqual(['left', 'left', null]);
    const after = await page(url);
    expect(textOf(after)).toContain('2 listings stay archived.');
    expect(after).toMatch(/name="listing" value="100"><input type="hidden" name="listing" value="101">[^]*?>Undo</);
    await ticked('open', [one, other]);
    expect(await Promise.all([one, other, third].map(saidOf))).toEqual([null, null, null]);
    const question = await ticked('asked-back', [one, third]);
    expect(textOf(question.body)).toContain('Bring 2 listings back?');
    expect(question.body).toMatch(/name="listing" value="100"><input type="hidden" name="listing" value="102">/);
    await ticked('asked-back', [one, third], { sure: 'yes' });
    expect(await Promise.all([one, other, third].map(saidOf))).toEqual(['asked-back', null, 'asked-back']);
  });
});

test('a listing that is no longer archived is left unchanged, and reported', async () => {
  const ids = await archived(2);
  await shelf().store.products.record(
    productBatch([product({ id: 100, sku: 'TEA-100', modified: '2030-01-01T00:00:00Z' })]),
  );
  await ticked('left', ids);
  expect(textOf(await page('/'))).toContain('Listing 101 stays archived; listing 100 is not archived any more.');
});

test('the screen refuses an act without a ticked listing', async () => {
  await archived(2);
  await ticked('left', []);
  expect(textOf(await page('/'))).toContain('no listing is ticked: tick at least one');
});

test('the overview has 20 listings to tick, and a link to the others', async () => {
  await archived(25);
  const body = await page('/');
  expect(body.split('name="listing" value=')).toHaveLength(21);
  expect(body).toMatch(/href="needs\?account=main&amp;state=held&amp;error=archived-by-hand">The others</);
  expect((await page('/needs?state=held')).split('name="listing" value=')).toHaveLength(26);
});

test.each(['/', '/needs?state=held'])(
  'an order with several unlinked listings has for each its name, a search, and similar products, on %s',
  async (url) => {
    await unlinked();
    const body = await page(url);
    expect(textOf(body)).toMatch(/1 order waits\. The first: Green tea is not linked to a product of yours/);
    expect(body.match(/name="half" value="\d+"/g)).toEqual(['name="half" value="70"', 'name="half" value="71"']);
    expect(body).toMatch(/id="link-70"[^]*name="marketplaceId" value="70"[^]*name="erpId" value="P-1"/);
    const searched = await page(`${url}${url.includes('?') ? '&' : '?'}half=71&search=tea`);
    expect(searched).toMatch(/name="marketplaceId" value="71"[^]*?name="erpId" value="P-1"/);
  },
);

test('an order with several unlinked listings is expanded where its listing was searched for', async () => {
  await unlinked();
  expect(await page('/')).toContain('<details id="each-order-in-product-unlinked" class="each"><summary>');
  expect(await page('/?half=71&search=tea')).toContain(
    '<details id="each-order-in-product-unlinked" class="each" open>',
  );
});

test('an order with several unlinked listings is listed with the other orders that wait for the same listing', async () => {
  await unlinked();
  await hold('order-in', 'aaaa-2', [waits('aaaa-2', 71)]);
  expect(textOf(await page('/'))).toMatch(/Green tea aaaa-1 .*Wax aaaa-1 and 1 more/);
});

test('several doubts are each resolved in a row of the overview, at most 20 of them', async () => {
  await doubts(25);
  const body = await page('/');
  expect(textOf(body)).toMatch(
    /N-0 it may be SO-0 or SO-90, for .*? It is SO-0 It is SO-90 None of them: send it again/,
  );
  expect(body.split('>None of them: send it again<')).toHaveLength(21);
  expect(body).toMatch(/href="needs\?account=main&amp;state=in-doubt&amp;error=several-match">The others</);
});

test('a viewer gets no acts on the overview', async () => {
  await archived(2);
  await unlinked();
  await doubts(2);
  await logIn(VIEWER);
  for (const url of ['/', '/needs?state=held']) {
    const body = await page(url);
    expect(body).not.toMatch(/Decide one by one|class="each"|action="act\//);
    expect(body).toContain('<h1');
  }
});

needing('chromium').test(
  'the cases on the overview fit the window and are accessible, and a ticked one stays archived',
  async () => {
    await archived(3);
    await unlinked();
    await doubts(3);
    const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await launchChromium();
    try {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const shown = await context.newPage();
        await shown.goto(`${url}/login`);
        await shown.fill('[name=password]', OPERATOR);
        await shown.click('main button');
        for (const path of ['', 'needs?state=held']) {
          await shown.goto(`${url}/${path}`);
          for (const fold of await shown.locator('details.each > summary').all()) await fold.click();
          expect(await findingsOn(shown), path).toEqual([]);
          await takePicture(shown, `each-${path.replaceAll(/\W+/g, '-')}-${width}`);
        }
        const id = width === 390 ? 100 : 101;
        await shown.check(`[name=listing][value="${id}"]`);
        await shown.getByRole('button', { name: 'Leave the chosen archived' }).click();
        await shown.getByText(`Listing ${id} stays archived.`).waitFor();
        expect(await saidOf(id)).toBe('left');
        await context.close();
      }
    } finally {
      await browser.close();
      await opened.app.close();
    }
  },
  120_000,
);
