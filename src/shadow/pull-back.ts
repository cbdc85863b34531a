import { isAhead } from '../domain/ahead.ts';
import { cause } from '../domain/causes/cause.ts';
import { minusMs } from '../domain/instant.ts';
import { sideOfList } from '../domain/lists.ts';
import { setAlert } from './alerts.ts';
import type { Look, ReadContext, Recording } from './context.ts';
import { noteInJournal } from './note.ts';

/** If a cursor is this far ahead of our clock, the side is asked for its time, because our own clock proves nothing. */
const DOUBT_MS = 60 * 60_000;

/** Prefix of the alert about a cursor in the future, raised until the list was read again from its beginning. */
const PULLED_BACK = 'read:cursor-of-';

/**
 * A read from the future would miss every change until then. Drops such a cursor and the coverage up to it, which is
 * unreliable, so that the list is read from its beginning.
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
 * As `pullBack`, after an answer which shows that the side has not reached the cursor. The side's clock was ahead when
 * the cursor moved, by less than our clock could detect.
 * @param reachMs how far reads go back behind the cursor anyway
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

/** Called after the list was read. */
export async function notePulled({ account, store }: ReadContext, collection: string): Promise<void> {
  const isRead = (await store.cursors.get(account, collection)) !== null;
  if (isRead) await setAlert({ account, store }, PULLED_BACK + collection, []);
}

/** The time of the list's side, if it tells it, and whether its times are known not to be local. */
async function timeOf({ client, erp }: ReadContext, look: Look, collection: string) {
  if (sideOfList(collection) === 'erp') return { servedAt: (await erp.ping(look.signal)).time, namesZones: true };
  const page = await client.list('orders.list', { query: { page: 1, page_size: 1 } }, look);
  return { servedAt: page.servedAt ?? null, namesZones: page.namesZones ?? false };
}
