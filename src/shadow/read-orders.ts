import { DAY_MS } from '../domain/day.ts';
import { readKeyset } from '../marketplace/keyset.ts';
import { earlierOf, overlapStart } from '../marketplace/keyset-instants.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { followHints, namesIn } from './follow-hints.ts';
import { HOLE } from './holes.ts';
import { readChanges, type Step, windowOf } from './keyset-list.ts';
import { beginRead, lastRead, recordReadTime } from './last-read.ts';
import { beginMissing } from './missing-orders.ts';
import { noteFirstStart } from './orders-from.ts';
import { fieldOf, listQuery } from './pages.ts';
import { recordOrderPage } from './shadow.ts';
import { beginHintedRead } from './webhook-watch.ts';

/** Fact: the cursor of changed orders when the last complete read of late ones began. */
const LATE_READ_FROM = 'late-orders-read';

export async function readOrders(context: MarketplaceReading, look: Look): Promise<void> {
  const { account } = context;
  const hinted = await beginHintedRead(context, look, 'orders');
  if (hinted === null) return;
  const { hints, watch, cursor } = hinted;
  await noteFirstStart(context, look);
  const began = await beginRead(context);
  const knownBeforeTick = (await lastRead(context, 'orders'))?.tick ?? 0;
  const named = namesIn('orders', hints);
  const seen = new Set<string>();
  const record = async (step: Step<Answer<'orders.list'>>) => {
    const window = windowOf(account, 'orders', step);
    const reading = { window, lane: look.lane, knownBeforeTick, readTick: began.tick, cursorBefore: cursor };
    const changed = await recordOrderPage(context, step.page, reading);
    if (step.finding !== HOLE) await watch.saw(changed);
    for (const row of step.page.raw) {
      const number = fieldOf(row, 'number') ?? '';
      if (named.has(number)) seen.add(number);
    }
  };
  const read = (from: string | null) => readChangedOrders(context, look, from, cursor);
  await readChanges(context, { collection: 'orders', cursor }, read, record);
  await watch.end();
  await recordReadTime(context, 'orders', began);
  await followHints(context, look, 'orders', hints, seen);
}

/**
 * Reads every order again that changed since 24 hours before the previous such read began; the first time, in the last
 * two days. This finds orders that become visible up to a day late without a webhook. The read begins no later than the
 * oldest open order, because an open order that the list lacks may be gone. It does not move the cursor. While invalid
 * rows exist, all orders are read: an invalid row that is no longer returned was repaired or is gone.
 */
export async function readLateOrders(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, store, now } = context;
  const cursor = (await store.cursors.get(account, 'orders'))?.value ?? null;
  // Before the first full read, no order can be late.
  if (cursor === null) return;
  const before = await store.facts.get(account, LATE_READ_FROM);
  // A cursor that was moved back lies before the recorded one.
  const late = overlapStart(earlierOf(before ?? cursor, cursor), before === null ? 2 * DAY_MS : DAY_MS, null);
  const missing = await beginMissing(context);
  const isUnfit = (await store.invalidRows.groups(account)).some(({ collection }) => collection === 'orders');
  const start = isUnfit ? null : missing.from === null ? late : earlierOf(late, missing.from);
  const beganMs = now();
  let sawAll = start === null;
  const knownBeforeTick = (await lastRead(context, 'orders'))?.tick ?? 0;
  for await (const step of readChangedOrders(context, look, start, cursor)) {
    const window = { ...windowOf(account, 'orders', step), cursor: null };
    const reading = { window, lane: look.lane, knownBeforeTick, readTick: null, cursorBefore: cursor };
    await recordOrderPage(context, step.page, reading);
    sawAll &&= step.finding !== 'unstable';
    missing.saw(step.page.raw.map((row) => fieldOf(row, 'number') ?? ''));
  }
  await store.facts.set(account, LATE_READ_FROM, cursor);
  if (sawAll) await store.invalidRows.clear(account, 'orders', beganMs);
  await missing.settle(look);
}

function readChangedOrders({ client }: MarketplaceReading, look: Look, start: string | null, cursor: string | null) {
  return readKeyset({
    start,
    cursor,
    field: 'modified',
    key: 'number',
    fetch: async ({ from, page }) => {
      const query = {
        ...listQuery(page, 'modified'),
        include_children: 'line_items' as const,
        ...(from === null ? {} : { modified__gte: from }),
      } satisfies Query<'orders.list'>;
      return client.list('orders.list', { query }, look);
    },
  });
}
