import type { AccountConfig } from '../config/resolve.ts';
import type { OrdersFrom } from '../domain/history.ts';
import { isBefore, later } from '../domain/instant.ts';
import type { Facts } from '../store/observe.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { lastRead } from './last-read.ts';
import { nullIfRefused } from './optional-call.ts';
import { instantField, listQuery } from './pages.ts';

/** Fact: the instant of the first start, from which orders are processed, as JSON. */
export const FIRST_START = 'orders-from';

/**
 * The instant from which orders are processed. null: all. `orders.export_from` overrides the first start.
 * @param facts must include `FIRST_START`
 */
export function ordersFromIn({ orders }: Pick<AccountConfig, 'orders'>, facts: Facts): OrdersFrom | null {
  if (orders.history === 'enter') return null;
  if (orders.exportFrom !== null) return { at: orders.exportFrom, by: 'setting' };
  const recorded = facts.get(FIRST_START);
  return recorded === undefined ? null : (JSON.parse(recorded) as OrdersFrom);
}

export async function ordersFromNow({
  account,
  config,
  store,
}: Pick<AccountRecords, 'account' | 'config' | 'store'>): Promise<OrdersFrom | null> {
  const recorded = await store.facts.get(account, FIRST_START);
  return ordersFromIn(config, new Map(recorded === null ? [] : [[FIRST_START, recorded]]));
}

/**
 * Records the first start before the first read of orders: the time of the marketplace's newest order, because its
 * clock dates all orders. A store that already has orders, or has read their list, is older, so all its orders are
 * processed.
 */
export async function noteFirstStart(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  if ((await store.facts.get(account, FIRST_START)) !== null || (await hasBegun(context))) return;
  const { exportFrom } = config.orders;
  const from: OrdersFrom =
    exportFrom === null
      ? { at: await newestModified(context, look), by: 'first-start' }
      : { at: exportFrom, by: 'setting' };
  await store.facts.set(account, FIRST_START, JSON.stringify(from));
}

export async function hasBegun({ account, store }: Pick<AccountRecords, 'account' | 'store'>): Promise<boolean> {
  return (
    (await lastRead({ account, store }, 'orders')) !== null || (await store.orders.numbers(account, '', 1)).length > 0
  );
}

/**
 * The time of the newest order, ignoring the future. Without one, the time of the answer. If the server refuses this
 * sort order, the usual one is used.
 */
async function newestModified({ client, now }: MarketplaceReading, look: Look): Promise<string> {
  const list = (ordering: string) => client.list('orders.list', { query: listQuery(1, ordering) }, look);
  const { raw, more, servedAt } = (await nullIfRefused(() => list('-modified'))) ?? (await list('modified'));
  const times = raw.flatMap((row) => instantField(row, 'modified') ?? []);
  const [newest] = times;
  // A server that ignores the sort order has returned the newest row only if it has returned all.
  const isSorted = times.every((time, index) => index === 0 || !isBefore(times[index - 1] ?? time, time));
  if (newest !== undefined && (isSorted || !more)) return times.reduce(later);
  return servedAt ?? new Date(now()).toISOString();
}
