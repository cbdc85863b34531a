import { minusMs, overlapStart } from '../marketplace/keyset-instants.ts';
import { readKeyset } from '../marketplace/keyset.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { AccountContext, Look } from '../reconcile/context.ts';
import { recordOrderPage } from './shadow.ts';

/** Fact: the tick at which the last complete read of the orders began. */
const ORDERS_READ_TICK = 'orders-read-tick';
/** Fact: when the whole overlap was read last, in epoch milliseconds. */
const DEEP_READ_AT = 'orders-deep-read-at';
const PAGE_SIZE = 500;
/** The overlap is free while it holds less than a page: beyond this many rows only a deep read reaches back. */
const FREE_OVERLAP_ROWS = 450;

/** Reads the orders that changed since the cursor into the shadow, with their lines. Answers how many changed. */
export async function readOrders(context: AccountContext, look: Look): Promise<number> {
  const { account, client, config, store } = context;
  const tick = await store.cursors.tick(account);
  const knownBeforeTick = Number((await store.facts.get(account, ORDERS_READ_TICK)) ?? 0);
  const cursorBefore = (await store.cursors.get(account, 'orders'))?.value ?? null;
  const deep = await isDeepDue(context);
  const start = await startOf(context, cursorBefore, deep);
  let changed = 0;
  const reading = readKeyset({
    start,
    fetch: async ({ from, page }) => {
      const query = {
        ...listQuery(page, 'modified'),
        include_children: 'line_items',
        ...(from === null ? {} : { modified__gte: from }),
      } satisfies Query<'orders.list'>;
      return client.list('orders.list', { query }, look);
    },
  });
  for await (const step of reading) {
    const numbers = await recordOrderPage(context, step.page as ListPage<Answer<'orders.list'>>, {
      window: {
        account,
        collection: 'orders',
        from: step.covered.from,
        to: step.covered.to,
        rows: step.page.raw.length,
        finding: step.finding ?? null,
        cursor: step.cursor,
      },
      lane: look.lane,
      knownBeforeTick,
      cursorBefore,
    });
    changed += numbers.length;
  }
  await store.facts.set(account, ORDERS_READ_TICK, String(tick));
  if (deep) await store.facts.set(account, DEEP_READ_AT, String(context.now()));
  void config;
  return changed;
}

export function listQuery(page: number, ordering: string) {
  return { ordering, page, page_size: PAGE_SIZE };
}

/** Every half overlap, the whole of it is read again, however many rows it holds. */
async function isDeepDue({ account, config, store, now }: AccountContext): Promise<boolean> {
  const last = Number((await store.facts.get(account, DEEP_READ_AT)) ?? 0);
  return Math.abs(now() - last) >= config.marketplace.poll.overlapMs / 2;
}

async function startOf({ account, config, store }: AccountContext, cursor: string | null, deep: boolean): Promise<string | null> {
  if (cursor === null) return null;
  const { overlapMs } = config.marketplace.poll;
  if (deep) return minusMs(cursor, overlapMs);
  return overlapStart(cursor, overlapMs, await store.orders.nthNewestModified(account, FREE_OVERLAP_ROWS));
}
