import { readKeyset } from '../marketplace/keyset.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { AccountContext, Look } from '../reconcile/context.ts';
import { followOrderHints } from './follow-hints.ts';
import { HOLE } from './holes.ts';
import { readChanges, type Step, windowOf } from './keyset-list.ts';
import { isNeedless } from './known.ts';
import { beginRead, lastRead, noteRead } from './last-read.ts';
import { fieldOf, listQuery } from './list.ts';
import { recordOrderPage } from './shadow.ts';
import { watchRead } from './webhook-watch.ts';

/** Reads the orders that changed since the cursor into the shadow, with their lines. */
export async function readOrders(context: AccountContext, look: Look): Promise<void> {
  const { account, store } = context;
  const hints = await store.inbox.unprocessed(account, 'orders', 1_000);
  const before = await store.cursors.get(account, 'orders');
  const watch = await watchRead(context, 'orders', hints, before?.updatedAtMs ?? null);
  if (await isNeedless(context, look, hints)) {
    await watch.end();
    return store.inbox.processed(hints.map(({ id }) => id));
  }
  const began = await beginRead(context);
  const knownBeforeTick = (await lastRead(context, 'orders'))?.tick ?? 0;
  const cursor = before?.value ?? null;
  const seen = new Set<string>();
  const record = async (step: Step<Answer<'orders.list'>>) => {
    const window = windowOf(account, 'orders', step);
    const reading = { window, lane: look.lane, knownBeforeTick, cursorBefore: cursor };
    const changed = await recordOrderPage(context, step.page, reading);
    if (step.finding !== HOLE) await watch.saw(changed);
    for (const row of step.page.raw) seen.add(fieldOf(row, 'number') ?? '');
  };
  const read = (from: string | null) => readChangedOrders(context, look, from, cursor);
  await readChanges(context, { collection: 'orders', cursor }, read, record);
  await watch.end();
  await noteRead(context, 'orders', began);
  await followOrderHints(context, look, hints, seen);
}

function readChangedOrders({ client }: AccountContext, look: Look, start: string | null, cursor: string | null) {
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
