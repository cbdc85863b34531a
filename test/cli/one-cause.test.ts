import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { measure } from '../../src/daemon/worker/measure.ts';
import { type Cause, cause } from '../../src/domain/causes/cause.ts';
import { SETTLE_MS } from '../../src/domain/notices.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import type { Store } from '../../src/store/store.ts';
import { createHeldGroups } from '../../src/use/held-groups.ts';
import { allStanding } from '../../src/use/notify.ts';
import { useShelf } from '../store/shelf.ts';
import { adminOn } from '../support/admin.ts';
import { until } from '../support/stage.ts';
import { installation } from './installation.ts';

const account = 'main';
const shelf = useShelf();

const paid = (payment: string, method: string) => cause('payment-method-unknown', { payment, method });

/** Held entities: two flows under one pause, three payments by two methods, two products each with its own trouble. */
const HELD: readonly (readonly [flow: string, key: string, why: Cause])[] = [
  ['product', 'P-1', cause('paused', { reason: 'stocktaking' })],
  ['stock', 'P-1', cause('paused', { reason: 'stocktaking' })],
  ['stock', 'P-2', cause('paused', { reason: 'stocktaking' })],
  ['payment-in', 'PAY-1', paid('PAY-1', 'voucher')],
  ['payment-in', 'PAY-2', paid('PAY-2', 'voucher')],
  ['payment-in', 'PAY-3', paid('PAY-3', 'barter')],
  ['stock', 'P-3', cause('stock-unknown', { sku: 'SB-3' })],
  ['stock', 'P-4', cause('stock-unknown', { sku: 'SB-4' })],
];
/** The number of orders whose tax is not known, for the want of one setting. */
const ORDERS = 40;

/** Each cause as a view should show it: the code, the number of entities, and the number of causes. */
const CAUSES = [
  ['paused', 3, 1],
  ['payment-method-unknown', 1, 1],
  ['payment-method-unknown', 2, 1],
  ['stock-unknown', 2, 2],
  ['tax-state-unknown', ORDERS, 1],
] as const;
const COUNTS = CAUSES.map(([code, count]) => `${code} ${count}`);

async function fill(store: Store): Promise<void> {
  for (const [flow, key, why] of HELD) {
    const target = { account, flow, key };
    await store.work.mark([target], 'poll', 'seen');
    await store.work.hold(target, 1, [why]);
  }
  for (let at = 0; at < ORDERS; at += 1) {
    const order = `N-${at}`;
    await setAlert({ account, store }, `order-in:${order}`, [cause('tax-state-unknown', { order, customer: at })]);
  }
}

const counted = (of: readonly { readonly code: string; readonly count: number }[]) =>
  of.map(({ code, count }) => `${code} ${count}`).toSorted();

test('status and jobs list print each cause once, with its count', async () => {
  const site = installation();
  const { store } = await site.open();
  await fill(store);
  const status = (await site.json('status', '--all')) as {
    accounts: {
      needs: { count: number; about: string; shared: string | null; example: { code: string }; all: unknown[] }[];
    }[];
  };
  const needs = status.accounts[0]?.needs ?? [];
  expect(counted(needs.map(({ count, example: { code } }) => ({ code, count })))).toEqual(COUNTS);
  for (const { all, count } of needs) expect(all).toHaveLength(count);
  expect(needs.find(({ example }) => example.code === 'paused')).toMatchObject({
    about: 'product, stock',
    shared: 'failures: stocktaking',
  });
  const text = stripVTControlCharacters((await site.run('status')).stdout);
  expect(text.match(/^ +40 +alert /gm)).toHaveLength(1);
  const listed = await Promise.all(
    ['held', 'alert'].map(async (state) => {
      const { stdout } = await site.run('jobs', 'list', '--state', state, '--json');
      return (JSON.parse(stdout) as { causes: { code: string; count: number }[] }).causes;
    }),
  );
  expect(counted(listed.flat())).toEqual(COUNTS);
});

test('a plan and a pass count held keys by their cause', () => {
  const groups = createHeldGroups();
  for (const [flow, key, why] of HELD) groups.add({ flow, key }, why);
  expect(counted(groups.largestFirst())).toEqual(COUNTS.slice(0, -1));
});

test('the screen, the metric and the messages count causes', async () => {
  const { store } = shelf();
  await fill(store);
  const { app } = adminOn(store, () => ({ operator: 'an-operator-token', viewer: null, users: [] }));
  const headers = { authorization: 'Bearer an-operator-token' };
  const posted = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const payload = 'password=an-operator-token';
  const login = await app.inject({ method: 'POST', url: '/login', headers: posted, payload });
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  const page = async (state: string) =>
    (await app.inject({ url: `/needs?account=main&state=${state}`, headers: { ...headers, cookie } })).body;
  const causesOn = async (state: string) => [...(await page(state)).matchAll(/<li class="card cause">/g)].length;
  expect([await causesOn('alert'), await causesOn('held')]).toEqual([1, 4]);
  expect(await page('alert')).toContain(`<h2 class="of-card">${ORDERS} things need a look: `);

  const site = installation();
  const { config } = loadConfig(site.file, {});
  const standing = () => allStanding(config, store);
  const metrics = createMetrics();
  const core = {
    log: { debug: () => {} },
    state: { store },
    metrics,
    known: new Map(),
    accounts: new Map(),
    paces: new Map(),
    troubles: [],
  };
  const { stop } = measure({ ...core, standing, counts: async () => new Map() } as unknown as Parameters<
    typeof measure
  >[0]);
  try {
    const lines = async () => (await metrics.registry.metrics()).match(/^stockbridge_alerts\{.*$/gm) ?? [];
    await until('it is measured', async () => (await lines()).length > 0);
    const figures = (await lines()).map((line) => line.replace(/.*code="([^"]*)".* (\d+)$/, '$1 $2'));
    expect(figures.toSorted()).toEqual(
      ['paused 1', 'payment-method-unknown 2', 'stock-unknown 2', 'tax-state-unknown 1'].toSorted(),
    );
  } finally {
    stop();
  }

  const tell = async () => {
    const concerns = (await standing()).get(account) ?? [];
    return store.notices.standing(account, { concerns, sight: { seen: [], unseen: [], isAway: false } }, ['chat']);
  };
  await tell();
  shelf().nowMs += SETTLE_MS;
  await store.work.mark([{ account, flow: 'customer', key: 'C-1' }], 'poll', 'seen');
  await store.work.hold({ account, flow: 'customer', key: 'C-1' }, 1, [cause('paused', { reason: 'stocktaking' })]);
  await tell();
  const messages: string[] = [];
  for (let next = await store.notices.next('chat'); next !== null; next = await store.notices.next('chat')) {
    messages.push(`${next.event} ${next.about} ${next.code}`);
    await store.notices.done(next.id);
  }
  expect(messages.toSorted()).toEqual([
    'opened failures: stocktaking paused',
    'opened orders tax-state-unknown',
    'opened payments: barter payment-method-unknown',
    'opened payments: voucher payment-method-unknown',
    'opened stock stock-unknown',
  ]);
});
