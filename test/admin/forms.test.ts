import { beforeEach, describe, expect, test } from 'vitest';
import { cause, exampleOf } from '../../src/domain/causes/cause.ts';
import { FIRST_LINKED } from '../../src/flows/engine/first-links.ts';
import { erpProduct, line, order, orderBatch, product, productBatch, useShelf } from '../store/shelf.ts';
import { adminOn } from '../support/admin.ts';
import { needing } from '../support/needing.ts';
import { findingsOn, launchChromium, takePicture } from '../support/screen.ts';

/* Forms of the screen: those that are refused, the questions before large acts, and the search for the other half of a link. */

const OPERATOR = 'an-operator-token';
const HEADERS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
const POOL = { account: 'main', flow: 'product', kind: 'price' };
const shelf = useShelf();

let opened: ReturnType<typeof adminOn>;
let cookie = '';
let token = '';

beforeEach(async () => {
  shelf().nowMs = Date.now();
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-1', sku: 'TEA-1', name: 'Green tea' })], {
    listing: null,
    lane: 'poll',
  });
  const priced = (key: string, after: string) => {
    return { key, action: 'product.price', target: `listing of ${key}`, before: '10.00 USD', after, why: 'the ERP' };
  };
  const limit = { holdsAll: true, reason: exampleOf('price-moves-far'), expiryMs: 3_600_000 };
  await store.brakes.hold(POOL, [priced('P-1', '11.00 USD'), priced('P-2', '99.00 USD')], limit);
  opened = adminOn(store, () => ({ operator: OPERATOR, viewer: null, users: [] }));
  const answer = await send('/login', { password: OPERATOR });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  token = /name="token" value="([^"]+)"/.exec(await page('/orders'))?.[1] ?? '';
});

const send = (url: string, form: Record<string, string> | [string, string][]) =>
  opened.app.inject({
    method: 'POST',
    url,
    headers: { ...HEADERS, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

const page = async (url: string) =>
  (await opened.app.inject({ method: 'GET', url, headers: { ...HEADERS, cookie } })).body;

const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const held = async () => (await shelf().store.brakes.list('main'))[0];

const inDoubt = async (key: string) => {
  const { intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'product', key, externalId: key });
  await intents.inDoubt(id, cause('several-match', { found: ['listing 70', 'listing 71'], sent: true }), ['70', '71']);
  return id;
};

test('a refused form leads back to its page, with what was typed, and only the error is marked', async () => {
  const [id] = [await inDoubt('P-8'), await inDoubt('P-9')];
  const form = { token, back: 'needs?state=in-doubt', id: String(id), said: 'adopt', sure: 'yes' };
  for (const [adopt, why] of [
    ['abc', 'the id &quot;abc&quot; is not a whole number'],
    ['9'.repeat(201), 'Too big'],
  ] as const) {
    const answer = await send('/act/resolve', { ...form, adopt });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/needs?state=in-doubt']);
    const body = await page('/needs?state=in-doubt');
    expect(body).toContain('Nothing was done.');
    expect(body.split(`value="${adopt}" required aria-invalid="true" aria-describedby="wrong"`)).toHaveLength(2);
    expect(body.split('id="wrong"')).toHaveLength(2);
    expect(body).toContain(why);
    expect(await page('/needs?state=in-doubt')).not.toContain('aria-invalid');
  }
});

test('held writes are approved after a question that lists them, the largest moves first, except the excluded ones', async () => {
  const plan = await held();
  const left = plan?.items.find(({ key }) => key === 'P-1')?.id;
  expect(await page('/brakes')).toContain(`name="except" value="${left}" aria-label="Leave out P-1"`);
  expect(textOf(await page('/brakes'))).toContain('P-1 Green tea listing of P-1');
  const form = { token, back: 'brakes', hash: plan?.hash ?? '', except: String(left) };
  const question = await send('/act/approve', form);
  const told = textOf(question.body);
  expect(told).toContain('Approve 1 write?');
  expect(told).toContain('10.00 USD 99.00 USD');
  expect(told.indexOf('P-2')).toBeLessThan(told.indexOf('1 write left out'));
  expect((await held())?.items.map(({ state }) => state)).toEqual(['held', 'held']);
  expect(question.body).toContain(`name="except" value="${left}"`);
  await send('/act/approve', { ...form, sure: 'yes' });
  expect((await held())?.items.map(({ key, state }) => `${key} ${state}`)).toEqual(['P-1 vetoed', 'P-2 approved']);
});

test('the screen drops held writes after a question, and Undo holds them again', async () => {
  const form = { token, back: 'brakes', hash: (await held())?.hash ?? '' };
  expect(textOf((await send('/act/drop', form)).body)).toContain('Drop 2 writes?');
  expect((await held())?.plan.state).toBe('open');
  await send('/act/drop', { ...form, sure: 'yes' });
  const body = await page('/brakes');
  expect(body).toMatch(/act\/restore.*>Undo</s);
  await send('/act/restore', { token, back: 'brakes', plan: String((await held())?.plan.id) });
  expect((await held())?.items.map(({ state }) => state)).toEqual(['held', 'held']);
});

test('dropped writes are held again from the page itself, long after the act', async () => {
  const plan = await held();
  await shelf().store.brakes.drop({ id: plan?.plan.id ?? 0 }, 'maria');
  const shown = await page('/brakes');
  expect(shown).toMatch(/dropped<\/span><\/span><span>by maria<[^]*act\/restore.*>Take the drop back</s);
  expect(shown).not.toContain('act/approve');
  await send('/act/restore', { token, back: 'brakes', plan: String(plan?.plan.id) });
  expect((await held())?.items.map(({ state }) => state)).toEqual(['held', 'held']);
  expect(await page('/brakes')).not.toContain('act/restore');
});

test('held writes can be excluded one by one in the question itself, as the overview asks it', async () => {
  const plan = await held();
  const [first] = plan?.items.filter(({ key }) => key === 'P-1') ?? [];
  const form = { token, back: './', hash: plan?.hash ?? '' };
  const { body } = await send('/act/approve', form);
  const inForm = /<form method="post" action="act\/approve"[^]*?<\/form>/.exec(body)?.[0] ?? '';
  expect(inForm).toContain(`type="checkbox" name="except" value="${first?.id}" aria-label="Leave out P-1"`);
  expect(textOf(inForm)).toContain('Approve 2 writes, except those left out');
  await send('/act/approve', { ...form, except: String(first?.id), sure: 'yes' });
  expect((await held())?.items.map(({ key, state }) => `${key} ${state}`)).toEqual(['P-1 vetoed', 'P-2 approved']);
});

test('all excluded writes are sent, and none is lost in the question', async () => {
  const plan = await held();
  const ids = plan?.items.map(({ id }) => String(id)) ?? [];
  const form: [string, string][] = [
    ['token', token],
    ['hash', plan?.hash ?? ''],
    ['back', 'brakes'],
    ...ids.map((id): [string, string] => ['except', id]),
  ];
  expect((await send('/act/approve', form)).statusCode).toBe(303);
  expect(textOf(await page('/brakes'))).toContain('nothing of plan 1 is left to approve');
});

describe('the search for the other half of a link', () => {
  beforeEach(async () => {
    const { store } = shelf();
    const products = [
      erpProduct({ id: 'P-1', sku: 'TEA-1', name: 'Green tea' }),
      erpProduct({ id: 'P-2', sku: 'SOAP-2', name: 'Soap' }),
    ];
    await store.erp.recordProducts('main', products, { listing: null, lane: 'poll' });
    await store.products.record(productBatch([product({ id: 70, sku: 'JRB-TEA-1', name: 'Green tea' })]));
    await store.orders.record(orderBatch([order({ number: 'aaaa-1', lines: [line({ productId: 70 })] })]));
    await store.facts.set('main', FIRST_LINKED, 'yes');
  });

  test('the page of a listing has a search for its product: similar ones, and matches by SKU or name', async () => {
    const likely = await page('/entity?kind=product&key=70');
    expect(textOf(likely)).toContain('Link listing 70 to its product in the ERP');
    expect(likely).toMatch(/act\/link.*name="marketplaceId" value="70".*name="erpId" value="P-1"/s);
    expect(likely).not.toContain('value="P-2"');
    for (const search of ['soap', 'SOAP-2', 'P-2']) {
      expect(await page(`/entity?kind=product&key=70&half=70&search=${search}`)).toContain('name="erpId" value="P-2"');
    }
    expect(await page('/entity?kind=product&key=70&half=70&search=none')).toContain('Nothing begins with none.');
  });

  test('the page of a product has a search for its listing', async () => {
    expect(await page('/entity?kind=product&key=P-1')).toMatch(
      /name="marketplaceId" value="70".*name="erpId" value="P-1"/s,
    );
    const found = await page('/entity?kind=product&key=P-2&half=P-2&search=JRB-');
    expect(found).toMatch(/name="marketplaceId" value="70".*name="erpId" value="P-2"/s);
  });

  test('the page of an order has a search for each of its unlinked listings', async () => {
    const body = await page('/entity?kind=order&key=aaaa-1');
    expect(textOf(body)).toContain('product on the page of the order.');
    expect(textOf(body)).not.toMatch(/stockbridge |order-in/);
    expect(body).toMatch(/name="marketplaceId" value="70".*name="erpId" value="P-1"/s);
    const link = { account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'operator' } as const;
    await shelf().store.links.link(link, false, 'a test');
    expect(await page('/entity?kind=order&key=aaaa-1')).not.toContain('act/link"');
    const taken = textOf(await page('/entity?kind=product&key=P-2&half=P-2&search=JRB-'));
    expect(taken).toContain('linked to P-1 already Move the link here…');
  });

  needing('chromium').test(
    'the search for a link in Chromium is accessible at both widths and in both colours',
    async () => {
      await inDoubt('P-8');
      const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
      const browser = await launchChromium();
      try {
        for (const [width, colorScheme] of [
          [390, 'dark'],
          [1440, 'light'],
        ] as const) {
          const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
          const shown = await context.newPage();
          await shown.goto(`${url}/login`);
          await shown.fill('[name=password]', OPERATOR);
          await shown.click('main button');
          const look = async (what: string) => {
            expect(await findingsOn(shown), what).toEqual([]);
            await takePicture(shown, `forms-${what}-${width}-${colorScheme}`);
          };
          for (const path of ['brakes', 'mappings', 'entity?kind=product&key=70', 'entity?kind=order&key=aaaa-1']) {
            await shown.goto(`${url}/${path}`);
            await look(path.replaceAll(/\W+/g, '-'));
          }
          await shown.goto(`${url}/brakes`);
          await shown.check('[name=except] >> nth=0');
          await shown.getByRole('button', { name: /^Approve/ }).click();
          await look('question');
          await shown.goto(`${url}/needs?state=in-doubt`);
          await shown.fill('[name=adopt]:not([type=hidden]) >> nth=0', 'abc');
          await shown.getByRole('button', { name: 'Adopt it' }).first().click();
          await shown.getByRole('button', { name: /^Yes/ }).click();
          await shown.waitForSelector('[aria-invalid]');
          await look('refused');
          await context.close();
        }
      } finally {
        await browser.close();
        await opened.app.close();
      }
    },
    120_000,
  );
});

test('a pause ends after a question that says what goes on, and by Undo without one', async () => {
  const { pauses, work } = shelf().store;
  for (const key of ['P-1', 'P-2']) {
    const target = { account: 'main', flow: 'stock', key };
    await work.mark([target], 'poll', 'a test');
    await work.hold(target, (await work.get(target))?.version ?? 0, [cause('paused', { reason: 'a count' })]);
  }
  const form = { token, back: './', account: 'main', flow: 'stock' };
  await send('/act/pause', { ...form, reason: 'a count' });
  const undo = await page('/orders');
  expect(undo).toMatch(/act\/resume"[^]*?name="sure" value="yes"[^]*?>Undo</);
  const told = textOf((await send('/act/resume', form)).body);
  expect(told).toContain('Go on with stock?');
  expect(told).toContain('2 things that are held for it are looked at again.');
  expect(told).toContain('stock, paused because: a count');
  expect(await pauses.all()).toHaveLength(1);
  await send('/act/resume', { ...form, sure: 'yes' });
  expect(await pauses.all()).toEqual([]);
});

test('no Undo is offered for a link that existed before, nor for one on which an order may depend', async () => {
  const { journal, mappings } = shelf().store;
  const half = { token, back: 'orders', account: 'main', kind: 'customer', side: 'marketplace' };
  await send('/act/link-half', { ...half, id: '815', other: 'C-1' });
  await page('/orders');
  await send('/act/link-half', { ...half, id: '815', other: 'C-1' });
  expect(await page('/orders')).not.toContain('>Undo<');
  const write = { account: 'main', flow: 'order-in', key: 'o-1', action: 'order-in.create' };
  const id = await journal.begin({ ...write, target: 'order o-1', before: null, after: 'reserved', why: 'it is new' });
  await journal.end(id, 'written', 'SO-1');
  await send('/act/unlink', { token, back: 'orders', account: 'main', kind: 'customer', marketplaceId: '815' });
  expect(textOf(await page('/orders'))).toContain('An order was entered in the ERP since');
  expect(await mappings.byMarketplaceId('main', 'customer', '815')).toMatchObject({ erpId: 'C-1' });
});

test('two entities that were unlinked are linked again by Undo, and a rejected pair is suggested again', async () => {
  const { links, facts } = shelf().store;
  await links.link(
    { account: 'main', kind: 'customer', marketplaceId: '815', erpId: 'C-1', how: 'operator' },
    false,
    'a',
  );
  await send('/act/separate', {
    token,
    back: 'orders',
    account: 'main',
    kind: 'customer',
    marketplaceId: '815',
    sure: 'yes',
  });
  const undo = await page('/orders');
  expect(undo).toMatch(/act\/link-half"[^]*?name="id" value="815"[^]*?name="other" value="C-1"[^]*?>Undo</);
  const pair = { token, back: 'orders', account: 'main', marketplaceId: '70', erpId: 'P-1' };
  await send('/act/refuse', pair);
  expect(await page('/orders')).toMatch(/act\/reconsider"[^]*?>Undo</);
  await send('/act/reconsider', pair);
  expect(await facts.startingWith('main', 'apart:')).toEqual([]);
});

test('ticked failed jobs are discarded after a question; without a tick none is', async () => {
  const { work } = shelf().store;
  const stockOf = (key: string) => ({ account: 'main', flow: 'stock', key });
  for (const key of ['P-1', 'P-2', 'P-3']) {
    await work.mark([stockOf(key)], 'poll', 'a test');
    await work.fail(stockOf(key), (await work.get(stockOf(key)))?.version ?? 0, 'marketplace-unavailable', 'away', 5);
  }
  const left = async () => (await work.failed({ account: 'main' })).map(({ key }) => key).toSorted();
  const ids = Object.fromEntries((await work.failed({ account: 'main' })).map(({ key, id }) => [key, String(id)]));
  const shown = await page('/needs?state=failed');
  for (const id of Object.values(ids)) expect(shown).toContain(`type="checkbox" name="job" value="${id}"`);
  const form: [string, string][] = [
    ['token', token],
    ['back', 'needs?state=failed'],
    ['account', 'main'],
    ['chosen', 'yes'],
  ];
  for (const act of ['replay', 'discard']) {
    await send(`/act/${act}`, form);
    expect(textOf(await page('/needs?state=failed'))).toContain('no job is ticked: tick at least one');
    expect(await left()).toEqual(['P-1', 'P-2', 'P-3']);
  }
  const ticked: [string, string][] = [...form, ['job', ids['P-1'] ?? ''], ['job', ids['P-3'] ?? '']];
  const asked = (await send('/act/discard', ticked)).body;
  expect(asked).toContain('Discard 2 failed jobs?');
  for (const key of ['P-1', 'P-3']) expect(asked).toContain(`type="hidden" name="job" value="${ids[key]}"`);
  expect(await left()).toEqual(['P-1', 'P-2', 'P-3']);
  await send('/act/discard', [...ticked, ['sure', 'yes']]);
  expect(await left()).toEqual(['P-2']);
});
