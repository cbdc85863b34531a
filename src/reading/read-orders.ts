import { type KeysetStep, readKeyset } from '../marketplace/keyset.ts';
import { overlapStart } from '../marketplace/keyset-instants.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { AccountContext, Look } from '../reconcile/context.ts';
import { followOrderHints } from './follow-hints.ts';
import { HOLE, readHole } from './holes.ts';
import { isNeedless } from './known.ts';
import { fieldOf, listQuery } from './list.ts';
import { ORDERS_READ_TICK } from './orders-known.ts';
import { recordOrderPage } from './shadow.ts';
import { watchRead } from './webhook-watch.ts';

/** Fact: when the whole overlap was read last, in epoch milliseconds. */
const DEEP_READ_AT = 'orders-deep-read-at';
/** The overlap is free while it holds less than a page: beyond this many rows only a deep read reaches back. */
export const FREE_OVERLAP_ROWS = 450;

interface Step extends Omit<KeysetStep<ListPage<Answer<'orders.list'>>>, 'finding'> {
  readonly finding: string | null;
}

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
  const tick = await store.cursors.tick(account);
  const knownBeforeTick = Number((await store.facts.get(account, ORDERS_READ_TICK)) ?? 0);
  const cursor = before?.value ?? null;
  const deep = await isDeepDue(context);
  const start = await startOf(context, cursor, deep);
  const seen = new Set<string>();
  const record = async ({ page, covered, finding, cursor: next }: Step) => {
    const window = { account, collection: 'orders', ...covered, rows: page.raw.length, finding, cursor: next };
    const reading = { window, lane: look.lane, knownBeforeTick, cursorBefore: cursor };
    const changed = await recordOrderPage(context, page, reading);
    if (finding !== HOLE) await watch.saw(changed);
    for (const row of page.raw) seen.add(fieldOf(row, 'number') ?? '');
  };
  for await (const step of readChangedOrders(context, look, start, cursor)) await record(step);
  await readHole(
    context,
    'orders',
    (from) => readChangedOrders(context, look, from, cursor),
    (step) => record({ ...step, finding: HOLE }),
  );
  await watch.end();
  await store.facts.set(account, ORDERS_READ_TICK, String(tick));
  if (deep) await store.facts.set(account, DEEP_READ_AT, String(context.now()));
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

/** Every half overlap, the whole of it is read again, however many rows it holds. */
async function isDeepDue({ account, config, store, now }: AccountContext): Promise<boolean> {
  const last = Number((await store.facts.get(account, DEEP_READ_AT)) ?? 0);
  return Math.abs(now() - last) >= config.marketplace.poll.overlapMs / 2;
}

async function startOf(
  { account, config, store }: AccountContext,
  cursor: string | null,
  deep: boolean,
): Promise<string | null> {
  if (cursor === null) return null;
  const nth = deep ? null : await store.orders.nthNewestModified(account, FREE_OVERLAP_ROWS);
  return overlapStart(cursor, config.marketplace.poll.overlapMs, nth);
}
