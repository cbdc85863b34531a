import { beforeEach, expect, test } from 'vitest';
import { cut } from '../../src/admin/screen/show.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { erpProduct, order, orderBatch, useShelf } from '../store/shelf.ts';
import { adminOn } from '../support/admin.ts';
import { causeOf } from '../support/causes.ts';

const shelf = useShelf();
const COUNT = 240;
const KEYS = Array.from({ length: COUNT }, (_, at) => `P-${String(at + 1).padStart(6, '0')}`);
/** A text about as long as a side's message may be. */
const LONG = 'the service is being maintained, '.repeat(20);

let opened: ReturnType<typeof adminOn>;
let cookie: string;

beforeEach(async () => {
  const { store } = shelf();
  opened = adminOn(store, () => ({ operator: 'an-operator-token', viewer: null, users: [] }));
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await opened.app.inject({
    method: 'POST',
    url: '/login',
    headers,
    payload: 'password=an-operator-token',
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
});

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

/** Every page from this one on, by its link to the next. */
async function pagesFrom(url: string): Promise<string[]> {
  const pages: string[] = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const answer: Answer = await opened.app.inject({ url: next, headers: { accept: 'text/html', cookie } });
    const { statusCode, body } = answer;
    expect(statusCode).toBe(200);
    pages.push(body);
    const link: string | undefined = /href="([^"]*)">(?:Next page|Show all \d+)</.exec(body)?.[1];
    next = link === undefined ? undefined : `/${link.replaceAll('&amp;', '&')}`;
  }
  return pages;
}

const entitiesIn = (pages: readonly string[]) =>
  pages.flatMap((page) => [...page.matchAll(/>(P-\d{6})</g)].map(([, key = '']) => key));

/** Puts every key into a state. */
async function stop(what: 'failed' | 'held' | 'alert' | 'in-doubt' | 'braked'): Promise<void> {
  const { store } = shelf();
  for (const key of KEYS) {
    const target = { account: 'main', flow: 'stock', key };
    if (what === 'alert')
      await setAlert({ account: 'main', store }, `stock:${key}`, [cause('paused', { reason: LONG })]);
    if (what === 'in-doubt') {
      const id = await store.intents.open({ account: 'main', kind: 'product', key, externalId: key });
      await store.intents.inDoubt(id, cause('several-match', { found: ['listing 70'], sent: true }));
    }
    if (what !== 'failed' && what !== 'held') continue;
    await store.work.mark([target], 'poll', 'changed');
    if (what === 'held') await store.work.hold(target, 1, [cause('paused', { reason: LONG })]);
    else await store.work.fail(target, 1, 'marketplace-unavailable', LONG, 5);
  }
  if (what !== 'braked') return;
  const write = { action: 'stock.write', target: 'listing 1', before: '36', after: '0', why: LONG.slice(0, 200) };
  await store.brakes.hold(
    { account: 'main', flow: 'stock', kind: 'zero' },
    KEYS.map((key) => ({ ...write, key })),
    { holdsAll: true, reason: causeOf('more than 1 a day'), expiryMs: 60_000 },
  );
}

test.each([
  ['/needs?state=failed', 'failed'],
  ['/needs?state=held', 'held'],
  ['/needs?state=alert', 'alert'],
  // The page opens on the first list that is not empty.
  ['/needs', 'held'],
  ['/needs', 'alert'],
  ['/brakes', 'braked'],
] as const)('%s is paged: each case is on one page, and no page has more than 100 KB', async (url, what) => {
  await stop(what);
  const pages = await pagesFrom(url);
  expect(entitiesIn(pages).toSorted()).toEqual(KEYS);
  for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThan(100 * 1024);
});

interface Told {
  readonly next: string | null;
  /** A case, or a plan with its writes. */
  readonly items: readonly {
    readonly key: string;
    readonly count?: number;
    readonly items?: readonly { readonly key: string }[];
  }[];
}

async function told(url: string): Promise<Told> {
  const headers = { authorization: 'Bearer an-operator-token' };
  const { statusCode, body } = await opened.app.inject({ url: `/api/v1/${url}`, headers });
  expect(statusCode, body).toBe(200);
  return JSON.parse(body) as Told;
}

test.each([
  ['jobs?', 'failed'],
  ['jobs?', 'in-doubt'],
  ['jobs?state=failed&error=unavailable&', 'failed'],
  ['jobs?state=in-doubt&', 'in-doubt'],
  ['jobs?state=held&error=maintained&', 'held'],
  ['jobs?state=alert&', 'alert'],
  ['brakes?', 'braked'],
] as const)('the API lists %s (%s) page after page, each case once', async (url, what) => {
  await stop(what);
  const keys: string[] = [];
  const sizes: number[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Told = await told(`${url}limit=100${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`);
    const found = page.items.flatMap(({ key, items: writes }) => writes?.map((write) => write.key) ?? [key]);
    for (const { count = COUNT } of page.items) expect(count).toBe(COUNT);
    keys.push(...found);
    sizes.push(found.length);
    next = page.next;
  }
  expect([keys.toSorted(), sizes]).toEqual([KEYS, [100, 100, 40]]);
});

test.each(['state=failed', 'state=held&key=main', 'key=1&key=2', 'state=failed&key=x&key=1', ''])(
  'a page after "%s", which no answer named, is refused',
  async (key) => {
    const url = `/api/v1/jobs?after=${encodeURIComponent(key)}`;
    const { statusCode } = await opened.app.inject({ url, headers: { authorization: 'Bearer an-operator-token' } });
    expect(statusCode).toBe(400);
  },
);

test('more than a thousand doubts are all listed, on the page and in the count', async () => {
  const { store } = shelf();
  const many = Array.from({ length: 1_100 }, (_, at) => `Q-${at}`);
  for (const key of many) {
    const id = await store.intents.open({ account: 'main', kind: 'product', key, externalId: key });
    await store.intents.inDoubt(id, cause('several-match', { found: ['listing 70'], sent: true }));
  }
  const { body } = await opened.app.inject({
    url: '/needs?state=in-doubt&from=1050',
    headers: { accept: 'text/html', cookie },
  });
  expect(body).toContain('1051 to 1100 of 1100');
  expect(await store.intents.inDoubtCounts()).toEqual([{ account: 'main', count: 1_100 }]);
});

test('a text is cut before a surrogate pair and not inside it', () => {
  expect([cut(`${'a'.repeat(159)}😀b`), cut(`${'a'.repeat(158)}😀b`)]).toEqual([
    `${'a'.repeat(159)}…`,
    `${'a'.repeat(158)}😀…`,
  ]);
});

test('where several states are listed, the first entries of each are, with a link to all', async () => {
  const { store } = shelf();
  for (const key of KEYS) {
    await store.work.mark([{ account: 'main', flow: 'stock', key }], 'poll', 'changed');
    await store.work.fail({ account: 'main', flow: 'stock', key }, 1, 'marketplace-unavailable', LONG, 5);
  }
  const [first = '', ...more] = await pagesFrom('/needs');
  expect(first).toContain(`Replay all ${COUNT}`);
  expect(entitiesIn([first])).toHaveLength(20);
  expect(entitiesIn(more)).toHaveLength(COUNT);
});

test.each(['/activity', '/orders', '/products', '/audit'])(
  '%s has at most 100 KB, however long the texts are',
  async (url) => {
    const { store } = shelf();
    const text = 'a"b '.repeat(1_000);
    const entry = {
      account: 'main',
      flow: 'stock',
      key: 'P-1',
      action: 'stock.write',
      target: text,
      before: text,
      after: text,
    };
    for (let at = 0; at < 70; at++) {
      await store.journal.add({ ...entry, why: text, answer: text, outcome: 'written' });
      await store.audit.add({ ...entry, who: 'ada', outcome: 'done', resultOf: null });
    }
    const ids = KEYS.slice(0, 70);
    const named = (number: string, at: number) => order({ number, customer: { id: at + 1, name: text } });
    await store.orders.record(orderBatch(ids.map(named)));
    await store.erp.recordProducts(
      'main',
      ids.map((id) => erpProduct({ id, sku: `SB${id}`, name: text })),
      {
        listing: null,
        lane: 'poll',
      },
    );
    const { body, statusCode } = await opened.app.inject({ url, headers: { accept: 'text/html', cookie } });
    expect(statusCode).toBe(200);
    expect(body).toContain('…');
    expect(Buffer.byteLength(body)).toBeLessThan(100 * 1024);
  },
);
