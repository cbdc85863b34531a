import { expect, test } from 'vitest';
import { sideOfList } from '../../src/domain/lists.ts';
import { FLOW_NAMES, FLOWS } from '../../src/flows/flows.ts';
import { beginListening, lookForSilence, WRITERS, watchRead, webhookWatch } from '../../src/shadow/webhook-watch.ts';
import type { InboxRow } from '../../src/store/reading.ts';
import type { JournalEntry } from '../../src/store/record.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const MINUTE = 60_000;
const byFlow = (a: { flow: string }, b: { flow: string }) => a.flow.localeCompare(b.flow);
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

test.each(CASES)(
  'for a while, webhooks need not tell of a write of ours: %s',
  async (_, kind, entry, ours, another) => {
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
  },
);

test('a write to a customer that has the same id in the ERP as the product is no write to the listing', async () => {
  const { store } = shelf();
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: '17', how: 'created' });
  await store.journal.add(sent('customer-out', '17'));
  const context = accountContext(store, watched, { now: () => shelf().nowMs + MINUTE });
  const watch = await watchRead(context, 'products', [], shelf().nowMs);
  await watch.saw(['70']);
  await watch.end();
  expect(Object.keys((await webhookWatch(context, 'products')).unheard)).toEqual(['70']);
});

test.each([
  ['orders', 'order'],
  ['products', 'product'],
] as const)(
  'every flow that writes to %s of the marketplace is known to the watch of their webhooks',
  (kind, links) => {
    const writers = FLOW_NAMES.filter(
      (flow) => FLOWS[flow].links === links && FLOWS[flow].writes.marketplace !== undefined,
    );
    const keyedBy = (flow: (typeof writers)[number]) => sideOfList(FLOWS[flow].keys);
    expect(WRITERS[kind].toSorted(byFlow)).toEqual(
      writers.map((flow) => ({ flow, keyedBy: keyedBy(flow) })).toSorted(byFlow),
    );
  },
);

test.each([
  ['the program ran on', false, 1],
  ['it was stopped meanwhile: they may have come while nobody was there', true, 0],
])('two changes of an hour ago, and no webhook about them since: %s', async (_, wasStopped, alerts) => {
  const { store } = shelf();
  let nowMs = shelf().nowMs;
  const context = accountContext(store, watched, { now: () => nowMs });
  const heard = { kind: 'orders', receivedAtMs: nowMs, body: '{}' } as unknown as InboxRow;
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
