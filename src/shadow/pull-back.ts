import { isAhead } from '../domain/ahead.ts';
import { cause } from '../domain/causes/cause.ts';
import { minusMs } from '../domain/instant.ts';
import { sideOfList } from '../domain/lists.ts';
import { setAlert } from './alerts.ts';
import type { Look, ReadContext, Recording } from './context.ts';
import { noteInJournal } from './note.ts';

/** Our own clock decides nothing. When a cursor is this far ahead of it, the side is asked for its time. */
const DOUBT_MS = 60 * 60_000;

/** Prefix of the alert about a cursor that was in the future, until the list has been read again from its beginning. */
const PULLED_BACK = 'read:cursor-of-';

/**
 * A read from an instant that the side has not reached yet would miss every change until then. Such a cursor is forgotten,
 * together with the coverage up to it: nobody knows how much of this time was read. So the list is read from its beginning.
 */
export async function pullBack(context: ReadContext, look: Look, collection: string): Promise<void> {
  const { account, store, now } = context;
  const cursor = (await store.cursors.get(account, collection))?.value;
  if (cursor === undefined || !isAhead(cursor, new Date(now() + DOUBT_MS).toISOString(), true)) return;
  const { servedAt, namesZones } = await timeOf(context, look, collection);
  if (servedAt !== null && isAhead(cursor, servedAt, namesZones))
    await forget(context, collection, { cursor, servedAt });
}

/**
 * The same after a request for changes whose answer tells that the side has not reached the cursor: the side's clock was ahead
 * when the cursor was moved, by less than our own clock could tell.
 * @param reachMs how far reads go back behind the cursor in any case
 */
export async function pullBackBehind(
  context: Recording,
  collection: string,
  cursor: string | null,
  { servedAt, namesZones, reachMs }: { servedAt: string | null; namesZones: boolean; reachMs: number },
): Promise<void> {
  if (cursor === null || servedAt === null || !isAhead(minusMs(cursor, reachMs), servedAt, namesZones)) return;
  await forget(context, collection, { cursor, servedAt });
}

async function forget(
  context: Recording,
  collection: string,
  { cursor, servedAt }: { readonly cursor: string; readonly servedAt: string },
): Promise<void> {
  const { account, store } = context;
  await store.cursors.forget(account, collection);
  await setAlert(context, PULLED_BACK + collection, [cause('cursor-ahead', { collection, cursor, servedAt })]);
  const found = {
    account,
    flow: 'read',
    key: collection,
    action: 'read.pulled-back',
    target: `cursor of ${collection}`,
  };
  const why = `it lay in the future: there it was ${servedAt}`;
  await noteInJournal(context, { ...found, before: cursor, after: 'read from the beginning', why });
}

/** To be called when the list has been read. */
export async function notePulled({ account, store }: ReadContext, collection: string): Promise<void> {
  const isRead = (await store.cursors.get(account, collection)) !== null;
  if (isRead) await setAlert({ account, store }, PULLED_BACK + collection, []);
}

/**
 * The clock of the side that has this list, null where the side does not tell it; and whether its times are known not to be
 * local.
 */
async function timeOf({ client, erp }: ReadContext, look: Look, collection: string) {
  if (sideOfList(collection) === 'erp') return { servedAt: (await erp.ping(look.signal)).time, namesZones: true };
  const page = await client.list('orders.list', { query: { page: 1, page_size: 1 } }, look);
  return { servedAt: page.servedAt ?? null, namesZones: page.namesZones ?? false };
}
