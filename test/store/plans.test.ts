import { expect, test } from 'vitest';
import { releaseWork } from '../../src/store/sql/work.ts';
import type { Store } from '../../src/store/store.ts';
import { useShelf } from './shelf.ts';

const shelf = useShelf();

test('the query for held work of a flow, made for each link, uses an index', async () => {
  const { db } = shelf().sqlite();
  const plans = await plansOf(async () =>
    db.transaction((tx) => releaseWork(tx, { account: 'main', flow: 'order-out' })),
  );
  const [, plan = []] = plans.find(([text]) => text.startsWith('update')) ?? [];
  expect(plan.join()).toContain('(account=? AND flow=?)');
});

test('the query for journal entries with a future date, made at each start of an account, uses an index alone', async () => {
  const plans = await plansOf(() => shelf().store.restampFuture('main'));
  const [, plan = []] = plans.find(([text]) => text.startsWith('update "journal"')) ?? [];
  expect(plan.join()).toMatch(/COVERING INDEX journal_\w+ \(account=\?\)/);
});

test('the query for orders without lines, made for each stock increase, uses an index', async () => {
  const [[, plan] = ['', []]] = await plansOf(() => shelf().store.orders.withoutLines('main'));
  expect(plan.join()).toContain('orders_without_lines (account=? AND has_lines=?)');
});

/** Every statement of a call, with SQLite's plan for it. */
async function plansOf(ask: () => Promise<unknown>): Promise<[string, string[]][]> {
  const { sqlite } = shelf().sqlite();
  const asked: string[] = [];
  const { prepare } = sqlite;
  sqlite.prepare = (text: string) => {
    asked.push(text);
    return prepare(text);
  };
  await ask();
  return asked.map((text) => {
    const values = Array.from({ length: text.split('?').length - 1 }, () => null);
    const plan = sqlite.prepare(`explain query plan ${text}`).all(values) as { detail: string }[];
    return [text, plan.map(({ detail }) => detail)];
  });
}

const FLOWS = { marketplace: ['order-in'], erp: ['order-out', 'stock'] };
const TABLE = { search: '', states: [], flows: FLOWS, after: null };
const ORDERS = { ...TABLE, status: null, sort: 'newest' } as const;
const PRODUCTS = { ...TABLE, linked: null, sort: 'sku' } as const;

/** Tables that have a row for each product, order or write. */
const LARGE =
  /\b(?:SCAN|SEARCH) (?:mappings|orders|order_lines|products|erp_products|erp_orders|erp_payments|transport_orders|journal|work|facts|intents|f|w|m|l|p) (?!.*\w=\? AND|.*[><]\?|.*rowid)/;

test.each<readonly [string, RegExp | null, (store: Store) => Promise<unknown>]>([
  // The first page goes along the index that it is sorted by, and ends when it is full.
  ['orders', /orders_by_modified/, ({ browse }) => browse.orders('main', ORDERS, 50)],
  ['found orders', null, ({ browse }) => browse.orders('main', { ...ORDERS, search: 'SB-00' }, 50)],
  ['held orders', null, ({ browse }) => browse.orders('main', { ...ORDERS, states: ['held'] }, 50)],
  ['products', /erp_products_by_sku/, ({ browse }) => browse.products('main', PRODUCTS, 50)],
  ['by name', /erp_products_by_name/, ({ browse }) => browse.products('main', { ...PRODUCTS, sort: 'name' }, 50)],
  ['found products', null, ({ browse }) => browse.products('main', { ...PRODUCTS, search: 'SB-00' }, 50)],
  ['an entity', null, ({ entities }) => entities.named('main', '4711', { beginning: false, kind: null }, 6)],
  // Its digits lie in a dozen ranges, for which SQLite reads the smallest index.
  [
    'a beginning',
    /products_on_sale/,
    ({ entities }) => entities.named('main', '4711', { beginning: true, kind: null }, 6),
  ],
  ['open orders', null, ({ strategies }) => strategies.openOrders('main')],
  ['what stands alone', null, ({ unlinked }) => unlinked.counts('main')],
  ['the journal', null, ({ journal }) => journal.before(9, 50, { accounts: ['main'] })],
  ['the journal of a key', null, ({ journal }) => journal.before(null, 50, { accounts: ['main'], keys: ['P-1'] })],
  [
    'the journal of a flow',
    /journal_by_flow \(flow=\?\)/,
    ({ journal }) => journal.before(null, 50, { accounts: ['main'], flow: 'stock' }),
  ],
  ['a flow as it goes on', null, ({ journal }) => journal.after(9, 50, { accounts: ['main'], flow: 'stock' })],
  // The work and the facts of an account that are in this state are all counted, and nothing besides.
  ['what is held', /intents_by_state/, ({ work }) => work.groups('main', 'held')],
  ['what failed', null, ({ work }) => work.groups('main', 'failed')],
  ['what is in doubt', /intents_by_state/, ({ work }) => work.groups('main', 'in-doubt')],
  ['what is under an alert', null, ({ work }) => work.groups('main', 'alert')],
  ['held plans', null, ({ brakes }) => brakes.open('main')],
  // Each look at an order asks these.
  ['orders of a reference', null, ({ erp }) => erp.ordersByReference('main', 'M-1')],
  ['products of a SKU', null, ({ erp }) => erp.productsBySku('main', 'SB-0001')],
  ['a payment', /intents_by_state/, ({ observe }) => observe.paymentIn('main', 'P-1')],
  ['transport orders of an order', null, ({ observe }) => observe.transportIn('main', 'M-1', [])],
  [
    'creates that are not settled',
    /intents_by_state \(state=\?\)/,
    ({ intents }) => intents.listUnsettled('main', 'order-out'),
  ],
  ['an order', null, ({ observe }) => observe.orderIn('main', 'M-1', [])],
  ['an order made in the ERP', null, ({ observe }) => observe.orderOut('main', 'SO-1')],
  ['a product', null, ({ observe }) => observe.product('main', 'P-1', [])],
  ['a figure of stock', null, ({ observe }) => observe.stock('main', 'P-1', [])],
  ['the holdings of a listing', null, ({ erp }) => erp.holdings('main', 70)],
  ['acts about a key', null, ({ audit }) => audit.about('main', ['P-1'], 50)],
])('no query for %s scans all rows of an account', async (_name, allowed, ask) => {
  const plans = await plansOf(() => ask(shelf().store));
  expect(plans.length).toBeGreaterThan(0);
  const slow = plans.flatMap(([text, steps]) =>
    steps
      .filter((step) => LARGE.test(step) && allowed?.test(step) !== true)
      .map((step) => `${step}: ${text.slice(0, 300)}`),
  );
  expect(slow).toEqual([]);
});
