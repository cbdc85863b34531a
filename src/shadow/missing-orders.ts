import { cause } from '../domain/causes/cause.ts';
import { CallFailure } from '../domain/failure.ts';
import { earlier } from '../domain/instant.ts';
import { DELETED } from '../domain/status.ts';
import type { Answer } from '../marketplace/request.ts';
import { setAlert } from './alerts.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { noteInJournal } from './note.ts';
import { recordOrderAnswer } from './shadow.ts';

/** The list must also contain other orders, so it begins at least at this many from the newest. */
const OTHERS = 20;
/** The most orders asked for by number after one read. The next read continues. */
const MAX_ASKED = 100;

const LACKED = 'a list of all that changed since lacks it, and the marketplace does not show it by its number';

/**
 * Searches for orders that are gone from the marketplace. An order is gone if a list of everything changed since its
 * last change lacks it, and the marketplace does not return it by number either. An empty list proves nothing.
 */
export async function beginMissing(context: MarketplaceReading) {
  const { account, store } = context;
  const unfinished = await store.orders.unfinished(account);
  const tick = await store.cursors.tick(account);
  const oldest = unfinished.map(({ modified }) => modified).reduce<string | null>(earlierKnown, null);
  const others = await store.orders.nthNewestModified(account, OTHERS);
  const missing = new Set(unfinished.map(({ number }) => number));
  let shown = 0;
  return {
    /** The latest start of the read. null: no order can be missing. */
    from: oldest === null ? null : earlierKnown(others, oldest),
    saw(numbers: readonly string[]): void {
      shown += numbers.length;
      for (const number of numbers) missing.delete(number);
    },
    /** Called at the end of the read. Asks for each missing order by number. */
    async settle(look: Look): Promise<void> {
      const isEmpty = shown === 0 && missing.size > 0;
      const doubt = isEmpty ? [cause('orders-list-empty', { open: missing.size })] : [];
      await setAlert(context, 'orders:list', doubt);
      if (isEmpty) return;
      for (const number of [...missing].slice(0, MAX_ASKED))
        await readOrderById(context, look, number, { tick, why: LACKED });
    },
  };
}

function earlierKnown(a: string | null, b: string): string {
  return a === null ? b : earlier(a, b);
}

/**
 * Asks for an order, and records that it is gone if the marketplace does not return it.
 * @param tick the tick at which the list began to be read
 * @returns the order; null: it is gone
 */
export async function readOrderById(
  context: MarketplaceReading,
  look: Look,
  number: string,
  { tick, why }: { readonly tick: number; readonly why: string },
): Promise<Answer<'orders.get'> | null> {
  const { account, client, now, store } = context;
  const reading = { lane: look.lane, knownBeforeTick: tick, askedAtMs: now() };
  try {
    const shown = await client.call('orders.get', { path: { number } }, look);
    await recordOrderAnswer(context, number, shown, reading);
    return shown;
  } catch (error) {
    if (!(error instanceof CallFailure) || error.kind !== 'not-found') throw error;
  }
  const before = await store.orders.get(account, number);
  await recordOrderAnswer(context, number, null, { ...reading, known: { status: DELETED } });
  const found = { account, flow: 'read', key: 'orders', action: 'read.gone', target: `order ${number}` };
  const change = { before: before?.order.status ?? null, after: 'gone from the marketplace' };
  await noteInJournal(context, { ...found, ...change, why });
  return null;
}
