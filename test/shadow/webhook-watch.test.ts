import { describe, expect, test } from 'vitest';
import { WRITERS } from '../../src/flows/flows.ts';
import { FOR_WEBHOOKS } from '../../src/shadow/already-stored.ts';
import {
  beginHintedRead,
  beginListening,
  lookForSilence,
  watchRead,
  webhookWatch,
} from '../../src/shadow/webhook-watch.ts';
import type { JournalEntry } from '../../src/store/record.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const MINUTE = 60_000;
const shelf = useShelf();

const base = { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 };
const watched = accountConfig({ marketplace: { ...base, webhooks: { secret: 'a-secret' } } });

/** A write whose answer was lost. Only the journal knows of it. */
const sent = (flow: string, key: string): JournalEntry => ({
  account: 'main',
  flow,
  key,
  action: 'update',
  target: key,
  before: null,
  after: null,
  why: 'it differs',
  outcome: 'sent',
  answer: '',
});

const CASES: [string, 'orders' | 'products', JournalEntry, string, string][] = [
  ['the mark of an exported order', 'orders', sent('order-in', 'o-1'), 'o-1', 'o-2'],
  ['an order made in the ERP', 'orders', sent('order-out', 'E-1'), 'o-1', 'o-2'],
  ['a listing', 'products', sent('product', 'P-1'), '70', '71'],
  ['its images', 'products', sent('images', 'P-1'), '70', '71'],
  ['its stock', 'products', sent('stock', 'P-1'), '70', '71'],
  ['its stock by facility', 'products', sent('facility-stock', 'P-1'), '70', '71'],
];

test.each(CASES)('for a while, webhooks need not report a write of ours: %s', async (_, kind, entry, ours, another) => {
  const { store } = shelf();
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'created' });
  await store.journal.add(entry);
  const unheardAt = async (nowMs: number) => {
    const context = accountContext(store, watched, { now: () => nowMs });
    const watch = await watchRead(context, kind, [], nowMs - MINUTE);
    await watch.saw([ours, another]);
    await watch.end();
    return Object.keys((await webhookWatch(context, kind)).unheard);
  };
  expect(await unheardAt(shelf().nowMs + MINUTE)).toEqual([another]);
  expect(await unheardAt(shelf().nowMs + 11 * MINUTE)).toContain(ours);
});

test('a write to a customer that has the same ERP id as the product is no write to the listing', async () => {
  const { store } = shelf();
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: '17', how: 'created' });
  await store.journal.add(sent('customer-out', '17'));
  const context = accountContext(store, watched, { now: () => shelf().nowMs + MINUTE });
  const watch = await watchRead(context, 'products', [], shelf().nowMs);
  await watch.saw(['70']);
  await watch.end();
  expect(Object.keys((await webhookWatch(context, 'products')).unheard)).toEqual(['70']);
});

test('the watch over webhooks covers every flow that writes their entities', () => {
  const named = (kind: 'orders' | 'products') => WRITERS[kind].map(({ flow, keyedBy }) => `${flow} by ${keyedBy}`);
  expect(named('orders')).toEqual(['order-in by marketplace', 'order-out by erp', 'approval-out by erp']);
  expect(named('products')).toEqual(
    ['product', 'images', 'assignments', 'stock', 'facility-stock'].map((flow) => `${flow} by erp`),
  );
});

test.each([
  ['the program ran on', false, 1],
  ['it was stopped meanwhile: they may have come while nobody was there', true, 0],
])('two changes of an hour ago without a webhook since: %s', async (_, wasStopped, alerts) => {
  const { store } = shelf();
  let nowMs = shelf().nowMs;
  const context = accountContext(store, watched, { now: () => nowMs });
  const heard = { entity: null, isNews: true, atMs: nowMs };
  await (await watchRead(context, 'orders', [heard], nowMs - MINUTE)).end();
  const watch = await watchRead(context, 'orders', [], nowMs - MINUTE);
  nowMs += MINUTE;
  await watch.saw(['o-1', 'o-2']);
  await watch.end();
  nowMs += 60 * MINUTE;
  if (wasStopped) await beginListening(context);
  await lookForSilence(context);
  expect(await store.facts.startingWith('main', 'alert:webhooks:')).toHaveLength(alerts);
});

describe('a read that webhooks asked for', () => {
  const unsigned = accountConfig();
  /** The webhook says something new: the shadow does not have its order. */
  const begins = async (key: string, { config = watched, body = '' } = {}) => {
    const { store, nowMs } = shelf();
    const context = accountContext(store, config);
    const delivery = { account: 'main', kind: 'orders', body: Buffer.from(body), receivedAtMs: nowMs } as const;
    if (body !== '') await store.inbox.store([delivery]);
    const look = { key, lane: 'webhook', signal: new AbortController().signal } as const;
    return (await beginHintedRead(context, look, 'orders')) !== null;
  };

  test('a read after webhooks is skipped when no webhook has news', async () => {
    expect(await begins(FOR_WEBHOOKS)).toBe(false);
  });

  test('a read after webhooks is made when a webhook has news', async () => {
    expect(await begins(FOR_WEBHOOKS, { body: '{"type":"order","data":{"number":"o-1"}}' })).toBe(true);
  });

  test('a read is made when somebody else requests it, or when unsigned webhooks are not stored', async () => {
    expect(await begins('all')).toBe(true);
    expect(await begins(FOR_WEBHOOKS, { config: unsigned })).toBe(true);
  });
});
