import { isAhead } from '../domain/ahead.ts';
import { cause } from '../domain/causes/cause.ts';
import { setAlert } from './alerts.ts';
import type { Look, ReadContext } from './context.ts';
import { noteInJournal } from './note.ts';

/** Our own clock decides nothing. A cursor that is so far ahead of it makes the side be asked for its time. */
const DOUBT_MS = 60 * 60_000;

/** Prefix of the alert about a cursor that was in the future, until the list has been read again from its beginning. */
const PULLED_BACK = 'read:cursor-of-';

/**
 * Reading from an instant that its side has not reached yet would miss every change until then. Such a cursor is forgotten, and so
 * is what was covered up to it: nobody knows how much of that was seen. So the list is read from its beginning.
 */
export async function pullBack(context: ReadContext, look: Look, collection: string): Promise<void> {
  const { account, store, now } = context;
  const cursor = (await store.cursors.get(account, collection))?.value;
  if (cursor === undefined || !isAhead(cursor, new Date(now() + DOUBT_MS).toISOString(), true)) return;
  const { servedAt, namesZones } = await timeOf(context, look, collection);
  if (servedAt === null || !isAhead(cursor, servedAt, namesZones)) return;
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

/** The clock of the side that has this list, null where it does not tell; and whether its times are known to be no local ones. */
async function timeOf({ client, erp }: ReadContext, look: Look, collection: string) {
  if (collection.startsWith('erp-')) return { servedAt: (await erp.ping(look.signal)).time, namesZones: true };
  const page = await client.list('orders.list', { query: { page: 1, page_size: 1 } }, look);
  return { servedAt: page.servedAt ?? null, namesZones: page.namesZones ?? false };
}
