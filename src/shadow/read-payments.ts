import { DAY_MS } from '../domain/day.ts';
import { isBefore, minusMs } from '../domain/instant.ts';
import { readPayment } from '../marketplace/entities/payment.ts';
import { laterOf } from '../marketplace/keyset-instants.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { holesOf, noteHole } from './holes.ts';
import { beginRead, markListKnown, recordReadTime } from './last-read.ts';
import { eachPage, fieldOf, instantField, listQuery, readRows } from './pages.ts';
import { beginRoll } from './roll-call.ts';
import { watchFutureRows } from './rows-ahead.ts';

/** Fact: every payment was read at least once. */
export const PAYMENTS_KNOWN = 'payments-known';

/** 1,000,000 payments. */
const MAX_PAGES = 2_000;

type Page = ListPage<Answer<'order-payments.list'>>;

/**
 * Reads payments since the newest known one, or since the earliest hole. The filter takes dates in the server's unknown
 * time zone, so one more day is read.
 */
export async function readPayments(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  if (config.payments === null) return;
  const cursor = (await store.cursors.get(account, 'payments'))?.value ?? null;
  const [hole] = await holesOf(context, 'payments');
  if (hole === undefined || hole.from === null || cursor === null || isBefore(cursor, hole.from)) {
    await readSince(context, look, cursor ?? config.payments.from, cursor);
    return;
  }
  const { rows, to } = await readSince(context, look, hole.from, cursor);
  // The newest payment ends the read. The rest of the hole stays open until a later one exists.
  if (to !== hole.from) await noteHole(context, 'payments', hole, `${rows} rows, up to ${to}`);
}

/**
 * Reads every payment. Without a filter for changes, only this finds payments that were changed or deleted on the
 * marketplace. Payments from before `payments.from` need not be listed.
 */
export async function sweepPayments(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store, now } = context;
  if (config.payments === null) return;
  const cursor = (await store.cursors.get(account, 'payments'))?.value ?? null;
  const beganMs = now();
  const { from } = config.payments;
  const roll = await beginRoll(context, look, 'payments');
  const { ids } = await readSince(context, look, from, cursor);
  roll.saw(ids);
  await store.invalidRows.clear(account, 'payments', beganMs);
  await roll.settle(true, {
    witness: 'second-list',
    shown: async (missing) => {
      const shown = new Set((await readSince(context, look, from, cursor)).ids);
      for (const id of missing) if (!(await isSince(context, id, from))) shown.add(id);
      return shown;
    },
  });
}

async function isSince({ account, store }: AccountRecords, id: string, from: string | null): Promise<boolean> {
  const createdAt = (await store.payments.get(account, id))?.createdAt ?? null;
  return from === null || (createdAt !== null && !isBefore(createdAt, from));
}

/** `to`: the time of the newest row. */
async function readSince(
  context: MarketplaceReading,
  look: Look,
  since: string | null,
  cursor: string | null,
): Promise<{ rows: number; ids: string[]; to: string | null }> {
  const { account, store } = context;
  const began = await beginRead(context);
  const ahead = watchFutureRows(context, 'payments');
  let to = since;
  let rows = 0;
  const ids: string[] = [];
  for await (const page of listPaymentsSince(context, look, since)) {
    for (const row of page.raw) {
      to = laterOf(to, instantField(row, 'created_date'));
      ids.push(fieldOf(row, 'id') ?? '');
    }
    rows += page.raw.length;
    ahead.saw(page.ahead);
  }
  await ahead.settle();
  // The cursor moves only after all was read, because the server may ignore the requested sort order.
  const window = { account, collection: 'payments', from: since, to, rows, finding: null };
  await store.cursors.record({ ...window, cursor: laterOf(cursor, to) });
  await recordReadTime(context, 'payments', began);
  await markListKnown(context, PAYMENTS_KNOWN, 'payments-unread');
  return { rows, ids, to };
}

/** Yields every page since the day before `since`, or of all payments. Each is stored as it arrives. */
export async function* listPaymentsSince(
  context: MarketplaceReading,
  look: Look,
  since: string | null,
): AsyncGenerator<Page> {
  const filter = since === null ? {} : { created_date_from: minusMs(since, DAY_MS).slice(0, 'yyyy-mm-dd'.length) };
  const list = { of: 'payments', maxPages: MAX_PAGES, mend: 'set payments.from' };
  const pages = eachPage(list, (page) => {
    const query = { ...listQuery(page, 'created_date'), ...filter };
    return context.client.list('order-payments.list', { query }, look);
  });
  for await (const page of pages) {
    await recordPaymentPage(context, page, look.lane);
    yield page;
  }
}

async function recordPaymentPage({ account, store }: AccountRecords, page: Page, lane: Look['lane']): Promise<void> {
  await store.payments.record({ account, ...readRows(page, 'id', readPayment), lane });
}
